import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent, Titles } from "../../core/term.js";
import type { FileDocument } from "../../formats/documents.js";
import { readDocuments } from "../../formats/read-documents.js";
import type { TermReader } from "../../ports/store.js";
import type { ImportSummary, TermImport } from "../api/imports.js";
import { findVocabulary } from "../context/find-model.js";
import { operatorUseCase } from "../context/use-case.js";
import { badParameter } from "../input/issues.js";
import { makeLineCheck } from "./check-lines.js";
import { importEntry, loadSource } from "./load-source.js";

/** Default name of the source of a file. */
const DEFAULT_SOURCE = "import";

const SOURCE_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Loads a file of terms into a vocabulary. If a term is refused, nothing is loaded and `refused` has all reasons,
 * unless `skipRefused` is set.
 * @throws PARAMETER_INVALID if the file cannot be read to its end and `skipRefused` would hide that */
export const importTerms = operatorUseCase(
  (deps) =>
    async ({
      vocabulary: name,
      file,
      mode = "merge",
      source: from = DEFAULT_SOURCE,
      onProgress,
      ...options
    }: TermImport): Promise<ImportSummary> => {
      findVocabulary(deps.catalog, name);
      if (!SOURCE_NAME.test(from)) {
        throw badParameter("source", "A source has a name of letters, digits and ._-, at most 64.", from);
      }
      const source = { kind: "terms", file, vocabulary: name, isPatch: mode === "merge" } as const;
      const onRead = ({ bytesRead }: { readonly bytesRead: number }): void => onProgress?.(bytesRead);
      const { summary } = await loadSource(deps, source, {
        ...options,
        source: from,
        addsOnly: mode === "add",
        refusesOtherIds: true,
        onRead,
      });
      return summary;
    },
);

/** Returns a function that checks the documents of one file, each of which is a complete term. */
export function makeTermCheck(vocabulary: Vocabulary): (document: FileDocument) => TermContent | { reason: string } {
  const check = makeLineCheck(vocabulary, false);
  return (document) => {
    const line = check(document);
    return "content" in line ? line.content : { reason: "reason" in line ? line.reason : "" };
  };
}

/**
 * Loads the starter terms of vocabularies that never had any terms. The store remembers deleted ids, so a vocabulary
 * whose terms were all deleted stays empty.
 * @throws Error naming file, line and reason of an invalid starter term
 */
export const loadStarters = operatorUseCase(({ store, catalog }) => async (): Promise<void> => {
  for (const vocabulary of catalog.vocabularies.values()) {
    if (vocabulary.starterFile === undefined || (await store.terms.count(vocabulary.name)) > 0) continue;
    const starters = await readStarters(vocabulary, vocabulary.starterFile);
    if (starters.length === 0 || (await wasLoaded(store.terms, vocabulary, starters))) continue;
    await store.loadTerms(vocabulary.name, each(starters), { auditEntry: importEntry(vocabulary.name) });
  }
});

/** Reads the titles of the starter terms of a vocabulary, by id. @throws Error like `loadStarters` */
export async function readStarterTitles(vocabulary: Vocabulary): Promise<ReadonlyMap<string, Titles>> {
  const { starterFile } = vocabulary;
  const starters = starterFile === undefined ? [] : await readStarters(vocabulary, starterFile);
  return new Map(starters.map(({ id, title }) => [id, title]));
}

async function readStarters(vocabulary: Vocabulary, file: string): Promise<readonly TermContent[]> {
  const check = makeTermCheck(vocabulary);
  const starters: TermContent[] = [];
  for await (const document of readDocuments(file)) {
    const content = check(document);
    if ("reason" in content) throw new Error(`${file}:${document.line}: ${content.reason}`);
    starters.push(content);
  }
  return starters;
}

async function wasLoaded(terms: TermReader, { name }: Vocabulary, starters: readonly TermContent[]): Promise<boolean> {
  for (const { id } of starters) {
    if ((await terms.get(name, id)) !== undefined) return true;
  }
  return false;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
