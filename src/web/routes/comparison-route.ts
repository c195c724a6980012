import type { FastifyInstance } from "fastify";
import { describeRecord } from "../../core/citable/describe-record.js";
import { BinderyError } from "../../core/errors.js";
import { recordsPart, termsPart } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import { type StoredRecord, storedBody } from "../../core/record.js";
import { beginningOf } from "../../core/records/beginning.js";
import type { Query } from "../../http/parameters/query-string.js";
import {
  addPage,
  leaveLargePage,
  type Move,
  type PageOptions,
  type PageRequest,
  type PageSources,
} from "../answers/page-route.js";
import { comparePage, type MissingRecord } from "../pages/compare-page.js";
import type { PageView } from "../parts/frame.js";
import { compareRecords } from "../views/compare-view.js";
import { compoundsOf, picturesOf } from "../views/compounds.js";
import { address } from "../views/paths.js";
import { sectionsOf } from "../views/record-sections.js";
import { WORDS } from "../words/page-en.js";
import { findStructures } from "./structures.js";

/** As many as stand side by side on a screen. */
const RECORDS_MAX = 6;

/**
 * Records or versions side by side: `ids` once for each, or with blanks between them. The boxes of a search are named
 * `sel`, as what its address keeps: without scripts they are sent here as they are.
 */
export function addComparePage(app: FastifyInstance, options: PageOptions): void {
  addPage(app, options, { url: "/compare", isSearch: true, make: (request) => makeComparison(options, request) });
}

/** The page of a comparison. */
export async function makeComparison(
  { services, catalog, fieldsOf }: PageSources,
  request: PageRequest,
): Promise<PageView | Move> {
  const { actor, query } = request;
  const ticked = idsIn(query, "sel");
  if (ticked.length > 0) return { status: 302, to: address("compare", [["ids", ticked.join(",")]]) };
  const named = idsIn(query, "ids");
  const [ids, leftOut] = [named.slice(0, RECORDS_MAX), named.slice(RECORDS_MAX)];
  const read: StoredRecord[] = [];
  const missing: MissingRecord[] = [];
  for (const id of ids) {
    const record = await services.readRecord(actor, { id }).catch((error: unknown) => missingOf(id, error));
    if ("json" in record) read.push(record);
    else missing.push(record);
    leaveLargePage("comparison", request, read);
  }
  const limits = {
    values: Math.floor(LIMITS.comparedValuesMax / ids.length),
    textLength: LIMITS.listTextLengthMax,
  };
  const records = read.map((record) => {
    const model = catalog.models.get(record.model)!;
    const whole = storedBody(record);
    const body = { ...whole, ...beginningOf(whole.metadata, limits) };
    const rest = { name: "rest", title: WORDS.record.rest };
    const compared = {
      sections: sectionsOf(body.metadata, model, fieldsOf(model), { rest }),
      units: model.units,
    };
    return { head: describeRecord(body, model), compounds: compoundsOf(body, model), compared, isCut: body.isCut };
  });
  const structures = await findStructures(
    services,
    catalog,
    records.flatMap(({ compounds }) => compounds),
  );
  const page = comparePage({
    ids,
    records: records.map(({ head: { id, title, version, model }, compounds }) => ({
      ...{ id, title, version, model: model.name },
      pictures: picturesOf(compounds, structures),
    })),
    isCut: records.some(({ isCut }) => isCut),
    ...{ missing, leftOut },
    sections: compareRecords(records.map(({ compared }) => compared)),
  });
  return { ...page, parts: [recordsPart(), termsPart()] };
}

/** Each once. */
function idsIn(query: Query, name: string): readonly string[] {
  const sent = (query.get(name) ?? []).flatMap((text) => text.split(/[\s,]+/)).filter((id) => id !== "");
  return [...new Set(sent.map((id) => id.toLowerCase()))];
}

/** Returns the entry for a missing or retracted record, which the page names. @throws any other error */
function missingOf(id: string, error: unknown): MissingRecord {
  if (error instanceof BinderyError && error.status === 404) return { id, isRetracted: false };
  if (error instanceof BinderyError && error.status === 410) return { id, isRetracted: true };
  throw error;
}
