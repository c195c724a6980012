import type { LoadedDump } from "../../ports/loads.js";
import { isStale } from "../../query/index-model/stale-citations.js";
import type { VocabularyHit, VocabularyServices, VocabularySource } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";
import { emptyIfUnavailable } from "../context/no-hits.js";

/** All vocabularies, alphabetical by name. */
export function makeListVocabularies({
  store,
  index,
  catalog,
  authorities,
  live,
}: Deps): VocabularyServices["listVocabularies"] {
  const countStale = async (...vocabularies: readonly string[]): Promise<number | undefined> => {
    const scope = { kind: "public", models: [...catalog.models.keys()] } as const;
    const asked = { clause: isStale(vocabularies), scope, facets: [], sort: "newest" } as const;
    return (await index.searchRecords({ ...asked, page: { offset: 0, limit: 0 } }).catch(emptyIfUnavailable)).total;
  };
  return async () => {
    const dumps = await store.dumps.list();
    // Most of the time there are none at all.
    const allStale = await countStale(...catalog.vocabularies.keys());
    const hits: VocabularyHit[] = [];
    for (const vocabulary of catalog.vocabularies.values()) {
      const loaded = dumps.filter((dump) => dump.vocabulary === vocabulary.name);
      const stale = allStale === 0 ? 0 : allStale && (await countStale(vocabulary.name));
      hits.push({
        id: vocabulary.name,
        title: vocabulary.title,
        description: vocabulary.description,
        ...(vocabulary.authority === undefined ? {} : { authority: vocabulary.authority }),
        count: await store.terms.count(vocabulary.name),
        ...(stale === undefined ? {} : { stale }),
        id_pattern: vocabulary.idPattern,
        extensible: vocabulary.extensible,
        ...(live.has(vocabulary.authority ?? "") ? { lookup: vocabulary.authority! } : {}),
        ...(loaded.length === 0 ? {} : { sources: loaded.map((dump) => sourceOf(dump, authorities)) }),
      });
    }
    return hits;
  };
}

function sourceOf(
  { authority, release, file, sha256, loaded }: LoadedDump,
  authorities: Deps["authorities"],
): VocabularySource {
  // One that a later version of the program no longer reads still was loaded.
  const { title = authority, url = "", licence = "" } = authorities.get(authority) ?? {};
  return { authority, title, url, licence, ...(release === undefined ? {} : { release }), file, sha256, loaded };
}
