import type { FastifyInstance } from "fastify";
import { describeRecord } from "../../core/citable/describe-record.js";
import { BinderyError } from "../../core/errors.js";
import { recordsPart, termsPart } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import { type RecordBody, storedBody } from "../../core/record.js";
import { beginningOf } from "../../core/records/beginning.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import {
  addPage,
  leaveLargePage,
  type PageOptions,
  type PageRedirect,
  type PageRequest,
  type PageSources,
} from "../answers/page-route.js";
import { comparePage, type MissingRecord } from "../pages/compare-page.js";
import type { PageView } from "../parts/frame.js";
import { summaryOf } from "../views/compare-summary.js";
import { compareRecords } from "../views/compare-view.js";
import { compoundsOf, picturesOf } from "../views/compounds.js";
import { factsOfRecord } from "../views/hit-view.js";
import { address } from "../views/page-addresses.js";
import { recordItem, sectionsOf } from "../views/record-sections.js";
import { contentOf } from "../views/section-content.js";
import { WORDS } from "../words/page-en.js";
import { findStructures } from "./structure-addresses.js";

/** Maximum number of compared records, limited by the width of a screen. */
const RECORDS_MAX = 6;
/** Maximum number of listed records that are not compared. */
const LEFT_OUT_MAX = 50;

/**
 * Adds the comparison of records or versions. `ids` is repeated, or its values are separated by commas or blanks. The
 * boxes of a search page are called `sel`; without scripts, its form sends them to this page, which redirects.
 */
export function addComparePage(app: FastifyInstance, options: PageOptions): void {
  addPage(app, options, { url: "/compare", isSearch: true, make: (request) => makeComparisonPage(options, request) });
}

/** Makes the page that compares some records. */
export async function makeComparisonPage(
  { services, catalog, fieldsOf }: PageSources,
  request: PageRequest,
): Promise<PageView | PageRedirect> {
  const { actor, query } = request;
  const selectedIds = idsIn(query, "sel");
  if (selectedIds.length > 0) return { status: 302, to: address("compare", [["ids", selectedIds.join(",")]]) };
  const allIds = idsIn(query, "ids");
  const [ids, leftOut] = [allIds.slice(0, RECORDS_MAX), allIds.slice(RECORDS_MAX, RECORDS_MAX + LEFT_OUT_MAX)];
  const read = (id: string) =>
    services.readRecord(actor, { id }).catch((error: unknown): MissingRecord => missingOf(id, error));
  const found = await Promise.all(ids.map(read));
  const storedRecords = found.filter((each) => "json" in each);
  const missing = found.filter((each) => "isRetracted" in each);
  leaveLargePage("comparison", request, storedRecords);
  const limits = {
    values: Math.floor(LIMITS.comparedValuesMax / ids.length),
    textLength: LIMITS.listTextLengthMax,
  };
  const bodies = olderFirst(storedRecords.map(storedBody));
  const records = bodies.map((whole) => comparedRecord(whole, { catalog, fieldsOf }, limits));
  const structures = await findStructures(
    services,
    catalog,
    records.flatMap(({ compounds }) => compounds),
  );
  const page = comparePage({
    ids,
    records: records.map(({ head: { id, title, version, created, model }, compounds }) => ({
      id,
      title,
      version,
      created,
      model: model.name,
      modelTitle: model.shortTitle,
      pictures: picturesOf(compounds, structures),
    })),
    isCut: records.some(({ isCut }) => isCut),
    missing,
    leftOut,
    leftOutCount: Math.max(0, allIds.length - RECORDS_MAX),
    summary: summaryOf(
      records.map(({ summed }) => summed),
      WORDS.compare.molecule,
    ),
    sections: compareRecords(records.map((each) => each.comparedRecord)),
  });
  return { ...page, parameters: ["ids", "sel"], parts: [recordsPart(), termsPart()] };
}

/** Reads a record for a comparison. @param limits of what is read of it */
function comparedRecord(
  whole: RecordBody,
  { catalog, fieldsOf }: Pick<PageSources, "catalog" | "fieldsOf">,
  limits: Parameters<typeof beginningOf>[1],
) {
  const { vocabularies } = catalog;
  const model = catalog.models.get(whole.model)!;
  const body = { ...whole, ...beginningOf(whole.metadata, limits) };
  const rest = { name: "rest", title: WORDS.record.rest };
  const sectionsAndUnits = {
    sections: sectionsOf(recordItem(body.metadata, model, fieldsOf(model), { vocabularies }), model, rest),
    units: model.units,
  };
  const written = recordItem(body.metadata, model, fieldsOf(model), { vocabularies, writing: "words" });
  const summed = {
    metadata: body.metadata,
    model,
    facts: factsOfRecord(body, model, vocabularies),
    // The summary shows only lines and the cards of molecules.
    sections: sectionsOf(written, model, undefined)
      .filter(({ declaration }) => declaration?.as === "line" || declaration?.as === "cards")
      .map((section) => ({ title: section.title, content: contentOf(section, model) })),
  };
  return {
    head: describeRecord(body, model),
    compounds: compoundsOf(body, model),
    comparedRecord: sectionsAndUnits,
    summed,
    isCut: body.isCut,
  };
}

/** Returns records with the versions of one record side by side, the older ones first. */
function olderFirst(bodies: readonly RecordBody[]): readonly RecordBody[] {
  const parents = [...new Set(bodies.map(({ parent }) => parent.id))];
  return parents.flatMap((id) =>
    bodies.filter(({ parent }) => parent.id === id).toSorted((a, b) => a.versions.index - b.versions.index),
  );
}

/** Returns the distinct ids in a parameter. */
function idsIn(query: Query, name: string): readonly string[] {
  const ids = (query.get(name) ?? []).flatMap((text) => text.split(/[\s,]+/)).filter((id) => id !== "");
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

/** Returns the entry for a missing or retracted record, which the page names. @throws any other error */
function missingOf(id: string, error: unknown): MissingRecord {
  if (error instanceof BinderyError && error.status === 404) return { id, isRetracted: false };
  if (error instanceof BinderyError && error.status === 410) return { id, isRetracted: true };
  throw error;
}
