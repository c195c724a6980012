import { NO_UNITS } from "../../core/catalog/compile-units.js";
import type { Leaf, Model, ShortField, Vocabulary } from "../../core/catalog/types.js";
import type { Units } from "../../core/catalog/units.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { analyse } from "../text/analyse.js";
import { aliasIn, idIn, type KnownId } from "./known-ids.js";
import { type PersonPlace, personPlaces } from "./persons.js";
import { type Found, joinMeanings, nameModels, uniteMeanings } from "./unite-meanings.js";

/** What a name stands for in a model, or in several that agree. */
export interface Meaning {
  /** Whole path of the leaf, the object, or the array of objects. */
  readonly path: string;
  /** The leaf itself and all leaves below. Empty where the name lies outside of the group that it is used in. */
  readonly leaves: readonly Leaf[];
  /** Is the path itself a leaf? Then values compare by its type; an object means all text below it. */
  readonly isLeaf: boolean;
  /** Is it an array of objects, so that `path:( )` speaks of one element? */
  readonly isElement: boolean;
  /** Paths of the places at or below it, or right above it, that cite terms. */
  readonly sites: readonly string[];
  /** Of a declared quantity: its dimensions, the usual one first. Its numbers need a unit. */
  readonly dimensions?: readonly string[];
  /** Models in which the name means this; absent: in all that are searched. */
  readonly models?: readonly string[];
}

/** A name that is known, with what it means. Models that do not know it are not among the meanings. */
export interface Field {
  readonly meanings: readonly Meaning[];
}

/** The names that a query may use. */
export interface FieldLookup {
  /**
   * @param name as typed: a path with or without its root, or a short name in any case
   * @param outer the array of objects that the name is used in; names are relative to it first
   */
  find(name: string, outer?: Field): Field | undefined;
  /** As `find` of a name that is relative to nothing, with one meaning for each model, whether they agree or not. */
  findEach(name: string): Field | undefined;
  /** Items that an unquoted text names by id: the prefix is known (in any case), the rest has the id's pattern. */
  findIds(text: string): readonly KnownId[];
  /** Items that a bare word names because it is another id of theirs: `eng` is `en`. None in a search for records. */
  findAliases(word: string): readonly KnownId[];
  /** Is the item itself what is searched for (terms), or what cites it (records)? */
  readonly isTerms: boolean;
  /** Known names near to one that is not, best first. */
  nearest(name: string): readonly string[];
  /** The units that numbers may stand in. */
  readonly units: Units;
  /** Paths of the names of persons. Empty in a search for terms. */
  readonly persons: readonly PersonPlace[];
  /** All leaves that identify compounds. */
  readonly compounds: readonly Leaf[];
  /** Paths of the ids that records and parents are found by, see `Leaf.isWhole`. None in a search for terms. */
  readonly recordIds: readonly string[];
}

/** A model, or a vocabulary, as far as names go. */
export interface Space {
  /** Undefined for a vocabulary: nothing need be told apart. */
  readonly model?: string;
  /** The leaves of named quantities too. */
  readonly leaves: ReadonlyMap<string, Leaf>;
  readonly below: ReadonlyMap<string, readonly Leaf[]>;
  readonly roots: readonly string[];
  readonly shortNames: ReadonlyMap<string, ShortName>;
  /** Fields by short name or label, without signs; see `looseName`. */
  readonly looseNames: ReadonlyMap<string, ShortName>;
  readonly elementPaths: ReadonlySet<string>;
  readonly sites: readonly string[];
}

/** What a short name stands for. */
type ShortName = Pick<ShortField, "dimensions"> & { readonly paths: readonly string[] };

/** Names that every record has, in any case as the declared short names. */
const FIXED_NAMES = ["id", "model", "state", "created", "updated"];

