import type { Authority } from "../ports/authorities.js";
import { chebi } from "./chebi.js";
import { iso639 } from "./iso639.js";
import { ncbi } from "./ncbi.js";
import { openaire } from "./openaire.js";
import { pubchem } from "./pubchem.js";
import { ror } from "./ror.js";

/** All authorities whose dumps are read, by name. */
export const AUTHORITIES: ReadonlyMap<string, Authority> = new Map(
  [chebi, iso639, ncbi, openaire, pubchem, ror].map((authority) => [authority.name, authority]),
);
