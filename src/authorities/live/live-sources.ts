import type { LiveAuthorityName } from "../../core/background.js";
import type { LiveSource } from "./live-source.js";
import { ncbiLive } from "./ncbi-live.js";
import { openaireLive } from "./openaire-live.js";
import { pubchemLive } from "./pubchem-live.js";
import { rorLive } from "./ror-live.js";

/** How each authority is asked. */
export const LIVE_SOURCES: Readonly<Record<LiveAuthorityName, LiveSource>> = {
  ror: rorLive,
  openaire: openaireLive,
  pubchem: pubchemLive,
  ncbi: ncbiLive,
};
