import { type JsonObject, own } from "../core/json.js";
import { LIMITS } from "../core/limits.js";
import { DumpError } from "../formats/dumps/dump-file.js";
import { readDump } from "../formats/dumps/read-dump.js";
import type { Authority, DumpEntry, DumpOptions, DumpPlace } from "../ports/authorities.js";
import { documentEntries, objectAt, objectsAt, textAt } from "./dump-documents.js";
import {
  bareId,
  type LiveSource,
  MISSING_TERM,
  NO_PLACE,
  parseCount,
  parseObject,
  requireTerm,
  selectTerms,
} from "./live/live-source.js";

/** Prefix of ids in some dumps, which is the kind of the entity: `40|corda__h2020::...`. */
const KIND = /^\d\d\|/;

/** Files of a dump: `project.tar` has `project/part-00000.json.gz` and so on. Some end in `.txt`. */
const DOCUMENTS = /\.(json|jsonl|ndjson|txt)$|(^|\/)part-[^/]*$/i;

/**
 * Projects of the OpenAIRE Graph: JSON lines, gzipped or not, or a tar of such parts. Both spellings are read:
 * `funding` with `funding_stream` (dumps up to 2021), and `fundings` with `fundingStream`.
 * @see https://graph.openaire.eu/docs/data-model/entities/project
 */
export const openaire: Authority = {
  name: "openaire",
  title: "OpenAIRE Graph, projects",
  url: "https://doi.org/10.5281/zenodo.3516917",
  licence: "CC BY 4.0",
  vocabulary: "grants",
  takes: "project.tar of a dump, or its parts: JSON lines, gzipped or not, or a folder of them",
  dumps: [{ name: /^projects?([._-].*)?\.(tar|ndjson|jsonl|json)(\.gz)?$/ }],
  passes: 1,
  read: readProjects,
};

async function* readProjects(path: string, { onProgress }: DumpOptions): AsyncGenerator<readonly DumpEntry[]> {
  let files = 0;
  for await (const file of readDump(path, onProgress)) {
    if (!DOCUMENTS.test(file.name)) continue;
    files += 1;
    yield* documentEntries(file, ({ line, value }) => [project(value, { part: file.name, line })]);
  }
  if (files === 0) throw new DumpError("there is no file of JSON lines in it; the projects of a dump are project.tar");
}

/** Maps a project of a dump or of an answer of the API. */
export function project(record: JsonObject, place: DumpPlace): DumpEntry {
  const id = textAt(record, "id")?.replace(KIND, "");
  if (id === undefined) return { ...place, reason: '"id" is missing; is this a file of OpenAIRE projects?' };
  const [acronym, code] = [textAt(record, "acronym"), textAt(record, "code")];
  const title = textAt(record, "title") ?? acronym ?? code;
  if (title === undefined) return { ...place, reason: `${id} has neither a title nor an acronym nor a code` };
  const fundings = own(record, "fundings") === undefined ? "funding" : "fundings";
  const funders = objectsAt(record, fundings).flatMap(
    (funding) => textAt(funding, "name") ?? textAt(funding, "shortName") ?? [],
  );
  const item = {
    id: `oa:${id}`,
    title: { en: title },
    synonyms: acronym === undefined || acronym === title ? [] : [{ name: acronym, kind: "acronym" }],
    props: { funder_name: funders[0] ?? null, grant_id: code ?? null },
    status: "active",
    replaced_by: null,
  };
  return { ...place, item };
}

/**
 * The Graph API of OpenAIRE, version 1: `/graph/v1/projects?id=` and `?search=&page=&pageSize=`, which answer
 * `{"header": {"numFound": ...}, "results": [...]}` with projects as in dumps. Without a token 60 requests per hour are
 * allowed; further ones are answered with 429.
 * @see https://graph.openaire.eu/docs/apis/graph-api/
 */
export const openaireLive: LiveSource = {
  name: "openaire",
  title: "OpenAIRE",
  ids: /^oa:[A-Za-z0-9_]{12}::[0-9a-f]{32}$/,
  perSecond: 5,
  async find(get, id) {
    const answer = parseObject(await get(["graph", "v1", "projects"], { id: bareId(id) }));
    if (parseCount(own(objectAt(answer, "header"), "numFound"), "numFound") === 0) return MISSING_TERM;
    const [record] = objectsAt(answer, "results");
    return record === undefined ? MISSING_TERM : { kind: "found", item: requireTerm(project(record, NO_PLACE)) };
  },
  async search(get, text, page) {
    const parameters = { search: text, page, pageSize: LIMITS.lookupPageSize };
    const answer = parseObject(await get(["graph", "v1", "projects"], parameters));
    const total = parseCount(own(objectAt(answer, "header"), "numFound"), "numFound");
    return { items: selectTerms(objectsAt(answer, "results").map((record) => project(record, NO_PLACE))), total };
  },
};
