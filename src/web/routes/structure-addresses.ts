import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { Services } from "../../services/use-cases.js";
import { type Compound, compoundKey, picturesOf, type Structures } from "../views/compounds.js";
import type { HitView } from "../views/hit-view.js";
import { structurePath } from "../views/term-view.js";

/** Returns the addresses of the drawings of terms, by compound key. A replaced term has its own drawing. */
export async function findStructures(
  services: Pick<Services, "fetchExactTerms">,
  { vocabularies }: Catalog,
  compounds: readonly Pick<Compound, "vocabulary" | "id">[],
): Promise<Structures> {
  const addresses = new Map<string, string>();
  const addAddresses = async (vocabulary: Vocabulary): Promise<void> => {
    const { name, structure } = vocabulary;
    if (structure === undefined) return;
    const ids = [...new Set(compounds.flatMap((each) => (each.vocabulary === name ? [each.id] : [])))];
    for (let from = 0; from < ids.length; from += LIMITS.idsMax) {
      for (const { id, json } of await services.fetchExactTerms(name, ids.slice(from, from + LIMITS.idsMax))) {
        const at = structurePath(vocabulary, id, json);
        if (at !== undefined) addresses.set(compoundKey({ vocabulary: name, id }), at);
      }
    }
  };
  await Promise.all([...vocabularies.values()].map(addAddresses));
  return addresses;
}

/** Returns hits with the pictures of their compounds. */
export async function addPictures(
  services: Pick<Services, "fetchExactTerms">,
  catalog: Catalog,
  hits: readonly HitView[],
): Promise<readonly HitView[]> {
  const structures = await findStructures(
    services,
    catalog,
    hits.flatMap(({ compounds }) => compounds),
  );
  return hits.map((hit) => ({ ...hit, pictures: picturesOf(hit.compounds, structures) }));
}
