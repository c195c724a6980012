/**
 * Declarations that extend others. What a declaration says is a JSON Merge Patch (RFC 7396) of what it extends: maps
 * are merged key by key, every other value replaces the inherited one, and null removes it.
 */
import { isObject } from "../json.js";
import { nearestNames } from "../nearest.js";
import type { Declaration, Location, Place, Problems } from "./declaration.js";
import { DeclaredObject } from "./declared.js";

/** The declarations of the catalog that can be extended. */
export interface Extendable {
  /** All names, for messages. */
  names(): readonly string[];
  /** What a name means in a declaration; its own name means the declaration of that name in an earlier folder. */
  find(name: string, from: Declaration): Declaration | undefined;
}

/** A declaration with all that it inherits; `locate` leads to the file that says it. */
export interface ExtendedDeclaration extends Declaration {
  /** The names after its own `extends`. */
  readonly extends: readonly string[];
  /** The declarations that it extends, directly or not, each once; those of the first name come first. */
  readonly ancestors: readonly Declaration[];
}

/** Keys that nothing inherits: they say what a declaration itself is. */
const OWN_KEYS = ["name", "extends"];
/** Maps whose keys are names: there a null that removes nothing is a mistake, elsewhere it is an absent key. */
const NAME_MAPS = ["fields", "expected"];

/** A value of a merged declaration, and where it is written. */
interface Part {
  readonly declaration: Declaration;
  readonly place: Place;
  /** Of a map. */
  readonly entries?: ReadonlyMap<string, Part>;
  /** Of anything else. */
  readonly value?: unknown;
  /** The same key of another base, which says something else. */
  readonly rival?: Part;
}

/**
 * Merges a declaration with those that it extends.
 *
 * @param name by which others extend it
 */
export function extendDeclaration(
  name: string,
  own: Declaration,
  known: Extendable,
  problems: Problems,
): ExtendedDeclaration {
  const { part, extended, ancestors } = merge(own, [{ name, file: own.file }], { known, problems, noted: new Set() });
  return {
    ...{ file: own.file, value: plainValue(part), extends: extended, ancestors },
    locate: (place) => locate(part, place, own),
  };
}

interface Merged {
  readonly part: Part;
  readonly extended: readonly string[];
  readonly ancestors: readonly Declaration[];
}

/** What every step of a merge uses. */
interface Context {
  readonly known: Extendable;
  readonly problems: Problems;
  /** Rivals that a mistake names already. */
  readonly noted: Set<Part>;
}

/** The declarations that led to a base, from the one that is merged to the one that extends the base. */
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

/** The declaration that a name after `extends` means; undefined, noted, where it means none. */
function baseOf(own: Declaration, name: string, chain: Chain, { known, problems }: Context): Declaration | undefined {
  const base = known.find(name, own);
  if (base === undefined) {
    problems.add(own, ["extends"], unknown(name, chain.at(-1)?.name, known));
    return undefined;
  }
  const before = chain.findIndex(({ file }) => file === base.file);
  if (before === -1) return base;
  const circle = [...chain.slice(before).map((each) => each.name), name].join(" -> ");
  problems.add(own, ["extends"], `"extends" leads back to where it began: ${circle}; remove one of these`);
  return undefined;
}

function unknown(name: string, self: string | undefined, known: Extendable): string {
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

/** A base with what a declaration says: maps are merged, anything else replaces, null removes. */
function patch(base: Part, own: Part, problems: Problems): Part {
  if (base.entries === undefined || own.entries === undefined) return own;
  const entries = new Map(base.entries);
  for (const [key, said] of own.entries) {
    const inherited = entries.get(key);
    // A key with nothing after it (`fields:`) is an empty map, and not a way to lose all fields.
    if (said.value === null && own.place.length === 0 && inherited?.entries !== undefined) continue;
    if (said.value !== null) entries.set(key, inherited === undefined ? said : patch(inherited, said, problems));
    else if (!entries.delete(key) && NAME_MAPS.includes(String(own.place[0]))) {
      const name = [...own.place, key].join(".");
      problems.add(own.declaration, [...own.place, key], `"${name}" is not inherited, so null removes nothing`);
    }
  }
  return { ...own, entries };
}

/** Two bases of one declaration; what both of them say must be the same. */
function unite(first: Part, second: Part): Part {
  if (first.entries === undefined || second.entries === undefined) {
    const isSame = JSON.stringify(plainValue(first)) === JSON.stringify(plainValue(second));
    return isSame || first.rival !== undefined ? first : { ...first, rival: second };
  }
  const entries = new Map(first.entries);
  for (const [key, part] of second.entries) {
    const known = entries.get(key);
    entries.set(key, known === undefined ? part : unite(known, part));
  }
  return { ...first, entries };
}

/** Notes what bases say differently and the declaration does not settle. */
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

/** Moves each field that says `after: <field>` behind that one; without it a new field stands behind the inherited. */
function inOrder(part: Part, own: Declaration, problems: Problems): Part {
  const fields = part.entries?.get("fields");
  if (part.entries === undefined || fields?.entries === undefined) return part;
  let order = [...fields.entries];
  /** Of each field that others stand after, the last of them. */
  const last = new Map<unknown, string>();
  for (const [name, field] of fields.entries) {
    const after = field.entries?.get("after")?.value;
    if (after === undefined) continue;
    order = order.filter(([each]) => each !== name);
    const before = order.findIndex(([each]) => each === (last.get(after) ?? after));
    if (before === -1) problems.add(own, ["fields", name, "after"], `there is no other field "${String(after)}"`);
    order.splice(before === -1 ? order.length : before + 1, 0, [name, withoutAfter(field)]);
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
  // What stands within a list was not merged, so the file itself knows its line.
  const found = part.declaration.locate([...part.place, ...place.slice(depth)]);
  return part.declaration === own ? found : { ...found, inheritedBy: format(own.locate(["extends"])) };
}

const format = ({ file, line }: Location): string => `${file}:${line}`;
