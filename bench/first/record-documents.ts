/** Documents of records for somebody who searches OpenSearch directly: the record, and the fields that are searched. */

import { binKeys } from "../../src/core/catalog/facet-kinds/histogram.js";
import { valuesAt } from "../../src/core/citable/values-at.js";
import { isObject, type Json, type JsonObject } from "../../src/core/json.js";
import { analyse } from "../../src/query/text/analyse.js";

/** Settings of an index. Normalizers sort titles as the service does. */
export const ANALYSIS: JsonObject = {
  normalizer: { folded: { type: "custom", filter: ["lowercase"] } },
};

/** A field of `wordsOf` texts. */
export const TEXT = { type: "text", analyzer: "whitespace" };

/** Returns the words of the service, separated by blanks: with other words the same query would have other hits. */
export const wordsOf = (text: string): string => analyse(text).join(" ");
export const KEYWORD = { type: "keyword" };

/** Facets of texts: where these are below the metadata. */
const TEXTS = {
  access_rights: "general_parameters.record_information.access_rights",
  affiliation: "general_parameters.depositors.depositor.affiliations.id",
  country: "general_parameters.depositors.depositor.affiliations.country",
  grant: "general_parameters.funding_references.id",
  funder: "general_parameters.funding_references.funder_name",
  technique: "general_parameters.technique",
  instrument: "general_parameters.instrument.id",
  manufacturer: "general_parameters.instrument.manufacturer",
  entity_type: "general_parameters.entities_of_interest.type",
  chemical: "general_parameters.chemical_environments.constituents.basic_information.id",
  solvent: "general_parameters.chemical_environments.solvent.basic_information.id",
  result_type: "general_parameters.results.type",
  experiment_type: "method_specific_parameters.experiment_type",
} as const;

/** Facets of years. */
const DATES = {
  year: "general_parameters.record_information.deposition_date",
  collected: "general_parameters.collection_start_time",
} as const;

const TITLE = "general_parameters.record_information.title";
const RESULTS = "general_parameters.results";
const PH = "general_parameters.chemical_environments.ph";
const ORGANISMS = "general_parameters.entities_of_interest.source_organism.id";
const PROTOCOL = "general_parameters.entities_of_interest.components.modifications.chemical.protocol";

/** Mappings of the index of records. */
export const RECORD_MAPPINGS: JsonObject = {
  dynamic: false,
  _source: { includes: ["record"] },
  properties: {
    record: { type: "object", enabled: false },
    created: { type: "date_nanos" },
    text: TEXT,
    title: TEXT,
    protocol: { type: "nested", properties: { name: TEXT, description: TEXT } },
    organism: KEYWORD,
    ...eachOf(TEXTS, () => KEYWORD),
    ...eachOf(DATES, () => ({ type: "date" })),
    ph: { type: "double" },
    kd: { type: "double" },
  },
};

/** Aggregation of each facet. Its buckets have the keys of the service. */
export const FACETS: Readonly<Record<string, JsonObject>> = {
  ...eachOf(TEXTS, (field) => ({ terms: { field, size: 20 } })),
  // All of them: whoever shows a tree leaves some out.
  organism: { terms: { field: "organism", size: 1_000 } },
  ...eachOf(DATES, (field) => ({
    date_histogram: { field, calendar_interval: "year", format: "yyyy", min_doc_count: 1 },
  })),
  ph: rangesOf("ph", [4, 5, 6, 7, 8, 9, 10]),
  kd: rangesOf("kd", [1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2]),
};

function eachOf(fields: Readonly<Record<string, string>>, make: (name: string) => JsonObject): JsonObject & Facets {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, make(name)]));
}
type Facets = Readonly<Record<string, JsonObject>>;

function rangesOf(field: string, edges: readonly number[]): JsonObject {
  const keys = binKeys(edges);
  const ends = (bin: number): JsonObject => ({
    ...(bin === 0 ? {} : { from: edges[bin - 1]! }),
    ...(bin === edges.length ? {} : { to: edges[bin]! }),
  });
  return { range: { field, ranges: keys.map((key, bin) => ({ key, ...ends(bin) })) } };
}

const KD = "Constant of dissociation KD";
const MOLAR: Readonly<Record<string, number>> = { nM: 1e-9, µM: 1e-6, mM: 1e-3 };

/** Converts a concentration to M, rounded to twelve digits: 10 nM and 0.01 µM are equal. */
export function toMolar(value: number, unit: string): number {
  return Number((value * MOLAR[unit]!).toPrecision(12));
}

/** @param withAncestors the id of an organism, and those of all above it */
export async function recordDocument(
  record: JsonObject & { readonly metadata: JsonObject },
  withAncestors: (id: string) => Promise<readonly string[]>,
): Promise<JsonObject> {
  const { metadata } = record;
  const at = (path: string): readonly Json[] => valuesAt(metadata, path);
  const organisms = await Promise.all(at(ORGANISMS).map((id) => withAncestors(String(id))));
  return {
    record,
    created: record.created!,
    // One value for each text, as they are apart in the service too: no phrase reaches from one into the next.
    text: textsOf(metadata).map(wordsOf),
    title: at(TITLE).map((title) => wordsOf(String(title))),
    protocol: at(PROTOCOL).map(wordsOfProtocol),
    organism: [...new Set(organisms.flat())],
    ...Object.fromEntries(Object.entries({ ...TEXTS, ...DATES }).map(([name, path]) => [name, at(path)])),
    ph: at(PH),
    kd: at(RESULTS).flatMap((result) =>
      isObject(result) && result.type === KD ? [toMolar(Number(result.value), String(result.unit))] : [],
    ),
  };
}

/** @param step a step of a protocol */
function wordsOfProtocol(step: Json): Json {
  const { name = "", description = "" } = step as { readonly name?: string; readonly description?: string };
  return { name: wordsOf(name), description: wordsOf(description) };
}

/** All but the versions of cited terms, which are no text in the service either. */
function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (name === "@v" ? [] : textsOf(each)));
}
