import type { Leaf, Model, Vocabulary } from "../core/catalog/types.js";
import { LIMITS } from "../core/limits.js";
import { nearestNames } from "../core/nearest.js";

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
  /** Models in which the name means this; absent: in all that are searched. */
  readonly models?: readonly string[];
}

/** A name that is known, with what it means. Models that do not know it are not among the meanings. */
export interface Field {
  readonly meanings: readonly Meaning[];
}

/** An item that an id names: `taxid:562` in `organisms`. */
export interface KnownId {
  readonly vocabulary: string;
  readonly id: string;
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
  /** Is the item itself what is searched for (terms), or what cites it (records)? */
  readonly isTerms: boolean;
  /** Known names near to one that is not, best first. */
  nearest(name: string): readonly string[];
}

/** A model, or a vocabulary, as far as names go. */
interface Space {
  /** Undefined for a vocabulary: nothing need be told apart. */
  readonly model?: string;
  readonly leaves: ReadonlyMap<string, Leaf>;
  readonly below: ReadonlyMap<string, readonly Leaf[]>;
  readonly roots: readonly string[];
  readonly shortNames: ReadonlyMap<string, string>;
  readonly elementPaths: ReadonlySet<string>;
  readonly sites: readonly string[];
}

/** Names that every record has, in any case as the declared short names. */
const FIXED_NAMES = ["id", "model", "state", "created", "updated"];

/** Fields of the records of some models. A name means in each model what that model declares. */
export function recordFields(models: readonly Model[], vocabularies: Iterable<Vocabulary>): FieldLookup {
  const spaces = models.map(
    (model): Space => ({
      model: model.name,
      leaves: model.leaves,
      below: leavesBelow(model.leaves),
      roots: model.roots,
      shortNames: new Map([
        ...FIXED_NAMES.map((name) => [name, name] as const),
        ...[...model.fields.values()].map((field) => [field.name.toLowerCase(), field.path] as const),
      ]),
      elementPaths: new Set(model.elementPaths),
      sites: [...new Set(model.termSites.map((site) => site.path))],
    }),
  );
  return makeLookup(spaces, [...vocabularies], false);
}

/** Fields of the items of one vocabulary: id, title, title.<lang>, synonyms, parent, status, props.<name>, <prop>. */
export function termFields(vocabulary: Vocabulary): FieldLookup {
  // Where titles in other languages than the declared ones stand.
  const other: Leaf = { path: "title", type: "keyword", weight: "title", elementPath: "" };
  const leaves = new Map([...vocabulary.leaves, [other.path, other]]);
  const space: Space = {
    leaves,
    below: leavesBelow(leaves),
    roots: ["props."],
    shortNames: termNames([...leaves.keys()]),
    elementPaths: new Set(),
    sites: [],
  };
  return makeLookup([space], [vocabulary], true);
}

/** First names of the paths of a vocabulary, and bare names of its props, in lower case. */
function termNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const parts = paths.map((path) => path.split("."));
  const props = parts.flatMap(([first, prop]) => (first === "props" && prop !== undefined ? [prop] : []));
  return new Map([
    ...props.map((prop) => [prop.toLowerCase(), `props.${prop}`] as const),
    ...parts.map(([first = ""]) => [first.toLowerCase(), first] as const),
  ]);
}

function makeLookup(spaces: readonly Space[], vocabularies: readonly Vocabulary[], isTerms: boolean): FieldLookup {
  const names = new Set(spaces.flatMap(namesOf));
  const cache = new Map<string, Field | undefined>();
  const findOutermost = (name: string): Field | undefined => {
    if (!cache.has(name) && cache.size < CACHE_MAX) cache.set(name, search(spaces, name));
    return cache.has(name) ? cache.get(name) : search(spaces, name);
  };
  return {
    isTerms,
    findEach: (name) => {
      const meanings = locate(spaces, name).map(({ space, meaning }) => nameModels(meaning, [space]));
      return meanings.length === 0 ? undefined : { meanings };
    },
    find: (name, outer) => (outer === undefined ? findOutermost(name) : search(spaces, name, outer)),
    findIds: (text) => vocabularies.flatMap((vocabulary) => idIn(vocabulary, text)),
    nearest: (name) => nearestNames(name, names, LIMITS.nearestMax),
  };
}

/** Anybody may ask for any name: the memory of a lookup that lives long has an end. */
const CACHE_MAX = 1_000;

