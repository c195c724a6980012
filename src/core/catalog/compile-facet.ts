import type { Declaration, Problems } from "../declarations/declaration.js";
import type { DeclaredObject } from "../declarations/declared.js";
import type { Units } from "../units/units.js";
import {
  FACET_KIND_NAMES,
  type FacetKindName,
  type FacetValues,
  facetKind,
  kindsWhere,
} from "./facet-kinds/facet-kinds.js";
import { SEARCH_PARAMETERS } from "./parameters.js";
import { canonicalPath } from "./places.js";
import type { Facet, Leaf, Model, Vocabulary } from "./types.js";

/** Information about the place of a facet. */
interface FacetContext {
  readonly units?: Units;
  /** The vocabulary of the terms whose ids are counted. */
  readonly vocabulary?: Pick<Vocabulary, "name" | "hierarchy" | "unlisted"> | undefined;
  /** Dimensions that are declared for the number, the usual one first; absent: the dimensions of its leaf. */
  readonly dimensions?: readonly string[] | undefined;
}

/** Options of all kinds. */
const OPTIONS: readonly string[] = [...new Set(FACET_KIND_NAMES.flatMap((name) => facetKind(name).options))];

/**
 * Reads `facet: Label` or `facet: {label, kind, ...}` of a declared field, if there is one. The default kind depends
 * on the leaf: years for dates, a histogram for numbers, a tree for terms of a hierarchy, terms for all others. Numbers
 * with a unit are counted in the canonical unit of their usual dimension.
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
  facet?.allow(["label", "kind", ...OPTIONS, "on_request"]);
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
  { vocabulary, unit }: Pick<FacetContext, "vocabulary"> & { readonly unit: string | undefined },
): FacetValues | undefined {
  const defaultKind = defaultKindOf(leaf, vocabulary);
  const name = facet?.has("kind") ? kindOf(facet) : defaultKind;
  if (name === undefined) return undefined;
  const kind = facetKind(name);
  if (leaf.type !== kind.leafType) {
    const reason = `${kind.noun} counts ${kind.counted}, but ${leaf.path} is a ${leaf.type}`;
    field.note("facet", `${reason}; there the kind is ${defaultKind}`);
    return undefined;
  }
  for (const option of OPTIONS) {
    if (!facet?.has(option) || kind.options.includes(option)) continue;
    const owners = kindsWhere(({ options }) => options.includes(option)).map((owner) => facetKind(owner).noun);
    facet.note(option, `only ${owners.join(" or ")} has ${option}; this facet is of the kind ${name}`);
  }
  return kind.compile(facet, { path: leaf.path, unit, vocabulary });
}

/** Returns the default kind of a facet that counts a leaf. */
function defaultKindOf({ type }: Leaf, vocabulary: FacetContext["vocabulary"]): FacetKindName {
  const [kind] = kindsWhere(({ leafType, isDefault }) => leafType === type && isDefault(vocabulary));
  if (kind === undefined) throw new Error(`No kind of facet is the default for leaves of the type ${type}.`);
  return kind;
}

function kindOf(facet: DeclaredObject): FacetKindName | undefined {
  const text = facet.optionalText("kind");
  const kind = FACET_KIND_NAMES.find((each) => each === text);
  if (kind === undefined && text !== undefined) {
    facet.note("kind", `unknown kind "${text}"; known are ${FACET_KIND_NAMES.join(", ")}`);
  }
  return kind;
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

/** Describes everything that must agree. Paths and labels may differ. */
const describeFacet = (facet: Facet): string => facetKind(facet.kind).describe(facet);
