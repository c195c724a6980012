import type { Leaf, ShortField } from "../../core/catalog/types.js";
import { parseAmount } from "../../core/units/amounts.js";
import { findUnit, type Units } from "../../core/units/units.js";

/** Meaning of a field name in one model, or in several models that agree. */
export interface Meaning {
  /** Full path of the leaf, the object, or the array of objects. */
  readonly path: string;
  /** The leaf itself and all leaves below it. Empty if the name is outside of the group that it is used in. */
  readonly leaves: readonly Leaf[];
  /** Whether the path is a leaf. Values are then compared by its type; an object means all text below it. */
  readonly isLeaf: boolean;
  /** Whether the path is an array of objects, so that `path:( )` matches within one element. */
  readonly isElement: boolean;
  /** Paths of term sites at the path, below it, or directly above it. */
  readonly sites: readonly string[];
  /** Dimensions of a declared quantity, the usual one first. Its numbers need a unit. */
  readonly dimensions?: readonly string[];
  /** Models in which the name has this meaning. Absent: all searched models. */
  readonly models?: readonly string[];
}

/** Known name with its meanings. Models without the name have no meaning here. */
export interface SearchField {
  readonly meanings: readonly Meaning[];
}

/** Names of one model or vocabulary. */
export interface NameSpace {
  /** Name of the model. Absent for a vocabulary. */
  readonly model?: string;
  /** Leaves by path, including those of named quantities. */
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** Leaves by each path above them. */
  readonly below: ReadonlyMap<string, readonly Leaf[]>;
  readonly roots: readonly string[];
  readonly shortNames: ReadonlyMap<string, ShortName>;
  /** Fields by short name or label, without signs; see `looseName`. */
  readonly looseNames: ReadonlyMap<string, ShortName>;
  readonly elementPaths: ReadonlySet<string>;
  readonly sites: readonly string[];
}

/** Paths of a short name, and the dimensions if it is a quantity. */
export interface ShortName {
  readonly paths: readonly string[];
  readonly dimensions?: ShortField["dimensions"] | undefined;
}

/** Meaning of a name in one model or vocabulary. */
export interface SpaceMeaning {
  readonly space: NameSpace;
  readonly meaning: Meaning;
}

/**
 * Unites the meanings of a name to one if all models agree: each of them gives the same meaning to all united leaves
 * that it has. Otherwise returns one meaning for each group of models that agree.
 */
export function uniteMeanings(
  spaces: readonly NameSpace[],
  spaceMeanings: readonly SpaceMeaning[],
): readonly Meaning[] {
  const first = spaceMeanings[0]!.meaning;
  if (spaces.length === 1) return [first];
  const allLeaves = spaceMeanings.flatMap(({ meaning }) => meaning.leaves);
  const leaves = new Map(allLeaves.map((leaf) => [leaf.path, leaf] as const));
  const sites = new Set(spaceMeanings.flatMap(({ meaning }) => meaning.sites));
  const agree = spaces.every((space) => {
    const own = spaceMeanings.find((each) => each.space === space)?.meaning;
    const ownPaths = new Set(own?.leaves.map(({ path }) => path));
    const hasSameType = (leaf: Leaf): boolean => {
      const declared = space.leaves.get(leaf.path);
      return declared === undefined || (ownPaths.has(leaf.path) && typeKey(declared) === typeKey(leaf));
    };
    const isSameKind = own === undefined || kindKey(own) === kindKey(first);
    const isSamePlace = own === undefined || own.path === first.path || !first.isElement;
    const hasSameSites = [...sites].every((site) => own?.sites.includes(site) || !space.sites.includes(site));
    return isSameKind && isSamePlace && hasSameSites && [...leaves.values()].every(hasSameType);
  });
  if (agree) return [{ ...first, leaves: [...leaves.values()], sites: [...sites] }];
  return groupEqualMeanings(spaceMeanings);
}

