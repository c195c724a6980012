import type { LiveAuthorityName } from "../../core/background.js";
import { own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { objectAt, objectsAt } from "../dump-documents.js";
import { project } from "../openaire.js";
import {
  bareId,
  type LiveSource,
  MISSING,
  NO_PLACE,
  parseCount,
  parseObject,
  requireItem,
  selectItems,
} from "./live-source.js";
import { ncbiLive } from "./ncbi-live.js";
import { pubchemLive } from "./pubchem-live.js";
import { rorLive } from "./ror-live.js";

/**
 * The Graph API of OpenAIRE, version 1: `/graph/v1/projects?id=` and `?search=&page=&pageSize=`, which answer
 * `{"header": {"numFound": ...}, "results": [...]}` with projects as in dumps. Without a token 60 requests per hour are
 * allowed; further ones are answered with 429.
 * @see https://graph.openaire.eu/docs/apis/graph-api/
 */
const openaireLive: LiveSource = {
  name: "openaire",
  title: "OpenAIRE",
  ids: /^oa:[A-Za-z0-9_]{12}::[0-9a-f]{32}$/,
  perSecond: 5,
  async find(get, id) {
    const answer = parseObject(await get(["graph", "v1", "projects"], { id: bareId(id) }));
    if (parseCount(own(objectAt(answer, "header"), "numFound"), "numFound") === 0) return MISSING;
    const [record] = objectsAt(answer, "results");
    return record === undefined ? MISSING : { kind: "found", item: requireItem(project(record, NO_PLACE)) };
  },
  async search(get, text, page) {
    const parameters = { search: text, page, pageSize: LIMITS.lookupPageSize };
    const answer = parseObject(await get(["graph", "v1", "projects"], parameters));
    const total = parseCount(own(objectAt(answer, "header"), "numFound"), "numFound");
    return { items: selectItems(objectsAt(answer, "results").map((record) => project(record, NO_PLACE))), total };
  },
};

/** The sources of all authorities for live look-ups. */
export const LIVE_SOURCES: Readonly<Record<LiveAuthorityName, LiveSource>> = {
  ror: rorLive,
  openaire: openaireLive,
  pubchem: pubchemLive,
  ncbi: ncbiLive,
};
