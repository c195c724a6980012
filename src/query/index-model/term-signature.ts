import { createHash } from "node:crypto";
import type { Vocabulary } from "../../core/catalog/types.js";
import { ANALYSIS_VERSION } from "../text/analyse.js";

/** What the rows of items are made by beside their contents: where it differs from now, they have to be made again. */
export function termSignature(vocabulary: Vocabulary): string {
  const { languages, identifiers, prior, hierarchy } = vocabulary;
  const leaves = [...vocabulary.leaves.values()];
  const units = leaves.some(({ quantity }) => quantity !== undefined) ? [...vocabulary.units.units.values()] : [];
  const facets = vocabulary.facets.map((facet) => facet.path);
  const declared = JSON.stringify([ANALYSIS_VERSION, languages, identifiers, prior, hierarchy, leaves, units, facets]);
  return createHash("sha256").update(declared).digest("hex").slice(0, 16);
}