function search(spaces: readonly Space[], name: string, outer?: Field): Field | undefined {
  const within = outer === undefined ? spaces : spaces.filter((space) => groupIn(space, outer) !== undefined);
  const found = locate(within, name, outer);
  return found.length === 0 ? undefined : { meanings: unite(within, found) };
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
    const relative = meaningOf(space, `${group}.${name}`);
    if (relative !== undefined) return relative;
  }
  const paths = [...shortPaths(space, name), name, ...space.roots.map((root) => root + name)];
  for (const path of paths) {
    const meaning = meaningOf(space, path);
    if (meaning === undefined) continue;
    const isInside = group === undefined || path === group || path.startsWith(`${group}.`);
    return isInside ? meaning : { ...meaning, leaves: [], sites: [] };
  }
  return undefined;
}

/** `organism`, and `organism.title` below what it stands for. */
function shortPaths(space: Space, name: string): readonly string[] {
  const [first = "", ...rest] = name.split(".");
  const whole = space.shortNames.get(name.toLowerCase());
  const start = space.shortNames.get(first.toLowerCase());
  const below = start === undefined || rest.length === 0 ? [] : [`${start}.${rest.join(".")}`];
  return whole === undefined ? below : [whole, ...below];
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

interface Found {
  readonly space: Space;
  readonly meaning: Meaning;
}

/**
 * One meaning for all models where that comes to the same: every model gives all of its own leaves among the united
 * ones the same meaning. Else one for each group of models that agree.
 */
function unite(spaces: readonly Space[], found: readonly Found[]): readonly Meaning[] {
  const first = found[0]!.meaning;
  if (spaces.length === 1) return [first];
  const leaves = new Map(found.flatMap(({ meaning }) => meaning.leaves.map((leaf) => [leaf.path, leaf] as const)));
  const sites = new Set(found.flatMap(({ meaning }) => meaning.sites));
  const agree = spaces.every((space) => {
    const own = found.find((one) => one.space === space)?.meaning;
    const ofLeaves = new Map(own?.leaves.map((leaf) => [leaf.path, leaf]));
    const fits = (leaf: Leaf): boolean => {
      const declared = space.leaves.get(leaf.path);
      return declared === undefined || (ofLeaves.has(leaf.path) && declared.type === leaf.type);
    };
    const isSameKind = own === undefined || (own.isLeaf === first.isLeaf && own.isElement === first.isElement);
    const isSamePlace = own === undefined || own.path === first.path || !first.isElement;
    const citesSame = [...sites].every((site) => own?.sites.includes(site) || !space.sites.includes(site));
    return isSameKind && isSamePlace && citesSame && [...leaves.values()].every(fits);
  });
  if (agree) return [{ ...first, leaves: [...leaves.values()], sites: [...sites] }];
  return groupEqual(found);
}

function groupEqual(found: readonly Found[]): readonly Meaning[] {
  const groups = new Map<string, { meaning: Meaning; spaces: Space[] }>();
  for (const { space, meaning } of found) {
    const typed = meaning.leaves.map((leaf) => `${leaf.path}:${leaf.type}`);
    const key = JSON.stringify([meaning.path, meaning.isLeaf, meaning.isElement, typed, meaning.sites]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { meaning, spaces: [space] });
    else group.spaces.push(space);
  }
  return [...groups.values()].map(({ meaning, spaces }) => nameModels(meaning, spaces));
}

function nameModels(meaning: Meaning, spaces: readonly Space[]): Meaning {
  const models = spaces.flatMap(({ model }) => model ?? []);
  return models.length === 0 ? meaning : { ...meaning, models };
}

function namesOf(space: Space): readonly string[] {
  const paths = [...space.leaves.keys()];
  const bare = paths.map((path) => {
    const root = space.roots.filter((one) => path.startsWith(one)).sort((a, b) => b.length - a.length)[0];
    return path.slice(root?.length ?? 0);
  });
  return [...space.shortNames.keys(), ...bare];
}

function idIn(vocabulary: Vocabulary, text: string): readonly KnownId[] {
  const colon = text.indexOf(":");
  const prefix = text.slice(0, colon).toLowerCase();
  if (colon < 1 || !vocabulary.idPrefixes.includes(prefix)) return [];
  const rest = text.slice(colon + 1);
  const spellings = [rest, rest.toLowerCase(), rest.toUpperCase()].map((spelling) => `${prefix}:${spelling}`);
  const id = spellings.find((spelling) => vocabulary.idRegExp.test(spelling));
  if (id !== undefined) return [{ vocabulary: vocabulary.name, id: vocabulary.aliases.get(id.toLowerCase()) ?? id }];
  const alias = vocabulary.aliases.get(text.toLowerCase());
  return alias === undefined ? [] : [{ vocabulary: vocabulary.name, id: alias }];
}
