import type { DeclaredObject } from "../declarations/declared.js";
import { SEARCH_PARAMETERS } from "./parameters.js";
import { canonicalPath } from "./quantity-paths.js";
import {
  type Facet,
  type FacetValues,
  type Leaf,
  type LeafType,
  SCALES,
  type Scale,
  type Vocabulary,
} from "./types.js";
import type { Units } from "./unit-types.js";

type Kind = FacetValues["kind"];

const KINDS: readonly Kind[] = ["terms", "tree", "year", "histogram"];

/** What each kind counts, and what to declare instead where the leaf is of another type. */
const COUNTS: Readonly<Record<Kind, { readonly type: LeafType; readonly counts: string }>> = {
  terms: { type: "keyword", counts: "a facet of terms counts texts" },
  tree: { type: "keyword", counts: "a tree counts cited terms" },
  year: { type: "date", counts: "a facet by year counts dates" },
  histogram: { type: "number", counts: "a histogram counts numbers" },
};

/** What is known of the place of a facet beside its leaves. */
interface FacetSurroundings {
  readonly units?: Units;
  /** Of the terms whose ids stand there. */
  readonly vocabulary?: Pick<Vocabulary, "name" | "hierarchy" | "unlisted"> | undefined;
  /** Dimensions that are declared for the number, the usual one first; without them it has those of its leaf. */
  readonly dimensions?: readonly string[] | undefined;
}

/** The kind of a facet that does not say it. */
const NATURAL: Readonly<Record<LeafType, Kind>> = { keyword: "terms", date: "year", number: "histogram" };

/**
 * Reads `facet: Label` or `facet: {label, kind, edges, scale, unit}` of a declared field, if there is one. A facet
 * without a kind has that of the leaf: dates by year, numbers as a histogram, terms of a hierarchy as a tree, all else
 * as terms. Numbers with a unit are counted in the canonical unit of their usual dimension.
 *
 * @param leaves those whose values are counted, one for each path; undefined where a path names none
 */
export function compileFacet(
  field: DeclaredObject,
  name: string,
  leaves: readonly (Leaf | undefined)[],
  around: FacetSurroundings = {},
): Facet | undefined {
  if (!field.has("facet")) return undefined;
  const isShort = typeof field.raw("facet") === "string";
  const facet = isShort ? undefined : field.object("facet");
  facet?.allow(["label", "kind", "edges", "scale", "unit", "on_request"]);
  const label = isShort ? field.optionalText("facet") : facet?.text("label");
  if (label === undefined) return undefined;
  if (SEARCH_PARAMETERS.includes(name)) {
    field.note("facet", `a facet cannot be named "${name}": that is a parameter of every search`);
  }
  const [leaf, ...more] = leaves.filter((each) => each !== undefined);
  if (leaf === undefined || more.length < leaves.length - 1) {
    field.note("facet", "each path of a facet must name a single value, or a place where a term is cited");
    return undefined;
  }
  const { path, unit } = countedAt(leaf, around);
  const isAlike = (each: Leaf): boolean => each.type === "number" && countedAt(each, around).unit === unit;
  if (more.length > 0 && ![leaf, ...more].every(isAlike)) {
    field.note("facet", "a facet over several paths counts numbers, all in one unit");
    return undefined;
  }
  const values = compileValues(field, facet, leaf, { vocabulary: around.vocabulary, unit });
  if (values === undefined) return undefined;
  return {
    ...{ name, label, path },
    ...(more.length === 0 ? {} : { morePaths: more.map((each) => countedAt(each, around).path) }),
    ...(facet?.flag("on_request", false) ? { onRequest: true as const } : {}),
    ...values,
  };
}

