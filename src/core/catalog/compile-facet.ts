import type { Declaration, Problems } from "../declarations/declaration.js";
import type { DeclaredObject } from "../declarations/declared.js";
import { SEARCH_PARAMETERS } from "./parameters.js";
import { canonicalPath } from "./places.js";
import {
  type Facet,
  type FacetValues,
  type Leaf,
  type LeafType,
  type Model,
  SCALES,
  type Scale,
  type Vocabulary,
} from "./types.js";
import type { Units } from "./units.js";

type Kind = FacetValues["kind"];

const KINDS: readonly Kind[] = ["terms", "tree", "year", "histogram"];

/** The type of leaf that each kind counts, and a message if the leaf has another type. */
const COUNTS: Readonly<Record<Kind, { readonly type: LeafType; readonly counts: string }>> = {
  terms: { type: "keyword", counts: "a facet of terms counts texts" },
  tree: { type: "keyword", counts: "a tree counts cited terms" },
  year: { type: "date", counts: "a facet by year counts dates" },
  histogram: { type: "number", counts: "a histogram counts numbers" },
};

/** Information about the place of a facet. */
interface FacetContext {
  readonly units?: Units;
  /** The vocabulary of the terms whose ids are counted. */
  readonly vocabulary?: Pick<Vocabulary, "name" | "hierarchy" | "unlisted"> | undefined;
  /** Dimensions that are declared for the number, the usual one first; absent: the dimensions of its leaf. */
  readonly dimensions?: readonly string[] | undefined;
}

/** The default kind of a facet by the type of its leaf. */
const DEFAULT_KINDS: Readonly<Record<LeafType, Kind>> = { keyword: "terms", date: "year", number: "histogram" };

/**
 * Reads `facet: Label` or `facet: {label, kind, edges, scale, unit}` of a declared field, if there is one. The default
 * kind depends on the leaf: years for dates, a histogram for numbers, a tree for terms of a hierarchy, terms for all
 * others. Numbers with a unit are counted in the canonical unit of their usual dimension.
 *
 * @param leaves the leaves whose values are counted, one for each path; undefined if a path names none
 */
export function compileFacet(
  field: DeclaredObject,
  name: string,
  leaves: readonly (Leaf | undefined)[],
  context: FacetContext = {},
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
  const { path, unit } = countedPath(leaf, context);
  const isAlike = (each: Leaf): boolean => each.type === "number" && countedPath(each, context).unit === unit;
  if (more.length > 0 && ![leaf, ...more].every(isAlike)) {
    field.note("facet", "a facet over several paths counts numbers, all in one unit");
    return undefined;
  }
  const values = compileValues(field, facet, leaf, { vocabulary: context.vocabulary, unit });
  if (values === undefined) return undefined;
  return {
    name,
    label,
    path,
    ...(more.length === 0 ? {} : { morePaths: more.map((each) => countedPath(each, context).path) }),
    ...(facet?.flag("on_request", false) ? { onRequest: true as const } : {}),
    ...values,
  };
}

/** Returns the path at which the comparable values of a leaf are indexed, and their unit. */
function countedPath(leaf: Leaf, { units, dimensions }: FacetContext): { path: string; unit?: string | undefined } {
  const [usual] = dimensions ?? leaf.quantity?.dimensions ?? [];
  if (leaf.quantity === undefined || usual === undefined) return { path: leaf.path };
  return { path: canonicalPath(leaf, usual), unit: units?.dimensions.get(usual)?.canonical };
}

function compileValues(
  field: DeclaredObject,
  facet: DeclaredObject | undefined,
  leaf: Leaf,
  { vocabulary, unit: canonical }: Pick<FacetContext, "vocabulary"> & { readonly unit: string | undefined },
): FacetValues | undefined {
  const defaultKind = leaf.type === "keyword" && vocabulary?.hierarchy ? "tree" : DEFAULT_KINDS[leaf.type];
  const kind = facet?.has("kind") ? kindOf(facet) : defaultKind;
  if (kind === undefined) return undefined;
  const { type, counts } = COUNTS[kind];
  if (leaf.type !== type) {
    field.note("facet", `${counts}, but ${leaf.path} is a ${leaf.type}; there the kind is ${defaultKind}`);
    return undefined;
  }
  if (kind === "histogram") {
    const edges = facet?.has("edges") ? edgesOf(facet) : undefined;
    const unit = facet?.optionalText("unit") ?? canonical;
    if (canonical !== undefined && unit !== canonical) {
      facet?.note("unit", `the numbers are counted in ${canonical}: say the edges in it, and leave out the unit`);
    }
    return {
      kind,
      scale: scaleOf(facet, edges),
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
  const text = facet.optionalText("kind");
  const kind = KINDS.find((each) => each === text);
  if (kind === undefined && text !== undefined) {
    facet.note("kind", `unknown kind "${text}"; known are ${KINDS.join(", ")}`);
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

/**
 * Returns the declared scale. The default is logarithmic if each edge is at least twice the previous one, else linear.
 */
function scaleOf(facet: DeclaredObject | undefined, edges: readonly number[] = []): Scale {
  if (facet?.has("scale")) {
    const text = facet.optionalText("scale");
    const scale = SCALES.find((each) => each === text);
    if (scale === undefined && text !== undefined) {
      facet.note("scale", `unknown scale "${text}"; known are ${SCALES.join(", ")}`);
    }
    return scale ?? "linear";
  }
  const grows = edges.every((edge, i) => edge > 0 && (i === 0 || edge >= 2 * edges[i - 1]!));
  return edges.length > 2 && grows ? "log" : "linear";
}

/** A compiled model with the file that declares its fields. */
export interface DeclaredModel {
  readonly model: Model;
  readonly declaration: Declaration;
}

/**
 * Checks that facets with the same name count the same values in the same way, because a search over several models
 * combines them. Notes each facet that differs from the first one.
 */
export function checkFacets(models: readonly DeclaredModel[], problems: Problems): void {
  const firstByName = new Map<string, { readonly facet: Facet; readonly model: string }>();
  for (const { model, declaration } of models) {
    for (const facet of model.facets) {
      const first = firstByName.get(facet.name);
      if (first === undefined) firstByName.set(facet.name, { facet, model: model.name });
      else if (describeFacet(facet) !== describeFacet(first.facet)) {
        const reason =
          `the facet "${facet.name}" is ${describeFacet(facet)} here, but ${describeFacet(first.facet)} in the model ` +
          `${first.model}; facets of one name must agree, or have two names`;
        problems.add(declaration, ["fields", facet.name, "facet"], reason);
      }
    }
  }
}

/** Describes everything that must agree. Paths, labels, and the vocabularies of facets of terms may differ. */
function describeFacet(facet: Facet): string {
  switch (facet.kind) {
    case "terms":
      return "of terms";
    case "tree":
      return `a tree of ${facet.vocabulary}`;
    case "year":
      return "of years";
    case "histogram": {
      const steps = facet.edges === undefined ? "equal steps" : `the edges ${facet.edges.join(", ")}`;
      return `a ${facet.scale} histogram with ${steps}${facet.unit === undefined ? "" : ` in ${facet.unit}`}`;
    }
  }
}
