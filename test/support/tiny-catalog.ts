/**
 * A small catalog with every shape that matters: a list of objects in a list of objects, numbers (one with a value for
 * "not known"), quantities, dates, booleans, lists of texts, a cited term at record level and one in a list, a
 * reference, a hierarchy and aliases. Built by hand: what reads declarations is tested elsewhere.
 */

import {
  buildPathTree,
  derivedLeaf,
  markQuantities,
  moleculeLeaves,
  namedLeaf,
} from "../../src/core/catalog/places.js";
import type {
  Catalog,
  Leaf,
  LeafType,
  Model,
  NamedQuantity,
  Vocabulary,
  WeightClass,
} from "../../src/core/catalog/types.js";
import { Problems, parseYamlDeclaration } from "../../src/core/declarations/declaration.js";
import type { JsonObject } from "../../src/core/json.js";
import type { RecordBody } from "../../src/core/record.js";
import { parseQuantityExpression } from "../../src/core/units/quantity-expressions.js";
import { compileUnits, type Units } from "../../src/core/units/units.js";

type LeafRow = readonly [path: string, type: LeafType, weight?: WeightClass, notKnown?: number];

const FIXED: readonly LeafRow[] = [
  ["id", "keyword"],
  ["model", "keyword"],
  ["state", "keyword"],
  ["created", "date"],
  ["updated", "date"],
  ["parent.id", "keyword"],
];

const METADATA: readonly LeafRow[] = [
  ["title", "keyword", "title"],
  ["depositor.name", "keyword", "heavy"],
  ["depositor.identifiers", "keyword", "heavy"],
  ["keywords", "keyword"],
  ["measured", "date"],
  ["ph", "number", "rest", -1],
  ["is_calibrated", "keyword"],
  ["organism.id", "keyword"],
  ["organism.title.en", "keyword"],
  ["organism.title.de", "keyword"],
  ["organism.rank", "keyword"],
  ["organism.synonyms", "keyword"],
  ["samples.id", "keyword"],
  ["samples.name", "keyword"],
  ["samples.concentration.value", "number"],
  ["samples.concentration.unit", "keyword"],
  ["samples.prepared", "date"],
  ["samples.source.id", "keyword"],
  ["samples.source.title.en", "keyword"],
  ["samples.source.title.de", "keyword"],
  ["samples.source.rank", "keyword"],
  ["samples.source.synonyms", "keyword"],
  ["samples.steps.name", "keyword"],
  ["samples.steps.duration", "number"],
  ["samples.steps.tags", "keyword"],
  ["results.type", "keyword"],
  ["results.value", "number"],
  ["results.unit", "keyword"],
  ["results.sample.id", "keyword"],
  ["results.sample.name", "keyword"],
];

const ELEMENTS = ["metadata.samples", "metadata.samples.steps", "metadata.results"];

const nearestElement = (path: string): string =>
  ELEMENTS.filter((element) => path.startsWith(`${element}.`)).sort((a, b) => b.length - a.length)[0] ?? "";

const leaf = ([path, type, weight = "rest", notKnown]: LeafRow): [string, Leaf] => [
  path,
  { path, type, weight, elementPath: nearestElement(path), ...(notKnown === undefined ? {} : { notKnown }) },
];

/** As in every model: records and parents are found by their whole ids. */
const wholeId = ([path, made]: [string, Leaf]): [string, Leaf] =>
  path === "id" || path === "parent.id" ? [path, { ...made, isWhole: true }] : [path, made];

