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
import { readAhead } from "./read-ahead.js";
import { makeLineCheck } from "./read-import.js";

type Refusal = ImportSummary["refused"][number];

/** Reasons beyond these are only counted: memory has a bound, and nobody reads more. */
const REFUSALS_MAX = 100_000;

/**
 * Loads a file of items into a vocabulary. A refused item refuses the file (then nothing is loaded, and `refused` has
 * all reasons), unless `skipRefused`.
 * @throws PARAMETER_INVALID where the file cannot be read to its end and `skipRefused` would hide that
 */
export function makeImportTerms(deps: Deps): ImportOperatorServices["importTerms"] {
  const { store, catalog, runWrite } = deps;
  return async ({ vocabulary: name, file, skipRefused, mode = "merge", dryRun = false, onProgress }) => {
    findVocabulary(catalog, name);
    const source = { kind: "terms", file, vocabulary: name, isPatch: mode === "merge" } as const;
    const refusals = makeRefusals();
    const items = async function* (): AsyncGenerator<TermLine> {
      for await (const read of readAhead(deps, source, onProgress)) {
        if (!("reason" in read)) {
          yield read;
          continue;
        }
        const { line, reason, isEnd } = read;
        refusals.add({ line, reason });
        if (isEnd && skipRefused) throw unreadable(file, line, reason);
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
