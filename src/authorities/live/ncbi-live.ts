import { type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { LiveItem } from "../../ports/authorities.js";
import { objectAt, textAt, textsAt } from "../dump-documents.js";
import {
  bareId,
  type GetJson,
  type Introduction,
  type LiveSource,
  MISSING,
  NOTHING,
  parseCount,
  parseObject,
  WrongAnswer,
} from "./live-source.js";

/**
 * NCBI's E-utilities on the taxonomy: `esummary` by id, and `esearch` for a text, whose ids are then summarised. A
 * summary has the scientific name, the common name and the rank, and for a merged id its replacement (`status`
 * "merged", `akataxid`). It does not have the parent of a taxon, which only dumps have. Without a key three requests
 * per second are allowed, and clients must identify themselves (`tool`, `email`).
 * @see https://www.ncbi.nlm.nih.gov/books/NBK25497/, https://www.ncbi.nlm.nih.gov/books/NBK25499/
 */
export const ncbiLive: LiveSource = {
  name: "ncbi",
  title: "NCBI Taxonomy",
  // NCBI's ids are 32-bit integers.
  ids: /^taxid:[1-9]\d{0,8}$/,
  perSecond: 3,
  async find(get, id, us) {
    const taxid = bareId(id);
    const result = await readSummaries(get, [taxid], us);
    const target = findMergeTarget(result, taxid);
    if (target === undefined) return readItem(result, taxid);
    // A merged id has no name of its own.
    return makeMergedItem(id, readItem(await readSummaries(get, [target], us), target));
  },
  async search(get, text, page, us) {
    const parameters = { term: text, retmax: LIMITS.lookupPageSize, retstart: (page - 1) * LIMITS.lookupPageSize };
    const answer = objectAt(parseObject(await ask(get, "esearch", parameters, us)), "esearchresult");
    // A text without any known word is answered with an error in place of a number.
    if (textAt(answer, "ERROR") !== undefined) return NOTHING;
    const total = parseCount(own(answer, "count"), "count");
    const ids = textsAt(answer, "idlist");
    if (ids.length === 0) return { items: [], total };
    const result = await readSummaries(get, ids, us);
    const items = ids.flatMap((foundId) => {
      const summary = readItem(result, foundId);
      return summary.kind === "found" ? [summary.item] : [];
    });
    return { items, total };
  },
};

const ask = (get: GetJson, tool: string, query: Readonly<Record<string, string | number>>, { email }: Introduction) =>
  get(["entrez", "eutils", `${tool}.fcgi`], {
    db: "taxonomy",
    retmode: "json",
    ...query,
    tool: "bindery",
    ...(email === "" ? {} : { email }),
  });

/** Returns summaries by id. */
async function readSummaries(get: GetJson, ids: readonly string[], us: Introduction): Promise<JsonObject> {
  const answer = parseObject(await ask(get, "esummary", { id: ids.join(",") }, us));
  const result = own(answer, "result");
  if (result === undefined) throw new WrongAnswer('an answer of esummary has a "result"');
  return objectAt(answer, "result");
}

/** Returns the taxon into which a taxon was merged. */
function findMergeTarget(result: JsonObject, taxid: string): string | undefined {
  const taxon = objectAt(result, taxid);
  const target = textAt(taxon, "akataxid");
  return textAt(taxon, "status") === "merged" && target !== undefined && target !== "0" ? target : undefined;
}

function readItem(result: JsonObject, taxid: string): LiveItem {
  const taxon = objectAt(result, taxid);
  const [status, name] = [textAt(taxon, "status"), textAt(taxon, "scientificname")];
  if (textAt(taxon, "error") !== undefined || (status !== undefined && status !== "active")) return MISSING;
  if (name === undefined) throw new WrongAnswer(`the summary of taxon ${taxid} has no scientific name`);
  const commonName = textAt(taxon, "commonname");
  const item = {
    id: `taxid:${textAt(taxon, "taxid") ?? taxid}`,
    title: { en: name },
    synonyms: commonName === undefined || commonName === name ? [] : [{ name: commonName, kind: "common name" }],
    props: { rank: textAt(taxon, "rank") ?? null },
    status: "active",
    replaced_by: null,
  };
  return { kind: "found", item };
}

/** Returns the item of a merged id, which redirects to the other taxon. */
function makeMergedItem(id: string, target: LiveItem): LiveItem {
  if (target.kind === "missing") return MISSING;
  const { id: replaced_by, title } = target.item;
  const item = { id, title: title!, synonyms: [], props: {}, status: "deprecated", replaced_by: replaced_by! };
  return { kind: "found", item };
}