const UNITS = `
molarity:
  title: Molarity
  canonical: M
  units: { M: { factor: 1, synonyms: [molar] }, mM: { factor: 1e-3 }, µM: { factor: 1e-6 }, nM: { factor: 1e-9 } }
molarity_squared:
  title: Molarity to the power of 2
  canonical: M^2
  units: { M^2: { factor: 1 }, nM^2: { factor: 1e-18 } }
per_molarity:
  title: Reciprocal of a molarity
  canonical: M^-1
  units: { M^-1: { factor: 1 }, µM^-1: { factor: 1e6 } }
association_rate:
  title: Rate of association
  canonical: M^-1 s^-1
  units: { M^-1 s^-1: { factor: 1 }, µM^-1 s^-1: { factor: 1e6 } }
temperature:
  title: Temperature
  canonical: K
  units: { K: { factor: 1 }, °C: { factor: 1, offset: 273.15, synonyms: [degC] } }
duration:
  title: Duration
  canonical: s
  units: { s: { factor: 1 }, min: { factor: 60 } }
dimensionless:
  title: Number
  canonical: unitless
  bare: true
  units: { unitless: { factor: 1 }, "%": { factor: 0.01 } }
`;

function tinyUnits(): Units {
  const problems = new Problems();
  const declaration = parseYamlDeclaration("units.yaml", UNITS, problems);
  const units = compileUnits(declaration === undefined ? [] : [declaration], problems);
  if (problems.list.length > 0) throw new Error(JSON.stringify(problems.list));
  return units;
}

/** A few of the units of the built-in catalog. */
export const TINY_UNITS = tinyUnits();

const named = (name: string, type: string, dimensions: readonly string[]): NamedQuantity => {
  const path = "metadata.results";
  return { name, path, where: new Map([["type", type]]), value: "value", leaf: namedLeaf(path, name, dimensions) };
};

/** A quantity that is derived by an expression where results of the same sample do not state it. */
function derived(quantity: NamedQuantity, text: string): NamedQuantity {
  const parsed = parseQuantityExpression(text, TINY_UNITS);
  if ("mistake" in parsed) throw new Error(parsed.mistake);
  const { path, name, leaf: at } = quantity;
  const sources = [{ expression: parsed.expression, conditions: [] }];
  return { ...quantity, derivation: { sources, above: 0, leaf: derivedLeaf(path, name, at.quantity.dimensions) } };
}

const QUANTITIES = [
  derived(named("kd", "KD", ["molarity", "molarity_squared"]), "1 / ka"),
  named("ka", "KA", ["per_molarity"]),
  named("kon", "kOn", ["association_rate"]),
  named("hill", "Hill", ["dimensionless"]),
];

const QUANTITY_NAMES = [
  ...QUANTITIES.map(({ name, leaf: at, derivation }) => {
    const morePaths = derivation === undefined ? undefined : [derivation.leaf.path];
    return { name, path: at.path, morePaths, dimensions: at.quantity.dimensions };
  }),
  { name: "concentration", path: "metadata.samples.concentration", dimensions: ["molarity"] },
];

/** Results of the same sample belong together. */
const RESULTS = { path: "metadata.results", kind: "type", value: "value", unit: "unit", error: "error", of: "sample" };

/** Samples are molecules: their ids are in `codes`, in the cited source, and in the codes of steps. */
const MOLECULES = {
  name: "molecule",
  path: "metadata.samples",
  ids: [{ path: "codes" }, { path: "source", vocabulary: "species" }, { path: "steps.codes" }],
  ...moleculeLeaves("metadata.samples", "molecule"),
};

const MOLECULE_NAME = { name: "molecule", path: MOLECULES.leaf.path, morePaths: [MOLECULES.otherLeaf.path] };

const SHORT_NAMES = { title: "metadata.title", organism: "metadata.organism", depositor: "metadata.depositor" };

