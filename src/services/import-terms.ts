import { OPERATOR } from "../core/actor.js";
import type { Vocabulary } from "../core/catalog/types.js";
import type { TermContent } from "../core/term.js";
import type { FileDocument } from "../formats/documents.js";
import type { LoadSummary } from "../ports/store.js";
import type { Deps } from "./deps.js";
import { findVocabulary } from "./find-model.js";
import { badParameter } from "./issues.js";
import { openImport } from "./open-import.js";
import type { RunWrite } from "./run-write.js";
import { SeenIds } from "./seen-ids.js";
import type { ImportSummary, OperatorServices } from "./services.js";
import { checkTerm } from "./validate/check-term.js";

type Refusal = ImportSummary["refused"][number];

/** Reasons beyond these are only counted: memory has a bound, and nobody reads more. */
const REFUSALS_MAX = 100_000;

/**
 * Loads a file of items into a vocabulary. A refused item refuses the file (then nothing is loaded, and `refused` has
 * all reasons), unless `skipRefused`.
 * @throws PARAMETER_INVALID where the file cannot be read to its end and `skipRefused` would hide that
 */
export function makeImportTerms({ store, catalog, runWrite }: Deps): OperatorServices["importTerms"] {
  return async ({ vocabulary: name, file, skipRefused, onProgress }) => {
    const vocabulary = findVocabulary(catalog, name);
    const refusals = makeRefusals();
    let isRefused = false;
    const contents = async function* (): AsyncGenerator<TermContent> {
      const check = makeTermCheck(vocabulary);
      for await (const document of openImport(file, onProgress)) {
        const content = check(document);
        if (!("reason" in content)) {
          if (skipRefused || refusals.count() === 0) yield content;
          continue;
        }
        refusals.add({ line: document.line, reason: content.reason });
        if ("isEnd" in document && skipRefused) throw unreadable(file, document.line, content.reason);
      }
      isRefused = refusals.count() > 0 && !skipRefused;
      // The only way to tell the store that nothing is to be loaded after all.
      if (isRefused) throw new Error(`${file} is refused.`);
    };
    try {
      const counts = await store.loadTerms(name, contents());
      await noteLoad(runWrite, name, counts);
      return { ...counts, refused: refusals.list() };
    } catch (error) {
      if (!isRefused) throw error;
      return { new: 0, changed: 0, unchanged: 0, refused: refusals.list() };
    }
  };
}

/** Notes that a file was loaded, where it changed anything. */
export async function noteLoad(runWrite: RunWrite, vocabulary: string, counts: LoadSummary): Promise<void> {
  if (counts.new + counts.changed === 0) return;
  await runWrite({ actor: OPERATOR }, (_, note) => note({ action: "term.import", kind: "term", place: vocabulary }));
}

function unreadable(file: string, line: number, reason: string): Error {
  return badParameter("file", `${file} cannot be read to its end (line ${line}: ${reason}); nothing was loaded.`, file);
}

/** Checks the documents of one file in turn. */
export function makeTermCheck(vocabulary: Vocabulary): (document: FileDocument) => TermContent | { reason: string } {
  const seen = new SeenIds();
  return (document) => {
    if ("reason" in document) return { reason: document.reason };
    const { content, reasons } = checkTerm(vocabulary, document.value);
    if (reasons !== undefined) return { reason: reasons.join("; ") };
    const before = seen.add(content.id, document.line);
    return before === undefined ? content : { reason: `"${content.id}" stands on line ${before} already` };
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
      if (count <= kept.length) return kept;
      return [...kept, { line: kept.at(-1)!.line, reason: `and ${count - kept.length} more after this line` }];
    },
  };
}
