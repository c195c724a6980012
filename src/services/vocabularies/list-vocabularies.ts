import type { VocabularyHit, VocabularyServices } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";

/** All vocabularies, alphabetical by name. */
export function makeListVocabularies({ store, catalog }: Deps): VocabularyServices["listVocabularies"] {
  return async () => {
    const hits: VocabularyHit[] = [];
    for (const vocabulary of catalog.vocabularies.values()) {
      hits.push({
        id: vocabulary.name,
        title: vocabulary.title,
        description: vocabulary.description,
        ...(vocabulary.authority === undefined ? {} : { authority: vocabulary.authority }),
        count: await store.terms.count(vocabulary.name),
        id_pattern: vocabulary.idPattern,
        extensible: vocabulary.extensible,
      });
    }
    return hits;
  };
}