/** @param name of the model; two models of the same shape are told apart by it */
export function tinyModel(name = "tiny", changes: Partial<Omit<Model, "places">> = {}): Model {
  const rows = METADATA.map(([path, ...rest]): LeafRow => [`metadata.${path}`, ...rest]);
  const model: Omit<Model, "places"> = {
    name,
    title: `Model ${name}`,
    shortTitle: name.toUpperCase(),
    description: "A small model for tests.",
    version: 1,
    schema: { type: "object" },
    roots: ["metadata."],
    leaves: markQuantities(new Map([...FIXED.map(leaf).map(wholeId), ...rows.map(leaf)]), () => []),
    elementPaths: ELEMENTS,
    termSites: [
      { path: "metadata.organism", vocabulary: "species", fields: ["rank"] },
      { path: "metadata.samples.source", vocabulary: "species", fields: ["rank"] },
    ],
    references: [{ path: "metadata.results.sample", to: "metadata.samples", fields: ["name"] }],
    expected: new Map(),
    fields: new Map(
      [
        ...Object.entries(SHORT_NAMES).map(([short, path]) => ({ name: short, path })),
        ...QUANTITY_NAMES,
        MOLECULE_NAME,
      ].map((field) => [field.name, field]),
    ),
    quantities: QUANTITIES,
    molecules: MOLECULES,
    units: TINY_UNITS,
    facets: [
      { name: "organism", label: "Organism", path: "metadata.organism.id", kind: "terms", vocabulary: "species" },
      { name: "keyword", label: "Keyword", path: "metadata.keywords", kind: "terms" },
      { name: "state", label: "State", path: "state", kind: "terms" },
    ],
    describe: { roles: new Map(), summary: [], results: RESULTS },
    page: {
      hit: [],
      columns: [],
      facets: [],
      filters: [],
      structures: [],
      examples: [],
      sections: [],
      tables: new Map(),
      sentences: new Map(),
      words: new Map(),
      checks: [],
    },
    ...changes,
  };
  return { ...model, places: buildPathTree(model) };
}

const ITEM: readonly LeafRow[] = [
  ["id", "keyword"],
  ["title.en", "keyword", "title"],
  ["title.de", "keyword", "title"],
  ["synonyms", "keyword", "heavy"],
  ["parent", "keyword"],
  ["status", "keyword"],
  ["props.rank", "keyword"],
  ["props.genome_size", "number"],
  ["props.codes", "keyword"],
];

/** A hierarchy with ids like `sp:562`; `eco` is an alias of `sp:562`; `props.codes` identify an item too. */
export function tinyVocabulary(name = "species", changes: Partial<Vocabulary> = {}): Vocabulary {
  return {
    name,
    title: "Species",
    description: "A small vocabulary for tests.",
    idPattern: "sp:[0-9]+",
    idPrefixes: ["sp"],
    identifiers: ["codes"],
    aliases: new Map([["eco", "sp:562"]]),
    languages: ["en", "de"],
    props: [
      { name: "rank", title: "Rank", type: "text" },
      { name: "genome_size", title: "Size of the genome", type: "number" },
      { name: "codes", title: "Codes", type: "list" },
    ],
    hierarchy: true,
    units: TINY_UNITS,
    extensible: false,
    prior: { prop: "rank", order: ["species", "genus"], synonyms: true },
    facets: [{ name: "rank", label: "Rank", path: "props.rank", kind: "terms" }],
    leaves: new Map(ITEM.map(leaf)),
    ...changes,
  };
}

/** One model `tiny` and one vocabulary `species`. */
export function tinyCatalog(changes: Partial<Catalog> = {}): Catalog {
  return {
    models: new Map([["tiny", tinyModel()]]),
    vocabularies: new Map([["species", tinyVocabulary()]]),
    ...changes,
  };
}

/** A published record of the model `tiny` with this metadata. */
export function tinyRecord(id: string, metadata: JsonObject, changes: Partial<RecordBody> = {}): RecordBody {
  return {
    id,
    model: "tiny",
    created: "2026-11-21T10:00:00.123456+00:00",
    updated: "2026-11-21T11:00:00.000000+00:00",
    revision_id: 1,
    state: "published",
    is_draft: false,
    is_published: true,
    parent: { id: `${id}-parent`, owner: { user: "1" } },
    versions: { index: 1, is_latest: true, is_latest_draft: true },
    files: { enabled: false },
    metadata,
    ...changes,
  };
}