function groupEqualMeanings(spaceMeanings: readonly SpaceMeaning[]): readonly Meaning[] {
  const groups = new Map<string, { meaning: Meaning; spaces: NameSpace[] }>();
  for (const { space, meaning } of spaceMeanings) {
    const types = meaning.leaves.map((leaf) => [leaf.path, typeKey(leaf)]);
    const key = JSON.stringify([meaning.path, kindKey(meaning), types, meaning.sites]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { meaning, spaces: [space] });
    else group.spaces.push(space);
  }
  return [...groups.values()].map(({ meaning, spaces }) => nameModels(meaning, spaces));
}

/** Adds the models in which a name has the meaning. */
export function nameModels(meaning: Meaning, spaces: readonly NameSpace[]): Meaning {
  const models = spaces.flatMap(({ model }) => model ?? []);
  return models.length === 0 ? meaning : { ...meaning, models };
}

/** Returns a key that is equal for leaves whose values can be compared. */
const typeKey = ({ type, kind, quantity }: Leaf): string => JSON.stringify([type, kind, quantity]);

const kindKey = ({ isLeaf, isElement, dimensions }: Meaning): string => JSON.stringify([isLeaf, isElement, dimensions]);

/** Joins the meanings of several paths of one model. Only a single path can be an array of objects. */
export function joinMeanings(first: Meaning, rest: readonly Meaning[]): Meaning {
  if (rest.length === 0) return first;
  const meanings = [first, ...rest];
  const leaves = new Map(meanings.flatMap((meaning) => meaning.leaves.map((leaf) => [leaf.path, leaf] as const)));
  return {
    ...first,
    leaves: [...leaves.values()],
    isLeaf: meanings.every(({ isLeaf }) => isLeaf),
    isElement: false,
    sites: [...new Set(meanings.flatMap(({ sites }) => sites))],
  };
}

/**
 * Returns whether bare numbers in a field are compared with their units: it is a declared quantity, a number with a
 * unit, or an object with such a number.
 */
export function isQuantity({ path, leaves, isLeaf, isElement, dimensions }: Meaning): boolean {
  if (dimensions !== undefined) return true;
  const isDirectlyBelow = (leaf: Leaf): boolean => leaf.path.slice(0, leaf.path.lastIndexOf(".")) === path;
  return !isElement && leaves.some((leaf) => leaf.quantity !== undefined && (isLeaf || isDirectlyBelow(leaf)));
}

/** Returns whether bare values in a field are numbers, so that `-20` is a number and not a NOT. */
export function isNumericField(meaning: Meaning): boolean {
  return isQuantity(meaning) || (meaning.isLeaf && meaning.leaves.some(({ type }) => type === "number"));
}

/** Returns the dimensions that are declared for the numbers of a field. If there are none, any unit is allowed. */
export function declaredDimensions(meanings: readonly Meaning[]): readonly string[] {
  const dimensions = meanings.flatMap((meaning) => {
    return meaning.dimensions ?? meaning.leaves.flatMap(({ quantity }) => quantity?.dimensions ?? []);
  });
  return [...new Set(dimensions)];
}

/** Returns whether the field allows the unit of an amount. A number without a unit always fits. */
export function fitsUnit({ meanings }: SearchField, amount: string, units: Units): boolean {
  const unit = parseAmount(amount)?.unit ?? "";
  const dimensions = declaredDimensions(meanings);
  if (unit === "" || dimensions.length === 0) return true;
  const dimension = findUnit(units, unit)?.dimension;
  return dimension !== undefined && dimensions.includes(dimension);
}

/**
 * Returns the unit, or the same letters with another case of m, if the field allows it: `10 nm` of a molarity is 10 nM.
 * Undefined if the field allows neither.
 */
export function fittingUnit(field: SearchField, unit: string, units: Units): string | undefined {
  const fits = (each: string): boolean => findUnit(units, each) !== undefined && fitsUnit(field, `1 ${each}`, units);
  return [unit, ...unitsInOtherCase(unit)].find(fits);
}

/** Returns the spellings of a unit with M (molar) and with m (metre) at the ends of its words. */
export function unitsInOtherCase(unit: string): readonly string[] {
  return ["M", "m"].map((letter) => unit.replace(/m(?!\p{L})/giu, letter)).filter((spelling) => spelling !== unit);
}
