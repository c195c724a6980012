import type { LiveAuthorityName } from "../core/background.js";
import type { Authority } from "../ports/authorities.js";
import { chebi } from "./chebi.js";
import { iso639 } from "./iso639.js";
import type { LiveSource } from "./live/live-source.js";
import { ncbi, ncbiLive } from "./ncbi.js";
import { openaire, openaireLive } from "./openaire.js";
import { pubchem, pubchemLive } from "./pubchem.js";
import { ror, rorLive } from "./ror.js";

/** All authorities whose dumps are read, by name. */
export const AUTHORITIES: ReadonlyMap<string, Authority> = new Map(
  [chebi, iso639, ncbi, openaire, pubchem, ror].map((authority) => [authority.name, authority]),
);

/** The sources of all authorities for live look-ups. */
export const LIVE_SOURCES: Readonly<Record<LiveAuthorityName, LiveSource>> = {
  ror: rorLive,
  openaire: openaireLive,
  pubchem: pubchemLive,
  ncbi: ncbiLive,
};