/** Fields of the records of some models. A name means in each model what that model declares. */
export function recordFields(models: readonly Model[], vocabularies: Iterable<Vocabulary>): FieldLookup {
  const spaces = models.map((model): Space => {
    const named = [...model.fields.values()].map((field) => [field, shortName(field)] as const);
    const shortNames = new Map<string, ShortName>([
      ...FIXED_NAMES.map((name) => [name, { paths: [name] }] as const),
      ...named.flatMap(([{ name, aliases = [] }, short]) =>
        [name, ...aliases].map((each) => [each.toLowerCase(), short] as const),
      ),
    ]);
    const labels = named.flatMap(([{ name, label }, short]) => {
      const shown = [label, model.facets.find((facet) => facet.name === name)?.label];
      return shown.flatMap((each) => (each === undefined ? [] : [[each, short] as const]));
    });
    return {
      model: model.name,
      leaves: new Map([...model.leaves, ...model.quantities.map(({ leaf }) => [leaf.path, leaf] as const)]),
      below: leavesBelow(model.leaves),
      roots: model.roots,
      shortNames,
      looseNames: looseNames([...shortNames, ...labels]),
      elementPaths: new Set(model.elementPaths),
      sites: [...new Set(model.termSites.map((site) => site.path))],
    };
  });
  return makeLookup(spaces, [...vocabularies], models[0]?.units ?? NO_UNITS, false);
}

/** Removes signs from a name and spells Greek letters out: `k_on` becomes `kon`, `ΔH` becomes `deltah`. */
const looseName = (name: string): string => analyse(name).join("");

/** Makes the map of `Space.looseNames`. If names are equal, the first one counts. */
function looseNames(names: readonly (readonly [string, ShortName])[]): ReadonlyMap<string, ShortName> {
  return new Map(names.toReversed().map(([name, short]) => [looseName(name), short]));
}

function shortName({ path, morePaths = [], dimensions }: ShortField): ShortName {
  return { paths: [path, ...morePaths], ...(dimensions === undefined ? {} : { dimensions }) };
}

