import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Scale } from "../../src/core/catalog/facet-kinds/facet-kind.js";
import { buildPathTree } from "../../src/core/catalog/places.js";
import type { Catalog, Facet, Leaf, Model, WeightClass } from "../../src/core/catalog/types.js";
import type { JsonObject } from "../../src/core/json.js";
import type { RecordBody } from "../../src/core/record.js";
import type { TermContent } from "../../src/core/term.js";
import type { ValueSort } from "../../src/ports/search-index.js";
import { recordLeaves } from "../../src/query/index-model/record-leaves.js";
import { builtInCatalog } from "../support/catalog.js";
import { contractCatalog, tinyRecord } from "../support/engines/engine-under-test.js";
import { item } from "../support/engines/term-fixtures.js";
import { metadataOf } from "../support/model-metadata.js";
import { modelNames } from "../support/model-names.js";
import { arbitraryPastedQuery, WRITTEN_IDS } from "../support/pasted-queries.js";
import {
  arbitraryMetadata,
  type FieldNames,
  TINY_NAMES,
  TINY_PARENTS,
  tinyNames,
  WORDS,
} from "../support/query-arbitraries.js";
import { seeded } from "../support/random.js";
import { withFacets } from "../support/with-facets.js";

/** A facet that the catalog declares, with keys that a caller may select. */
export interface FacetChoice {
  readonly facet: Facet;
  readonly keys: readonly string[];
}

/** What engines are compared over. */
export interface Setting {
  readonly name: string;
  readonly catalog: Catalog;
  readonly names: FieldNames;
  /** The vocabulary with a hierarchy that records cite, and its items. */
  readonly vocabulary: string;
  readonly items: readonly TermContent[];
  readonly contents: readonly Content[];
  readonly facets: readonly FacetChoice[];
  readonly sorts: readonly ValueSort[];
  /** Texts of queries; absent: queries are trees only. */
  readonly texts?: fc.Arbitrary<string>;
}

/** What a record says, whatever becomes of it. */
export type Content = Pick<RecordBody, "model" | "metadata">;

const TINY_FACETS: readonly FacetChoice[] = [
  terms("organism", "metadata.organism.id", ["sp:562", "sp:7", "no"]),
  terms("keyword", "metadata.keywords", ["a", "lysozyme", "TNFα"]),
  terms("state", "state", ["draft", "published"]),
  terms("sample", "metadata.samples.name", ["a b", "7"]),
  {
    facet: { name: "tree", label: "Tree", kind: "tree", vocabulary: "species", path: "metadata.organism.id" },
    keys: ["sp:543", "sp:562", "sp:99", "no"],
  },
  {
    facet: { name: "measured", label: "Measured", kind: "year", path: "metadata.measured" },
    keys: ["2024", "1969", "20x4", "2024-02..2024-06", "..2020"],
  },
  bins("ph", "metadata.ph", [0, 2.5, 7, 10]),
  bins("value", "metadata.results.value", [-1, 0, 1e10]),
  steps("spread", "metadata.results.value", "linear"),
  steps("growth", "metadata.results.value", "log"),
  steps("any_number", "metadata.results.value", "linear", ["metadata.ph", "metadata.no.such.path"]),
];

function terms(name: string, path: string, keys: readonly string[]): FacetChoice {
  return { facet: { name, label: name, kind: "terms", path }, keys };
}

function bins(name: string, path: string, edges: readonly number[]): FacetChoice {
  const keys = [`..${edges[0]}`, `${edges[0]}..${edges[1]}`, `${edges.at(-1)}..`, "7", "1..2", `..${edges.at(-1)}`];
  return { facet: { name, label: name, kind: "histogram", scale: "linear", edges, path }, keys };
}

/** Without edges of its own. */
function steps(name: string, path: string, scale: Scale, morePaths: readonly string[] = []): FacetChoice {
  return { facet: { name, label: name, kind: "histogram", scale, path, morePaths }, keys: ["0..7", "..1e-8", "7.."] };
}

/** Those that the models declare without edges, each over all places where any of them has such numbers. */
function declaredSteps({ models }: Catalog): readonly FacetChoice[] {
  const facets = [...models.values()].flatMap((model) => model.facets);
  const names = new Set(facets.flatMap((facet) => (facet.kind === "histogram" && !facet.edges ? [facet.name] : [])));
  return [...names].map((name) => {
    const ofName = facets.filter((facet) => facet.name === name);
    const [path, ...more] = new Set(ofName.flatMap((facet) => [facet.path, ...(facet.morePaths ?? [])]));
    const [first] = ofName;
    return steps(name, path!, first?.kind === "histogram" ? first.scale : "linear", more);
  });
}

/** Values in elements weigh differently, and in each model otherwise. */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, WeightClass>>>> = {
  other: { "metadata.samples.name": "title", "metadata.samples.steps.name": "heavy" },
  tiny: { "metadata.samples.source.title.en": "heavy", "metadata.samples.steps.tags": "title" },
};

function weighted(model: Model): Model {
  const leaves = [...model.leaves].map(([path, leaf]): [string, Leaf] => {
    const weight = WEIGHTS[model.name]?.[path] ?? leaf.weight;
    return [path, { ...leaf, weight }];
  });
  const changed = { ...model, leaves: new Map(leaves) };
  return { ...changed, places: buildPathTree(changed) };
}

