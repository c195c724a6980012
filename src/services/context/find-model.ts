import type { Catalog, Model, Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";

/** @throws MODEL_NOT_FOUND */
export function findModel(catalog: Catalog, name: string): Model {
  const model = catalog.models.get(name);
  if (model === undefined) throw fail("MODEL_NOT_FOUND", { model: name, known: [...catalog.models.keys()] });
  return model;
}

/** @throws VOCABULARY_NOT_FOUND */
export function findVocabulary(catalog: Catalog, name: string): Vocabulary {
  const vocabulary = catalog.vocabularies.get(name);
  if (vocabulary === undefined) {
    throw fail("VOCABULARY_NOT_FOUND", { vocabulary: name, known: [...catalog.vocabularies.keys()] });
  }
  return vocabulary;
}