/** Where the values of a leaf are indexed so that they compare, and in which unit. */
function countedAt(leaf: Leaf, { units, dimensions }: FacetSurroundings): { path: string; unit?: string | undefined } {
  const [usual] = dimensions ?? leaf.quantity?.dimensions ?? [];
  if (leaf.quantity === undefined || usual === undefined) return { path: leaf.path };
  return { path: canonicalPath(leaf, usual), unit: units?.dimensions.get(usual)?.canonical };
}

function compileValues(
  field: DeclaredObject,
  facet: DeclaredObject | undefined,
  leaf: Leaf,
  { vocabulary, unit: canonical }: Pick<FacetSurroundings, "vocabulary"> & { readonly unit: string | undefined },
): FacetValues | undefined {
  const natural = leaf.type === "keyword" && vocabulary?.hierarchy ? "tree" : NATURAL[leaf.type];
  const kind = facet?.has("kind") ? kindOf(facet) : natural;
  if (kind === undefined) return undefined;
  const { type, counts } = COUNTS[kind];
  if (leaf.type !== type) {
    field.note("facet", `${counts}, but ${leaf.path} is a ${leaf.type}; there the kind is ${natural}`);
    return undefined;
  }
  if (kind === "histogram") {
    const edges = facet?.has("edges") ? edgesOf(facet) : undefined;
    const unit = facet?.optionalText("unit") ?? canonical;
    if (canonical !== undefined && unit !== canonical) {
      facet?.note("unit", `the numbers are counted in ${canonical}: say the edges in it, and leave out the unit`);
    }
    return {
      ...{ kind, scale: scaleOf(facet, edges) },
      ...(edges === undefined ? {} : { edges }),
      ...(unit === undefined ? {} : { unit }),
    };
  }
  for (const key of ["edges", "scale", "unit"]) {
    if (facet?.has(key)) facet.note(key, `only a histogram has ${key}; this facet is of the kind ${kind}`);
  }
  if (kind === "year") return { kind };
  if (kind === "terms") return { kind, ...(vocabulary === undefined ? {} : { vocabulary: vocabulary.name }) };
  if (vocabulary?.hierarchy) {
    const { name, unlisted } = vocabulary;
    return { kind, vocabulary: name, ...(unlisted === undefined ? {} : { unlisted }) };
  }
  const cited = vocabulary === undefined ? `no term is cited at ${leaf.path}` : `${vocabulary.name} has no hierarchy`;
  facet?.note("kind", `a tree needs terms of a hierarchical vocabulary, but ${cited}; there the kind is terms`);
  return undefined;
}

function kindOf(facet: DeclaredObject): Kind | undefined {
  const said = facet.optionalText("kind");
  const kind = KINDS.find((known) => known === said);
  if (kind === undefined && said !== undefined) {
    facet.note("kind", `unknown kind "${said}"; known are ${KINDS.join(", ")}`);
  }
  return kind;
}

function edgesOf(facet: DeclaredObject): readonly number[] | undefined {
  const edges = facet.raw("edges");
  const isRight =
    Array.isArray(edges) &&
    edges.length > 0 &&
    edges.every((edge, i) => Number.isFinite(edge) && (i === 0 || edge > edges[i - 1]));
  if (isRight) return edges;
  facet.note("edges", "the edges of a histogram are ascending numbers: {label: ..., kind: histogram, edges: [1, 10]}");
  return undefined;
}

/** Edges that grow by factors, at least twofold from each to the next, say that the scale is logarithmic. */
function scaleOf(facet: DeclaredObject | undefined, edges: readonly number[] = []): Scale {
  if (facet?.has("scale")) {
    const said = facet.optionalText("scale");
    const scale = SCALES.find((known) => known === said);
    if (scale === undefined && said !== undefined) {
      facet.note("scale", `unknown scale "${said}"; known are ${SCALES.join(", ")}`);
    }
    return scale ?? "linear";
  }
  const grows = edges.every((edge, i) => edge > 0 && (i === 0 || edge >= 2 * edges[i - 1]!));
  return edges.length > 2 && grows ? "log" : "linear";
}