/** Two models of one shape, small enough that random queries often find something. */
export function tinySetting(records: number, seed: number): Setting {
  const unweighted = contractCatalog();
  const models = [...unweighted.models].map(([name, model]) => [name, weighted(model)] as const);
  const content = fc.record({ metadata: arbitraryMetadata, model: fc.constantFrom("tiny", "tiny", "other") });
  return {
    name: "the tiny models",
    catalog: withFacets(
      { ...unweighted, models: new Map(models) },
      TINY_FACETS.map(({ facet }) => facet),
    ),
    names: TINY_NAMES,
    vocabulary: "species",
    items: [...TINY_PARENTS].map(([id, parent]) =>
      item(id, id, {
        synonyms: tinyNames("species", id).map((name) => ({ name, kind: "synonym" })),
        ...(parent === undefined ? {} : { parent }),
      }),
    ),
    contents: fc.sample(content, { numRuns: records, seed }),
    facets: TINY_FACETS,
    sorts: [
      { by: ["metadata.ph"], first: "smallest" },
      { by: ["metadata.results.value", "metadata.measured"], first: "smallest" },
      { by: ["metadata.results.value", "metadata.no.such.path"], first: "largest" },
    ],
  };
}

/** The four models that the package brings, with the organisms it starts with. */
export function realSetting(records: number, seed: number): Setting {
  const catalog = builtInCatalog();
  const random = seeded(seed);
  const idsOf = new Map([...catalog.vocabularies.keys()].map((name) => [name, startersOf(catalog, name)]));
  // Few words for many paths: else hardly two records share one.
  const source = {
    random,
    words: [...WORDS.slice(0, 24), ...WRITTEN_IDS],
    // Every other organism is one that queries ask for.
    idsOf: (name: string) => {
      const ids = (idsOf.get(name) ?? []).map(({ id }) => id);
      return name === "organisms" ? ids.flatMap((id, i) => [id, ["taxid:562", "taxid:9606"][i % 2]!]) : ids;
    },
  };
  const makers = [...catalog.models].map(([name, model]) => [name, metadataOf(model)] as const);
  const contents = Array.from({ length: records }, (_, n): Content => {
    const [model, make] = makers[n % makers.length]!;
    return { model, metadata: make(source) };
  });
  const facets = [...realFacets(keywordsOf(catalog, contents)), ...declaredSteps(catalog)];
  return {
    name: "the four real models",
    catalog: withFacets(
      catalog,
      facets.map(({ facet }) => facet),
    ),
    names: modelNames([...catalog.models.values()], contents, [
      "taxid:562",
      "taxid:2",
      "taxid:1",
      "taxid:9606",
      "TAXID:543",
    ]),
    vocabulary: "organisms",
    items: idsOf.get("organisms")!,
    contents,
    facets,
    sorts: [
      { by: KD_PATHS, first: "largest" },
      { by: [`${GENERAL}.chemical_environments.ph`, `${GENERAL}.collection_start_time`], first: "smallest" },
    ],
    texts: arbitraryPastedQuery,
  };
}

const GENERAL = "metadata.general_parameters";
/** Stated and derived KDs. */
const KD_PATHS = [`${GENERAL}.results.@kd`, `${GENERAL}.results.@kd~`];
const ORGANISM = `${GENERAL}.entities_of_interest.source_organism.id`;

/** @param held what the records hold at a path, the most frequent first: keys that find nothing say little */
function realFacets(held: (path: string) => readonly string[]): readonly FacetChoice[] {
  const keysAt = (path: string): readonly string[] => [...held(path).slice(0, 3), "no"];
  const textsAt = (name: string, path: string): FacetChoice => terms(name, path, keysAt(path));
  return [
    textsAt("instrument", `${GENERAL}.instrument.id`),
    textsAt("organism", ORGANISM),
    textsAt("result_type", `${GENERAL}.results.type`),
    {
      facet: { name: "organism_tree", label: "Tree", kind: "tree", vocabulary: "organisms", path: ORGANISM },
      keys: [...keysAt(ORGANISM), "taxid:2", "taxid:1"],
    },
    {
      facet: {
        ...{ name: "deposited", label: "Deposited", kind: "year" },
        path: `${GENERAL}.record_information.deposition_date`,
      },
      keys: ["2024", "1969", "2024-05..", "1990..2020"],
    },
    steps("kd_steps", `${GENERAL}.results.@kd`, "log"),
    bins("ph", `${GENERAL}.chemical_environments.ph`, [0, 2.5, 7, 10]),
    bins("kd", `${GENERAL}.results.@kd`, [1e-9, 1e-6, 1e-3]),
  ];
}

/** The texts that records hold at each path, by how often. */
function keywordsOf(catalog: Catalog, contents: readonly Content[]): (path: string) => readonly string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { model, metadata } of contents) {
    for (const { path, keyword } of recordLeaves(tinyRecord("r", metadata), catalog.models.get(model)!, () => undefined)
      .leaves) {
      if (path === null || keyword === undefined) continue;
      const at = counts.get(path) ?? new Map<string, number>();
      counts.set(path, at.set(keyword, (at.get(keyword) ?? 0) + 1));
    }
  }
  return (path) => [...(counts.get(path) ?? [])].sort(([, a], [, b]) => b - a).map(([keyword]) => keyword);
}

/** The items that a vocabulary starts with, as they stand in its file. */
function startersOf(catalog: Catalog, name: string): readonly TermContent[] {
  const { starterFile } = catalog.vocabularies.get(name)!;
  if (starterFile === undefined) return [];
  const lines = readFileSync(starterFile, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const { status = "active", ...rest } = JSON.parse(line) as TermContent & JsonObject;
    return { ...rest, status };
  });
}
