/**
 * Declarations that extend others. A declaration is a JSON Merge Patch (RFC 7396) of the declarations that it extends:
 * maps are merged key by key, every other value replaces the inherited one, and null removes it.
 */
import { isObject } from "../json.js";
import { nearestNames } from "../nearest.js";
import type { Declaration, Location, Place, Problems } from "./declaration.js";
import { DeclaredObject } from "./declared.js";

/** Declarations of the catalog that can be extended. */
export interface Extendable {
  /** Returns all names, for messages. */
  names(): readonly string[];
  /** Finds the declaration that a name means in another; its own name means the one in an earlier folder. */
  find(name: string, from: Declaration): Declaration | undefined;
}

/** Declaration with everything it inherits; `locate` returns the file of each part. */
export interface ExtendedDeclaration extends Declaration {
  /** Names after its own `extends`. */
  readonly extends: readonly string[];
  /** Declarations that it extends, directly or indirectly, each once; those of the first name come first. */
  readonly ancestors: readonly Declaration[];
}

/** Keys that are not inherited, because they describe the declaration itself. */
const OWN_KEYS = ["name", "extends"];
/** Maps whose keys are names: a null that removes nothing is a mistake in them, and an absent key elsewhere. */
const NAME_MAPS = ["fields", "expected"];

/** Value of a merged declaration, with its place. */
interface Part {
  readonly declaration: Declaration;
  readonly place: Place;
  /** Entries of a map. */
  readonly entries?: ReadonlyMap<string, Part>;
  /** Any other value. */
  readonly value?: unknown;
  /** Different value of the same key in another base. */
  readonly rival?: Part;
}

/**
 * Merges a declaration with those that it extends.
 *
 * @param name name by which others extend it
 */
export function extendDeclaration(
  name: string,
  own: Declaration,
  known: Extendable,
  problems: Problems,
): ExtendedDeclaration {
  const { part, extended, ancestors } = merge(own, [{ name, file: own.file }], { known, problems, noted: new Set() });
  return {
    file: own.file,
    value: plainValue(part),
    extends: extended,
    ancestors,
    locate: (place) => locate(part, place, own),
  };
}

interface Merged {
  readonly part: Part;
  readonly extended: readonly string[];
  readonly ancestors: readonly Declaration[];
}

/** Context of all steps of a merge. */
interface Context {
  readonly known: Extendable;
  readonly problems: Problems;
  /** Parts whose rivals are reported. */
  readonly noted: Set<Part>;
}

/** Declarations that led to a base, from the one that is merged to the one that extends the base. */
type Chain = readonly { readonly name: string; readonly file: string }[];

function merge(own: Declaration, chain: Chain, context: Context): Merged {
  const { problems } = context;
  const root = isObject(own.value) ? DeclaredObject.at(own, [], own.value, problems) : undefined;
  const extended = root?.textOrTexts("extends") ?? [];
  const bases = extended.flatMap((name) => {
    const base = baseOf(own, name, chain, context);
    if (base === undefined) return [];
    const merged = merge(base, [...chain, { name, file: base.file }], context);
    return [{ part: withoutOwnKeys(merged.part), ancestors: [base, ...merged.ancestors] }];
  });
  const inherited = bases.map(({ part }) => part).reduce<Part | undefined>((a, b) => (a ? unite(a, b) : b), undefined);
  const self = partOf(own, own.value, []);
  const part = inherited === undefined ? self : inOrder(patch(inherited, self, problems), own, problems);
  noteRivals(part, own, context);
  const ancestors = bases.flatMap((each) => each.ancestors);
  return { part, extended, ancestors: [...new Set(ancestors)] };
}

/** Finds the declaration that a name after `extends` means; returns undefined with a note if there is none. */
function baseOf(own: Declaration, name: string, chain: Chain, { known, problems }: Context): Declaration | undefined {
  const base = known.find(name, own);
  if (base === undefined) {
    problems.add(own, ["extends"], unknownBase(name, chain.at(-1)?.name, known));
    return undefined;
  }
  const start = chain.findIndex(({ file }) => file === base.file);
  if (start === -1) return base;
  const circle = [...chain.slice(start).map((each) => each.name), name].join(" -> ");
  problems.add(own, ["extends"], `"extends" leads back to where it began: ${circle}; remove one of these`);
  return undefined;
}

function unknownBase(name: string, self: string | undefined, known: Extendable): string {
  if (name === self) return `no earlier catalog folder has a "${name}" that this one could extend`;
  const names = known.names().filter((each) => each !== self);
  const [near] = nearestNames(name, names, 1);
  const cure = near === undefined ? `known are ${names.join(", ") || "none"}` : `did you mean "${near}"?`;
  return `there is no "${name}" to extend, neither shared/${name}.model.yaml nor models/${name}; ${cure}`;
}

