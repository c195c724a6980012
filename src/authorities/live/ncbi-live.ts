import { type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { LiveItem } from "../../ports/live-authorities.js";
import { objectAt, textAt, textsAt } from "../dump-documents.js";
import {
  bareId,
  countIn,
  type GetJson,
  type Introduction,
  type LiveSource,
  MISSING,
  NOTHING,
  objectIn,
  WrongAnswer,
} from "./live-source.js";

/**
 * E-utilities of NCBI on the taxonomy: `esummary` by id, and `esearch` for a text, whose ids are then summarised. A
 * summary has the scientific name, the common name and the rank, and says of a merged id which one replaced it
 * (`status` "merged", `akataxid`). It does not say what a taxon is a part of: only a dump does. Whoever shows no key
 * may ask three times a second, and is asked to say who it is (`tool`, `email`).
 * @see https://www.ncbi.nlm.nih.gov/books/NBK25497/, https://www.ncbi.nlm.nih.gov/books/NBK25499/
 */
export const ncbiLive: LiveSource = {
  name: "ncbi",
  title: "NCBI Taxonomy",
  // Larger numbers are no 32-bit integers, which is what NCBI has.
  ids: /^taxid:[1-9]\d{0,8}$/,
  perSecond: 3,
  async find(get, id, us) {
    const taxid = bareId(id);
    const result = await summaries(get, [taxid], us);
    const into = mergedInto(result, taxid);
    if (into === undefined) return itemIn(result, taxid);
    // A merged id has no name of its own any more.
    return mergedItem(id, itemIn(await summaries(get, [into], us), into));
  },
  async search(get, text, page, us) {
    const asked = { term: text, retmax: LIMITS.lookupPageSize, retstart: (page - 1) * LIMITS.lookupPageSize };
    const answer = objectAt(objectIn(await ask(get, "esearch", asked, us)), "esearchresult");
    // A text in which it finds no word is answered with an error in place of a number.
    if (textAt(answer, "ERROR") !== undefined) return NOTHING;
    const total = countIn(own(answer, "count"), "count");
    const ids = textsAt(answer, "idlist");
    if (ids.length === 0) return { items: [], total };
    const result = await summaries(get, ids, us);
    const items = ids.flatMap((each) => {
      const found = itemIn(result, each);
      return found.kind === "found" ? [found.item] : [];
    });
    return { items, total };
  },
};

const ask = (get: GetJson, tool: string, query: Readonly<Record<string, string | number>>, { email }: Introduction) =>
  get(["entrez", "eutils", `${tool}.fcgi`], {
    ...{ db: "taxonomy", retmode: "json", ...query, tool: "bindery" },
    ...(email === "" ? {} : { email }),
  });

/** By id. */
async function summaries(get: GetJson, ids: readonly string[], us: Introduction): Promise<JsonObject> {
  const answer = objectIn(await ask(get, "esummary", { id: ids.join(",") }, us));
  const result = own(answer, "result");
  if (result === undefined) throw new WrongAnswer('an answer of esummary has a "result"');
  return objectAt(answer, "result");
}

/** The taxon that a merged one became a part of. */
function mergedInto(result: JsonObject, taxid: string): string | undefined {
  const taxon = objectAt(result, taxid);
  const into = textAt(taxon, "akataxid");
  return textAt(taxon, "status") === "merged" && into !== undefined && into !== "0" ? into : undefined;
}

function itemIn(result: JsonObject, taxid: string): LiveItem {
  const taxon = objectAt(result, taxid);
  const [status, name] = [textAt(taxon, "status"), textAt(taxon, "scientificname")];
  if (textAt(taxon, "error") !== undefined || (status !== undefined && status !== "active")) return MISSING;
  if (name === undefined) throw new WrongAnswer(`the summary of taxon ${taxid} has no scientific name`);
  const common = textAt(taxon, "commonname");
  const item = {
    id: `taxid:${textAt(taxon, "taxid") ?? taxid}`,
    title: { en: name },
    synonyms: common === undefined || common === name ? [] : [{ name: common, kind: "common name" }],
    props: { rank: textAt(taxon, "rank") ?? null },
    status: "active",
    replaced_by: null,
  };
  return { kind: "found", item };
}

/** A merged id stays known, and leads to the taxon that it was merged into. */
function mergedItem(id: string, target: LiveItem): LiveItem {
  if (target.kind === "missing") return MISSING;
  const { id: replaced_by, title } = target.item;
  const item = { id, title: title!, synonyms: [], props: {}, status: "deprecated", replaced_by: replaced_by! };
  return { kind: "found", item };
}
