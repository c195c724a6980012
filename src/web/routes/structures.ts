import type { Catalog } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { Services } from "../../services/api/services.js";
import { type Compound, compoundKey, picturesOf, type Structures } from "../views/compounds.js";
import type { HitView } from "../views/hit-view.js";
import { structurePath } from "../views/term-view.js";

type Asked = Pick<Compound, "vocabulary" | "id">;

/** Where the pictures of these terms are: one read of each vocabulary, however many records cite them. */
export async function findStructures(
  services: Pick<Services, "fetchTerms">,
  { vocabularies }: Catalog,
  compounds: readonly Asked[],
): Promise<Structures> {
  const found = new Map<string, string>();
  for (const vocabulary of vocabularies.values()) {
    const { name, structure } = vocabulary;
    if (structure === undefined) continue;
    const ids = [...new Set(compounds.flatMap((each) => (each.vocabulary === name ? [each.id] : [])))];
    for (let from = 0; from < ids.length; from += LIMITS.idsMax) {
      const { hits } = await services.fetchTerms(name, ids.slice(from, from + LIMITS.idsMax));
      for (const { id, json } of hits) {
        const at = structurePath(vocabulary, id, json);
        if (at !== undefined) found.set(compoundKey({ vocabulary: name, id }), at);
      }
    }
  }
  return found;
}

/** Hits with the pictures of their compounds. */
export async function drawHits(
  services: Pick<Services, "fetchTerms">,
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
