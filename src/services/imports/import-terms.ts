import { OPERATOR } from "../../core/actor.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent } from "../../core/term.js";
import type { FileDocument } from "../../formats/documents.js";
import type { LoadSummary, TermLine } from "../../ports/store.js";
import type { ImportOperatorServices, ImportSummary } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import type { RunWrite } from "../context/run-write.js";
import { badParameter } from "../input/issues.js";
import { openImport } from "../input/open-import.js";
import { checkPatch } from "../rules/check-patch.js";
import { checkTerm } from "../rules/check-term.js";
import { SeenIds } from "./seen-ids.js";

type Refusal = ImportSummary["refused"][number];

/** Reasons beyond these are only counted: memory has a bound, and nobody reads more. */
const REFUSALS_MAX = 100_000;

/**
 * Loads a file of items into a vocabulary. A refused item refuses the file (then nothing is loaded, and `refused` has
 * all reasons), unless `skipRefused`.
 * @throws PARAMETER_INVALID where the file cannot be read to its end and `skipRefused` would hide that
 */
export function makeImportTerms({ store, catalog, runWrite }: Deps): ImportOperatorServices["importTerms"] {
  return async ({ vocabulary: name, file, skipRefused, mode = "merge", dryRun = false, onProgress }) => {
    const vocabulary = findVocabulary(catalog, name);
    const refusals = makeRefusals();
    const items = async function* (): AsyncGenerator<TermLine> {
      const check = makeLineCheck(vocabulary, mode === "merge");
      for await (const document of openImport(file, onProgress)) {
        const line = check(document);
        if (!("reason" in line)) {
          yield line;
          continue;
        }
        refusals.add({ line: document.line, reason: line.reason });
        if ("isEnd" in document && skipRefused) throw unreadable(file, document.line, line.reason);
      }
    };
    const summary = await store.loadTerms(name, items(), {
      addsOnly: mode === "add",
      dryRun,
      refuse: (line, reason) => refusals.add({ line, reason }),
      isWanted: () => skipRefused || refusals.count() === 0,
    });
    const refused = refusals.list();
    if (refused.length > 0 && !skipRefused && !dryRun) {
      return { ...summary, ...NOTHING_LOADED, refused };
    }
    if (!dryRun) await noteLoad(runWrite, name, summary);
    return { ...summary, refused };
  };
}

const NOTHING_LOADED: LoadSummary = {
  new: 0,
  changed: 0,
  unchanged: 0,
  lost: { parent: 0, synonyms: 0, title: {}, props: {} },
  examples: [],
};

/** Notes that a file was loaded, where it changed anything. */
export async function noteLoad(runWrite: RunWrite, vocabulary: string, counts: LoadSummary): Promise<void> {
  if (counts.new + counts.changed === 0) return;
  await runWrite({ actor: OPERATOR }, (_, note) => note({ action: "term.import", kind: "term", place: vocabulary }));
}

function unreadable(file: string, line: number, reason: string): Error {
  return badParameter("file", `${file} cannot be read to its end (line ${line}: ${reason}); nothing was loaded.`, file);
}

/** Checks the documents of one file in turn: each is the whole of an item. */
export function makeTermCheck(vocabulary: Vocabulary): (document: FileDocument) => TermContent | { reason: string } {
  const check = makeLineCheck(vocabulary, false);
  return (document) => {
    const line = check(document);
    return "content" in line ? line.content : { reason: "reason" in line ? line.reason : "" };
  };
}

function makeLineCheck(
  vocabulary: Vocabulary,
  isPatch: boolean,
): (document: FileDocument) => TermLine | { reason: string } {
  const seen = new SeenIds();
  return (document) => {
    if ("reason" in document) return { reason: document.reason };
    const { line, value } = document;
    const read = isPatch ? checkPatch(vocabulary, value) : checkTerm(vocabulary, value);
    if (read.reasons !== undefined) return { reason: read.reasons.join("; ") };
    const { id } = "patch" in read ? read.patch : read.content;
    const before = seen.add(id, line);
    if (before !== undefined) return { reason: `"${id}" is already on line ${before}` };
    return "patch" in read ? { line, patch: read.patch } : { line, content: read.content };
  };
}

function makeRefusals(): { add(refusal: Refusal): void; count(): number; list(): readonly Refusal[] } {
  const kept: Refusal[] = [];
  let count = 0;
  return {
    add: (refusal) => {
      count++;
      if (kept.length < REFUSALS_MAX) kept.push(refusal);
    },
    count: () => count,
    list: () => {
      const inOrder = kept.toSorted((a, b) => a.line - b.line);
      if (count <= kept.length) return inOrder;
      return [...inOrder, { line: inOrder.at(-1)!.line, reason: `and ${count - kept.length} more` }];
    },
  };
}