/** Fields of the items of one vocabulary: id, title, title.<lang>, synonyms, parent, status, props.<name>, <prop>. */
export function termFields(vocabulary: Vocabulary): FieldLookup {
  // Where titles in other languages than the declared ones stand.
  const other: Leaf = { path: "title", type: "keyword", weight: "title", elementPath: "" };
  const leaves = new Map([...vocabulary.leaves, [other.path, other]]);
  const shortNames = termNames([...leaves.keys()]);
  const space: Space = {
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

/** First names of the paths of a vocabulary, and bare names of its props, in lower case. */
function termNames(paths: readonly string[]): ReadonlyMap<string, ShortName> {
  const parts = paths.map((path) => path.split("."));
  const props = parts.flatMap(([first, prop]) => (first === "props" && prop !== undefined ? [prop] : []));
  return new Map([
    ...props.map((prop) => [prop.toLowerCase(), { paths: [`props.${prop}`] }] as const),
    ...parts.map(([first = ""]) => [first.toLowerCase(), { paths: [first] }] as const),
  ]);
}

function makeLookup(
  spaces: readonly Space[],
  vocabularies: readonly Vocabulary[],
  units: Units,
  isTerms: boolean,
): FieldLookup {
  const leaves = spaces.flatMap((space) => [...space.leaves.values()]);
  const compounds = leaves.filter((leaf) => leaf.kind === "inchikey").map((leaf) => [leaf.path, leaf] as const);
  const wholes = isTerms ? [] : leaves.filter(({ isWhole }) => isWhole);
  const recordIds = [...new Set(wholes.map(({ path }) => path))];
  const names = new Set(spaces.flatMap(namesOf));
  const cache = new Map<string, Field>();
  const findOutermost = (name: string): Field | undefined => {
    const field = cache.get(name) ?? search(spaces, name);
    if (field !== undefined && !cache.has(name)) {
      if (cache.size === CACHE_MAX) cache.delete(cache.keys().next().value!);
      cache.set(name, field);
    }
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
  };
}

/** Maximum number of cached fields; the oldest is evicted. A field has many spellings. Misses are not cached. */
const CACHE_MAX = 1_000;

function search(spaces: readonly Space[], name: string, outer?: Field): Field | undefined {
  const within = outer === undefined ? spaces : spaces.filter((space) => groupIn(space, outer) !== undefined);
  const found = locate(within, name, outer);
  return found.length === 0 ? undefined : { meanings: uniteMeanings(within, found) };
}

function locate(spaces: readonly Space[], name: string, outer?: Field): readonly Found[] {
  return spaces.flatMap((space) => {
    const meaning = meaningIn(space, name, outer === undefined ? undefined : groupIn(space, outer)?.path);
    return meaning === undefined ? [] : [{ space, meaning }];
  });
}

function groupIn(space: Space, outer: Field): Meaning | undefined {
  return outer.meanings.find(({ models }) => models === undefined || models.includes(space.model ?? ""));
}

function meaningIn(space: Space, name: string, group?: string): Meaning | undefined {
  if (group !== undefined) {
    const path = `${group}.${name}`;
    const relative = meaningOf(space, path);
    const declared = space.shortNames.get(name.toLowerCase());
    if (relative !== undefined) return withDimensions(relative, declared?.paths.includes(path) ? declared : {});
  }
  const whole: ShortName = { paths: [name] };
  const below: readonly ShortName[] = space.roots.map((root) => ({ paths: [root + name] }));
  for (const known of [...shortNames(space, name), whole, ...below, ...labelled(space, name)]) {
    const found = known.paths.flatMap((path) => meaningOf(space, path) ?? []);
    if (found[0] === undefined) continue;
    const isInside = ({ path }: Meaning): boolean =>
      group === undefined || path === group || path.startsWith(`${group}.`);
    const [first, ...others] = found.filter(isInside);
    if (first === undefined) return { ...found[0], leaves: [], sites: [] };
    return withDimensions(joinMeanings(first, others), known);
  }
  return undefined;
}

function withDimensions(meaning: Meaning, { dimensions }: Pick<ShortName, "dimensions">): Meaning {
  return dimensions === undefined ? meaning : { ...meaning, dimensions };
}

/** `organism`, and `organism.title` below what it stands for. */
function shortNames(space: Space, name: string): readonly ShortName[] {
  const [first = "", ...rest] = name.split(".");
  const whole = space.shortNames.get(name.toLowerCase());
  const start = space.shortNames.get(first.toLowerCase());
  const below = rest.length === 0 ? [] : (start?.paths ?? []).map((path) => `${path}.${rest.join(".")}`);
  return [...(whole === undefined ? [] : [whole]), ...(below.length === 0 ? [] : [{ paths: below }])];
}

/** Returns the field with this label, or with this short name apart from its signs. A path is never a label. */
function labelled({ looseNames: names }: Space, name: string): readonly ShortName[] {
  const known = name.includes(".") ? undefined : names.get(looseName(name));
  return known === undefined ? [] : [known];
}

function meaningOf({ leaves, below, elementPaths, sites }: Space, path: string): Meaning | undefined {
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

/** Leaves by each of the paths above them. */
function leavesBelow(leaves: ReadonlyMap<string, Leaf>): ReadonlyMap<string, readonly Leaf[]> {
  const below = new Map<string, Leaf[]>();
  for (const leaf of leaves.values()) {
    for (let dot = leaf.path.lastIndexOf("."); dot > 0; dot = leaf.path.lastIndexOf(".", dot - 1)) {
      const above = leaf.path.slice(0, dot);
      const others = below.get(above);
      if (others === undefined) below.set(above, [leaf]);
      else others.push(leaf);
    }
  }
  return below;
}

function namesOf(space: Space): readonly string[] {
  const paths = [...space.leaves.values()].flatMap(({ path, quantity }) => (quantity?.named === undefined ? path : []));
  const bare = paths.map((path) => {
    const root = space.roots.filter((one) => path.startsWith(one)).sort((a, b) => b.length - a.length)[0];
    return path.slice(root?.length ?? 0);
  });
  return [...space.shortNames.keys(), ...bare];
}
