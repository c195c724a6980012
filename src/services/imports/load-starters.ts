import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent, Titles } from "../../core/term.js";
import { readDocuments } from "../../formats/read-documents.js";
import type { TermReader } from "../../ports/store.js";
import type { ImportOperatorServices } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { makeTermCheck, noteLoad } from "./import-terms.js";

/**
 * Loads the starter items of vocabularies that never had any: an id that was deleted is remembered for ever, so a
 * vocabulary that somebody emptied stays empty.
 * @throws Error naming file, line and reason of a starter item that is wrong
 */
export function makeLoadStarters({ store, catalog, runWrite }: Deps): ImportOperatorServices["loadStarters"] {
  return async () => {
    for (const vocabulary of catalog.vocabularies.values()) {
      if (vocabulary.starterFile === undefined || (await store.terms.count(vocabulary.name)) > 0) continue;
      const starters = await readStarters(vocabulary, vocabulary.starterFile);
      if (starters.length === 0 || (await wasLoaded(store.terms, vocabulary, starters))) continue;
      await noteLoad(runWrite, vocabulary.name, await store.loadTerms(vocabulary.name, each(starters)));
    }
  };
}

/** Reads the titles of the starter terms of a vocabulary, by id. @throws Error as `makeLoadStarters` says */
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
