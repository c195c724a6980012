import { own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { objectAt, objectsAt } from "../dump-documents.js";
import { project } from "../openaire.js";
import { bareId, countIn, itemOf, itemsOf, type LiveSource, MISSING, NO_PLACE, objectIn } from "./live-source.js";

/**
 * The Graph API of OpenAIRE, version 1: `/graph/v1/projects?id=` and `?search=&page=&pageSize=`, which answer
 * `{"header": {"numFound": ...}, "results": [...]}` with projects as dumps have them. Whoever shows no token may ask 60
 * times an hour; it answers 429 then.
 * @see https://graph.openaire.eu/docs/apis/graph-api/
 */
export const openaireLive: LiveSource = {
  name: "openaire",
  title: "OpenAIRE",
  ids: /^oa:[A-Za-z0-9_]{12}::[0-9a-f]{32}$/,
  perSecond: 5,
  async find(get, id) {
    const answer = objectIn(await get(["graph", "v1", "projects"], { id: bareId(id) }));
    if (countIn(own(objectAt(answer, "header"), "numFound"), "numFound") === 0) return MISSING;
    const [record] = objectsAt(answer, "results");
    return record === undefined ? MISSING : { kind: "found", item: itemOf(project(record, NO_PLACE)) };
  },
  async search(get, text, page) {
    const asked = { search: text, page, pageSize: LIMITS.lookupPageSize };
    const answer = objectIn(await get(["graph", "v1", "projects"], asked));
    const total = countIn(own(objectAt(answer, "header"), "numFound"), "numFound");
    return { items: itemsOf(objectsAt(answer, "results").map((record) => project(record, NO_PLACE))), total };
  },
};