function partOf(declaration: Declaration, value: unknown, place: Place): Part {
  if (!isObject(value)) return { declaration, place, value };
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, partOf(declaration, inner, [...place, key])] as const,
  );
  return { declaration, place, entries: new Map(entries) };
}

function withoutOwnKeys(part: Part): Part {
  if (part.entries === undefined) return part;
  return { ...part, entries: new Map([...part.entries].filter(([key]) => !OWN_KEYS.includes(key))) };
}

/** Patches a base with a declaration: maps are merged, any other value replaces, null removes. */
function patch(base: Part, own: Part, problems: Problems): Part {
  if (base.entries === undefined || own.entries === undefined) return own;
  const entries = new Map(base.entries);
  for (const [key, change] of own.entries) {
    const inherited = entries.get(key);
    // A key without a value (`fields:`) is an empty map, and does not remove all fields.
    if (change.value === null && own.place.length === 0 && inherited?.entries !== undefined) continue;
    if (change.value !== null) entries.set(key, inherited === undefined ? change : patch(inherited, change, problems));
    else if (!entries.delete(key) && NAME_MAPS.includes(String(own.place[0]))) {
      const name = [...own.place, key].join(".");
      problems.add(own.declaration, [...own.place, key], `"${name}" is not inherited, so null removes nothing`);
    }
  }
  return { ...own, entries };
}

/** Unites two bases of one declaration; values that are in both must be the same. */
function unite(first: Part, second: Part): Part {
  if (first.entries === undefined || second.entries === undefined) {
    const isSame = JSON.stringify(plainValue(first)) === JSON.stringify(plainValue(second));
    return isSame || first.rival !== undefined ? first : { ...first, rival: second };
  }
  const entries = new Map(first.entries);
  for (const [key, part] of second.entries) {
    const rival = entries.get(key);
    entries.set(key, rival === undefined ? part : unite(rival, part));
  }
  return { ...first, entries };
}

/** Notes values that differ between bases and that the declaration does not set. */
function noteRivals(part: Part, own: Declaration, context: Context, place: Place = []): void {
  const { problems, noted } = context;
  if (part.rival !== undefined && !noted.has(part)) {
    noted.add(part);
    const files = [part, part.rival].map((each) => format(each.declaration.locate(each.place)));
    const reason = `"${place.join(".")}" is inherited from ${files.join(" and from ")}, which differ; declare it here`;
    problems.add(own, ["extends"], reason);
  }
  for (const [key, inner] of part.entries ?? []) noteRivals(inner, own, context, [...place, key]);
}

/** Moves each field with `after: <field>` behind the named one; other new fields stay behind the inherited ones. */
function inOrder(part: Part, own: Declaration, problems: Problems): Part {
  const fields = part.entries?.get("fields");
  if (part.entries === undefined || fields?.entries === undefined) return part;
  let order = [...fields.entries];
  /** Last field that was moved behind each field. */
  const last = new Map<unknown, string>();
  for (const [name, field] of fields.entries) {
    const after = field.entries?.get("after")?.value;
    if (after === undefined) continue;
    order = order.filter(([each]) => each !== name);
    const position = order.findIndex(([each]) => each === (last.get(after) ?? after));
    if (position === -1) problems.add(own, ["fields", name, "after"], `there is no other field "${String(after)}"`);
    order.splice(position === -1 ? order.length : position + 1, 0, [name, withoutAfter(field)]);
    last.set(after, name);
  }
  return { ...part, entries: new Map(part.entries).set("fields", { ...fields, entries: new Map(order) }) };
}

function withoutAfter(field: Part): Part {
  return { ...field, entries: new Map([...(field.entries ?? [])].filter(([key]) => key !== "after")) };
}

function plainValue({ entries, value }: Part): unknown {
  if (entries === undefined) return value;
  return Object.fromEntries([...entries].map(([key, part]) => [key, plainValue(part)]));
}

function locate(root: Part, place: Place, own: Declaration): Location {
  let part = root;
  let depth = 0;
  for (; depth < place.length; depth++) {
    const inner = part.entries?.get(String(place[depth]));
    if (inner === undefined) break;
    part = inner;
  }
  // Lists are not merged, so the file itself has the lines of their parts.
  const location = part.declaration.locate([...part.place, ...place.slice(depth)]);
  return part.declaration === own ? location : { ...location, inheritedBy: format(own.locate(["extends"])) };
}

const format = ({ file, line }: Location): string => `${file}:${line}`;
