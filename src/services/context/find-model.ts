import type { Catalog, Model, Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import type { Authority } from "../../ports/authorities.js";
import { badParameter } from "../input/issues.js";

/** Returns a model. @throws MODEL_NOT_FOUND */
export function findModel(catalog: Catalog, name: string): Model {
  const model = catalog.models.get(name);
  if (model === undefined) throw fail("MODEL_NOT_FOUND", { model: name, known: [...catalog.models.keys()] });
  return model;
}

/** Returns a vocabulary. @throws VOCABULARY_NOT_FOUND */
export function findVocabulary(catalog: Pick<Catalog, "vocabularies">, name: string): Vocabulary {
  const vocabulary = catalog.vocabularies.get(name);
  if (vocabulary === undefined) {
    throw fail("VOCABULARY_NOT_FOUND", { vocabulary: name, known: [...catalog.vocabularies.keys()] });
  }
  return vocabulary;
}

/** Returns an authority. @throws PARAMETER_INVALID listing all authorities */
export function findAuthority(authorities: ReadonlyMap<string, Authority>, name: string): Authority {
  const authority = authorities.get(name);
  if (authority !== undefined) return authority;
  const names = [...authorities.keys()];
  throw badParameter("authority", `There is no authority "${name}"; those are ${names.join(", ")}.`, name, names);
}
