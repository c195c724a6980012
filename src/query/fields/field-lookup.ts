import { LRUCache } from "lru-cache";
import { indexOnlyLeaves, quantityLeavesOf } from "../../core/catalog/places.js";
import type { Leaf, Model, NamedLeaf, ShortField, Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { NO_UNITS, type Units } from "../../core/units/units.js";
import { analyse } from "../text/analyse.js";
import {
  joinMeanings,
  type Meaning,
  type NameSpace,
  nameModels,
  type SearchField,
  type ShortName,
  type SpaceMeaning,
  uniteMeanings,
} from "./field-meanings.js";
import { aliasIn, idIn, type KnownId } from "./identifiers.js";
import { type PersonPlace, personPlaces } from "./persons.js";

/** Fields and ids that a query may use. */
export interface FieldLookup {
  /**
   * Returns the field with a name, or undefined.
   *
   * @param name as typed: a path with or without its root, or a short name in any case
   * @param outer the array of objects that the name is used in. Names are looked up below it first
   */
  find(name: string, outer?: SearchField): SearchField | undefined;
  /** Returns the field with a name, with one meaning for each model, even if they agree. */
  findEach(name: string): SearchField | undefined;
  /** Returns the terms with an unquoted id: its prefix is known (in any case), the rest has the form of the ids. */
  findIds(text: string): readonly KnownId[];
  /** Returns the terms with a word as another id: `eng` for `en`. Empty in a search for records. */
  findAliases(word: string): readonly KnownId[];
  /** Whether the search is for terms. Otherwise it is for records, which cite terms. */
  readonly isTerms: boolean;
  /** Returns known names similar to an unknown one, best first. */
  nearest(name: string): readonly string[];
  /** Units of numbers. */
  readonly units: Units;
  /** Paths of the names of persons. Empty in a search for terms. */
  readonly persons: readonly PersonPlace[];
  /** All leaves that identify compounds. */
  readonly compounds: readonly Leaf[];
  /** Paths of the ids of records and parents, see `Leaf.isWhole`. Empty in a search for terms. */
  readonly recordIds: readonly string[];
  /** Leaves of quantities that may be derived: those of their stated and of their derived values. */
  readonly derivable: readonly NamedLeaf[];
}

/** The name that chooses between stated and derived values: `stated:true`. A model may give it another meaning. */
export const STATED = "stated";

/** Stands for the name `stated`. No record has a value at its path. */
const STATED_LEAF: Leaf = { path: STATED, type: "keyword", weight: "rest", elementPath: "" };

/** Fields of every record. Like declared short names, they are found in any case. */
const FIXED_NAMES = ["id", "model", "state", "created", "updated"];

/** Makes the look-up of the fields of some models. The meaning of a name may differ between models. */
export function recordFields(models: readonly Model[], vocabularies: Iterable<Vocabulary>): FieldLookup {
  const spaces = models.map((model): NameSpace => {
    const fieldNames = [...model.fields.values()].map((field) => [field, shortName(field)] as const);
    const shortNames = new Map<string, ShortName>([
      ...[...FIXED_NAMES, ...(hasDerived(model) ? [STATED] : [])].map((name) => [name, { paths: [name] }] as const),
      ...fieldNames.flatMap(([{ name, aliases = [] }, short]) =>
        [name, ...aliases].map((each) => [each.toLowerCase(), short] as const),
      ),
    ]);
    const labels = fieldNames.flatMap(([{ name, label }, short]) => {
      const fieldLabels = [label, model.facets.find((facet) => facet.name === name)?.label];
      return fieldLabels.flatMap((each) => (each === undefined ? [] : [[each, short] as const]));
    });
    const named: readonly Leaf[] = [...indexOnlyLeaves(model), ...(hasDerived(model) ? [STATED_LEAF] : [])];
    return {
      model: model.name,
      leaves: new Map([...model.leaves, ...named.map((leaf) => [leaf.path, leaf] as const)]),
      below: leavesBelow(model.leaves),
      roots: model.roots,
      shortNames,
      looseNames: looseNames([...shortNames, ...labels]),
      elementPaths: new Set(model.elementPaths),
      sites: [...new Set(model.termSites.map((site) => site.path))],
    };
  });
  const derivable = models.flatMap(({ quantities }) =>
    quantityLeavesOf({ quantities: quantities.filter(({ derivation }) => derivation !== undefined) }),
  );
  const lookup = makeLookup(spaces, [...vocabularies], models[0]?.units ?? NO_UNITS, false);
  return { ...lookup, derivable: [...new Map(derivable.map((leaf) => [leaf.path, leaf])).values()] };
}

const hasDerived = ({ quantities }: Model): boolean => quantities.some(({ derivation }) => derivation !== undefined);

/** Removes signs from a name and spells Greek letters out: `k_on` becomes `kon`, `ΔH` becomes `deltah`. */
const looseName = (name: string): string => analyse(name).join("");

/** Makes the map of `NameSpace.looseNames`. Of equal names, the first one counts. */
function looseNames(names: readonly (readonly [string, ShortName])[]): ReadonlyMap<string, ShortName> {
  return new Map(names.toReversed().map(([name, short]) => [looseName(name), short]));
}

function shortName({ path, morePaths = [], dimensions }: ShortField): ShortName {
  return { paths: [path, ...morePaths], dimensions };
}

/**
 * Makes the look-up of the fields of a vocabulary: id, title, title.<lang>, synonyms, parent, status, props.<name> and
 * <prop>.
 */
export function termFields(vocabulary: Vocabulary): FieldLookup {
  // Leaf of titles in languages that the vocabulary does not declare.
  const otherTitle: Leaf = { path: "title", type: "keyword", weight: "title", elementPath: "" };
  const leaves = new Map([...vocabulary.leaves, [otherTitle.path, otherTitle]]);
  const shortNames = termNames([...leaves.keys()]);
  const space: NameSpace = {
    leaves,
    below: leavesBelow(leaves),
    roots: ["props."],
    shortNames,
    looseNames: looseNames([...shortNames]),
    elementPaths: new Set(),
    sites: [],
  };
  return makeLookup([space], [vocabulary], vocabulary.units, true);
}

/** Returns the first part of each path of a vocabulary, and the name of each prop, in lower case. */
function termNames(paths: readonly string[]): ReadonlyMap<string, ShortName> {
  const parts = paths.map((path) => path.split("."));
  const props = parts.flatMap(([first, prop]) => (first === "props" && prop !== undefined ? [prop] : []));
  return new Map([
    ...props.map((prop) => [prop.toLowerCase(), { paths: [`props.${prop}`] }] as const),
    ...parts.map(([first = ""]) => [first.toLowerCase(), { paths: [first] }] as const),
  ]);
}

function makeLookup(
  spaces: readonly NameSpace[],
  vocabularies: readonly Vocabulary[],
  units: Units,
  isTerms: boolean,
): FieldLookup {
  const leaves = spaces.flatMap((space) => [...space.leaves.values()]);
  const compounds = leaves.filter((leaf) => leaf.kind === "inchikey").map((leaf) => [leaf.path, leaf] as const);
  const wholes = isTerms ? [] : leaves.filter(({ isWhole, isMoleculeId }) => isWhole && !isMoleculeId);
  const recordIds = [...new Set(wholes.map(({ path }) => path))];
  const names = new Set(spaces.flatMap(allNames));
  const mayBeName = makeNameFilter(spaces);
  const found = new LRUCache<string, { readonly field: SearchField | undefined }>({ max: FOUND_MAX });
  const findOutermost = (name: string): SearchField | undefined => {
    const cached = found.get(name);
    if (cached !== undefined) return cached.field;
    const field = mayBeName(name) ? search(spaces, name) : undefined;
    found.set(name, { field });
    return field;
  };
  return {
    isTerms,
    findEach: (name) => {
      const meanings = locate(spaces, name).map(({ space, meaning }) => nameModels(meaning, [space]));
      return meanings.length === 0 ? undefined : { meanings };
    },
    find: (name, outer) => (outer === undefined ? findOutermost(name) : search(spaces, name, outer)),
    findIds: (text) => vocabularies.flatMap((vocabulary) => idIn(vocabulary, text)),
    findAliases: (word) => (isTerms ? vocabularies.flatMap((vocabulary) => aliasIn(vocabulary, word)) : []),
    nearest: (name) => nearestNames(name, names, LIMITS.nearestMax),
    units,
    persons: isTerms ? [] : personPlaces(leaves),
    compounds: [...new Map(compounds).values()],
    recordIds,
    derivable: [],
  };
}

/**
 * Returns a test that rejects only texts that are not the name of a field in any space. Most looked up texts are words
 * of a query, and trying each as a path of each model takes longer than reading the rest of the query.
 */
function makeNameFilter(spaces: readonly NameSpace[]): (name: string) => boolean {
  const firstPart = (path: string): string => path.split(".", 1)[0]!.toLowerCase();
  const starts = new Set<string>();
  const loose = new Set<string>();
  for (const { leaves, elementPaths, roots, shortNames, looseNames } of spaces) {
    for (const name of shortNames.keys()) starts.add(firstPart(name));
    for (const name of looseNames.keys()) loose.add(name);
    for (const path of [...leaves.keys(), ...elementPaths]) {
      starts.add(firstPart(path));
      for (const root of roots) if (path.startsWith(root)) starts.add(firstPart(path.slice(root.length)));
    }
  }
  return (name) => starts.has(firstPart(name)) || loose.has(looseName(name));
}

/** Maximum number of cached names. A field has many spellings, and reading a text looks up its words several times. */
const FOUND_MAX = 1_000;

function search(spaces: readonly NameSpace[], name: string, outer?: SearchField): SearchField | undefined {
  const within = outer === undefined ? spaces : spaces.filter((space) => groupIn(space, outer) !== undefined);
  const spaceMeanings = locate(within, name, outer);
  return spaceMeanings.length === 0 ? undefined : { meanings: uniteMeanings(within, spaceMeanings) };
}

function locate(spaces: readonly NameSpace[], name: string, outer?: SearchField): readonly SpaceMeaning[] {
  // A path is never a label.
  const loose = name.includes(".") ? undefined : looseName(name);
  return spaces.flatMap((space) => {
    const group = outer === undefined ? undefined : groupIn(space, outer)?.path;
    const meaning = meaningIn(space, name, loose, group);
    return meaning === undefined ? [] : [{ space, meaning }];
  });
}

function groupIn(space: NameSpace, outer: SearchField): Meaning | undefined {
  return outer.meanings.find(({ models }) => models === undefined || models.includes(space.model ?? ""));
}

/** @param loose the name as labels are compared; undefined for a path */
function meaningIn(
  space: NameSpace,
  name: string,
  loose: string | undefined,
  group: string | undefined,
): Meaning | undefined {
  if (group !== undefined) {
    const path = `${group}.${name}`;
    const relative = meaningAt(space, path);
    const declared = space.shortNames.get(name.toLowerCase());
    if (relative !== undefined) return withDimensions(relative, declared?.paths.includes(path) ? declared : {});
  }
  const whole: ShortName = { paths: [name] };
  const below: readonly ShortName[] = space.roots.map((root) => ({ paths: [root + name] }));
  const labelled = loose === undefined ? undefined : space.looseNames.get(loose);
  for (const shortName of [
    ...shortNames(space, name),
    whole,
    ...below,
    ...(labelled === undefined ? [] : [labelled]),
  ]) {
    const meanings = shortName.paths.flatMap((path) => meaningAt(space, path) ?? []);
    if (meanings[0] === undefined) continue;
    const isInside = ({ path }: Meaning): boolean =>
      group === undefined || path === group || path.startsWith(`${group}.`);
    const [first, ...rest] = meanings.filter(isInside);
    if (first === undefined) return { ...meanings[0], leaves: [], sites: [] };
    return withDimensions(joinMeanings(first, rest), shortName);
  }
  return undefined;
}

function withDimensions(meaning: Meaning, { dimensions }: Pick<ShortName, "dimensions">): Meaning {
  return dimensions === undefined ? meaning : { ...meaning, dimensions };
}

/** Returns the paths of a short name (`organism`), and of a path that begins with one (`organism.title`). */
function shortNames(space: NameSpace, name: string): readonly ShortName[] {
  const [first = "", ...rest] = name.split(".");
  const whole = space.shortNames.get(name.toLowerCase());
  const start = space.shortNames.get(first.toLowerCase());
  const below = rest.length === 0 ? [] : (start?.paths ?? []).map((path) => `${path}.${rest.join(".")}`);
  return [...(whole === undefined ? [] : [whole]), ...(below.length === 0 ? [] : [{ paths: below }])];
}

function meaningAt({ leaves, below, elementPaths, sites }: NameSpace, path: string): Meaning | undefined {
  const leaf = leaves.get(path);
  const inside = below.get(path) ?? [];
  const isElement = elementPaths.has(path);
  if (leaf === undefined && inside.length === 0 && !isElement) return undefined;
  const cited = sites.filter((site) => site === path || site.startsWith(`${path}.`) || path === `${site}.id`);
  return {
    path,
    leaves: leaf === undefined ? inside : [leaf, ...inside],
    isLeaf: leaf !== undefined,
    isElement,
    sites: cited,
  };
}

/** Returns the leaves below each path. */
function leavesBelow(leaves: ReadonlyMap<string, Leaf>): ReadonlyMap<string, readonly Leaf[]> {
  const below = new Map<string, Leaf[]>();
  for (const leaf of leaves.values()) {
    for (let dot = leaf.path.lastIndexOf("."); dot > 0; dot = leaf.path.lastIndexOf(".", dot - 1)) {
      const above = leaf.path.slice(0, dot);
      const siblings = below.get(above);
      if (siblings === undefined) below.set(above, [leaf]);
      else siblings.push(leaf);
    }
  }
  return below;
}

/** Returns the names for suggestions: short names, and paths without their longest root. */
function allNames(space: NameSpace): readonly string[] {
  const inRecords = [...space.leaves.values()].filter(
    ({ quantity, isMoleculeId }) => quantity?.named === undefined && !isMoleculeId,
  );
  const paths = inRecords.map(({ path }) => path);
  const bare = paths.map((path) => {
    const root = space.roots.filter((each) => path.startsWith(each)).sort((a, b) => b.length - a.length)[0];
    return path.slice(root?.length ?? 0);
  });
  return [...space.shortNames.keys(), ...bare];
}
