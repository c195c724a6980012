import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermPatch } from "../../core/term.js";
import { DumpError } from "../../formats/dumps/dump-error.js";
import type { Authority, DumpEntry } from "../../ports/authorities.js";
import type { TermLine } from "../../ports/store.js";
import type { ImportSource, ReadDocument, Unreadable } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { findAuthority } from "../context/find-authority.js";
import { findVocabulary } from "../context/find-model.js";
import { explainOpening } from "../input/open-import.js";
import { checkPatch } from "../rules/check-patch.js";
import { declaredOnly } from "../rules/declared-only.js";
import { joinReasons } from "./check-lines.js";
import { type DumpLog, placeOf } from "./dump-log.js";
import { SeenIds } from "./seen-ids.js";

/**
 * The items of a dump, checked as those of a file.
 * @param log takes what the dump tells beside them
 */
export async function* readDumpTerms(
  { catalog, authorities }: Pick<Deps, "catalog" | "authorities">,
  { vocabulary: name, file, authority: from = "", only }: ImportSource & { readonly kind: "terms" },
  onProgress: (bytes: number) => void,
  log: DumpLog,
): AsyncGenerator<ReadDocument<"terms">> {
  const vocabulary = findVocabulary(catalog, name);
  const authority = findAuthority(authorities, from);
  const check = makeEntryCheck(vocabulary, authority, log);
  const options = { onProgress, ...(only === undefined ? {} : { only: new Set(only) }) };
  try {
    for await (const entries of authority.read(file, options)) {
      for (const entry of entries) {
        const read = check(entry);
        if (read !== undefined) yield read;
      }
    }
  } catch (error) {
    if (!(error instanceof DumpError)) throw explainOpening(error, file);
    const { part = "", line = 1, message } = error;
    yield { line: log.number({ part, line }), reason: message, isEnd: true };
  }
}

/** Checks the entries of one dump in turn; what is no item is noted in the log, or undefined. */
function makeEntryCheck(
  vocabulary: Vocabulary,
  { manner, firstCounts = false }: Authority,
  log: DumpLog,
): (entry: DumpEntry) => TermLine | Unreadable | undefined {
  const seen = new SeenIds();
  const leaveOut = (what: string): void => log.leaveOut(what);
  return (entry) => {
    if ("release" in entry) return void log.release(entry.release);
    if ("leftOut" in entry) return void log.leaveOut(entry.leftOut, entry.count);
    const line = log.number(entry);
    if ("reason" in entry) return { line, reason: entry.reason, ...(entry.isEnd ? { isEnd: true } : {}) };
    if ("redirect" in entry) {
      const { redirect: id, to } = entry;
      if (hasIdForm(vocabulary, id)) return { line, redirect: { id, to } };
      return { line, reason: `the id "${id}" does not have the form ${vocabulary.idPattern}` };
    }
    const { patch, alone, reasons } = checkPatch(vocabulary, declaredOnly(vocabulary, entry.item, leaveOut));
    if (patch === undefined) return { line, reason: joinReasons(reasons) };
    const before = seen.add(patch.id, line);
    if (before === undefined) {
      return { line, patch: withManner(patch, manner), ...(alone === undefined ? {} : { alone }) };
    }
    if (firstCounts) return void log.leaveOut("entries of an id that came before");
    const { part, line: other } = placeOf(before, log.report().stretches);
    return { line, reason: `"${patch.id}" is already on line ${other}${part === undefined ? "" : ` of ${part}`}` };
  };
}

const withManner = (patch: TermPatch, manner: Authority["manner"]): TermPatch =>
  manner === undefined ? patch : { ...patch, manner };
