import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermPatch } from "../../core/term.js";
import { DumpError } from "../../formats/dumps/dump-file.js";
import type { Authority, DumpEntry, DumpPlace } from "../../ports/authorities.js";
import type { TermLine } from "../../ports/store.js";
import type { DumpReport, ImportSource, ParsedDocument, Unreadable } from "../api/imports.js";
import type { Deps } from "../context/deps.js";
import { findAuthority, findVocabulary } from "../context/find-model.js";
import { explainOpening } from "../input/open-import.js";
import { checkPatch } from "../rules/check-patch.js";
import { declaredOnly } from "../rules/declared-only.js";
import { joinReasons, SeenIds } from "./check-lines.js";

/**
 * Reads and checks the terms of a dump.
 * @param log receives other information in the dump
 */
export async function* readDumpTerms(
  { catalog, authorities }: Pick<Deps, "catalog" | "authorities">,
  { vocabulary: name, file, authority: from = "", only }: ImportSource & { readonly kind: "terms" },
  onProgress: (bytes: number) => void,
  log: DumpLog,
): AsyncGenerator<ParsedDocument<"terms">> {
  const vocabulary = findVocabulary(catalog, name);
  const authority = findAuthority(authorities, from);
  const check = makeEntryCheck(vocabulary, authority, log);
  const options = { onProgress, only: only && new Set(only) };
  try {
    for await (const entries of authority.read(file, options)) {
      for (const entry of entries) {
        const line = check(entry);
        if (line !== undefined) yield line;
      }
    }
  } catch (error) {
    if (!(error instanceof DumpError)) throw explainOpening(error, file);
    const { part = "", line = 1, message } = error;
    yield { line: log.number({ part, line }), reason: message, isEnd: true };
  }
}

/**
 * Returns a function that checks the entries of one dump. It logs entries that are not terms, and returns undefined.
 */
function makeEntryCheck(
  vocabulary: Vocabulary,
  { manner, firstCounts = false }: Authority,
  log: DumpLog,
): (entry: DumpEntry) => TermLine | Unreadable | undefined {
  const seenIds = new SeenIds();
  const leaveOut = (what: string): void => log.leaveOut(what);
  return (entry) => {
    if ("release" in entry) return void log.release(entry.release);
    if ("leftOut" in entry) return void log.leaveOut(entry.leftOut, entry.count);
    const line = log.number(entry);
    if ("reason" in entry) return { line, reason: entry.reason, isEnd: entry.isEnd };
    if ("redirect" in entry) {
      const { redirect: id, to } = entry;
      if (hasIdForm(vocabulary, id)) return { line, redirect: { id, to } };
      return { line, reason: `the id "${id}" does not have the form ${vocabulary.idPattern}` };
    }
    const { patch, alone, reasons } = checkPatch(vocabulary, declaredOnly(vocabulary, entry.item, leaveOut));
    if (patch === undefined) return { line, reason: joinReasons(reasons) };
    const firstLine = seenIds.add(patch.id, line);
    if (firstLine === undefined) {
      return { line, patch: withManner(patch, manner), alone };
    }
    if (firstCounts) return void log.leaveOut("entries of an id that came before");
    const first = placeInDump(firstLine, log.report().stretches);
    const where = first.part === undefined ? `line ${first.line}` : `line ${first.line} of ${first.part}`;
    return { line, reason: `"${patch.id}" is already on ${where}` };
  };
}

const withManner = (patch: TermPatch, manner: Authority["manner"]): TermPatch =>
  manner === undefined ? patch : { ...patch, manner };

/** Collects information about a dump apart from its terms, and numbers the lines of all its files consecutively. */
export class DumpLog {
  #release: string | undefined;
  readonly #leftOut = new Map<string, number>();
  readonly #stretches: { at: number; part: string; line: number }[] = [];
  #last = 0;

  /** Returns the number of a place. Later lines of a file have higher numbers if the lines come in order. */
  number({ part, line }: DumpPlace): number {
    const stretch = this.#stretches.at(-1);
    const number = stretch?.part === part ? stretch.at + line - stretch.line : 0;
    if (number >= this.#last && number > 0) {
      this.#last = number;
      return number;
    }
    this.#last += 1;
    this.#stretches.push({ at: this.#last, part, line });
    return this.#last;
  }

  release(name: string): void {
    this.#release ??= name;
  }

  leaveOut(what: string, count = 1): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count);
  }

  report(): DumpReport {
    const release = this.#release === undefined ? {} : { release: this.#release };
    return { ...release, leftOut: Object.fromEntries(this.#leftOut), stretches: [...this.#stretches] };
  }
}

/** Returns the place of a number. */
export function placeInDump(number: number, stretches: DumpReport["stretches"]): { part?: string; line: number } {
  const stretch = stretches.findLast(({ at }) => at <= number);
  if (stretch === undefined) return { line: number };
  const { part, line, at } = stretch;
  return { ...(part === "" ? {} : { part }), line: line + number - at };
}
