import { OPERATOR } from "../../core/actor.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent } from "../../core/term.js";
import type { FileDocument } from "../../formats/documents.js";
import type { LoadSummary } from "../../ports/store.js";
import type { ImportOperatorServices } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import type { RunWrite } from "../context/run-write.js";
import { badParameter } from "../input/issues.js";
import { makeLineCheck } from "./check-lines.js";
import { loadSource } from "./load-source.js";

/** What files are called whose source nobody names. */
const FILES = "import";

const SOURCE_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Loads a file of items into a vocabulary. A refused item refuses the file (then nothing is loaded, and `refused` has
 * all reasons), unless `skipRefused`.
 * @throws PARAMETER_INVALID where the file cannot be read to its end and `skipRefused` would hide that
 */
export function makeImportTerms(deps: Deps): ImportOperatorServices["importTerms"] {
  return async ({ vocabulary: name, file, mode = "merge", source: from = FILES, onProgress, ...options }) => {
    findVocabulary(deps.catalog, name);
    if (!SOURCE_NAME.test(from)) {
      throw badParameter("source", "A source has a name of letters, digits and ._-, at most 64.", from);
    }
    const source = { kind: "terms", file, vocabulary: name, isPatch: mode === "merge" } as const;
    const onRead = ({ bytesRead }: { readonly bytesRead: number }): void => onProgress?.(bytesRead);
    const { summary, isLoaded } = await loadSource(deps, source, {
      ...options,
      ...{ source: from, addsOnly: mode === "add", refusesOtherIds: true, onRead },
    });
    if (isLoaded) await noteLoad(deps.runWrite, name, summary);
    return summary;
  };
}

/** Notes that a file was loaded, where it changed anything. */
export async function noteLoad(runWrite: RunWrite, vocabulary: string, counts: LoadSummary): Promise<void> {
  if (counts.new + counts.changed === 0) return;
  await runWrite({ actor: OPERATOR }, (_, note) => note({ action: "term.import", kind: "term", place: vocabulary }));
}

/** Checks the documents of one file in turn: each is the whole of an item. */
export function makeTermCheck(vocabulary: Vocabulary): (document: FileDocument) => TermContent | { reason: string } {
  const check = makeLineCheck(vocabulary, false);
  return (document) => {
    const line = check(document);
    return "content" in line ? line.content : { reason: "reason" in line ? line.reason : "" };
  };
}
