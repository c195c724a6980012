import { addAll } from "../../core/arrays.js";
import type { Model, NamedQuantity, TermSite } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import type { RecordBody } from "../../core/record.js";
import type { TermNow } from "../../core/term.js";
import { analyse } from "../text/analyse.js";
import { makeLeafValue } from "./leaf-value.js";
import type { LeafValue, RecordLeaves } from "./leaves.js";
import { quantityLeaves, unitOf } from "./quantity-leaves.js";

/** A cited term as its vocabulary has it now; undefined where it does not. */
export type TermOf = (vocabulary: string, id: string) => TermNow | undefined;

/** Fixed paths whose words are looked for at the path only: every record is "published", or of some model. */
export const FIELD_ONLY_PATHS: readonly string[] = ["model", "state"];

/** Told of each value that stands in the body: what was made of it, and the value as text. */
export type KeepText = (leaf: LeafValue, text: string) => void;

/**
 * Everything that an index takes of a record. Values of any type are taken as they come: a draft may hold a text where
 * the model wants a number, and is found by it.
 *
 * The fixed leaves (id, model, state, ...) come first. Cited terms give, beside what stands in the record, at
 * `<site>.synonyms` and `<site>.title.<language>` what `termOf` knows, and at `<site>.id` the id that stands for it
 * now, which facets count. Undeclared values are text without a path, in the nearest declared
 * element. A number that stands for "not known" is no value at all. Quantities are there as they stand, and converted.
 *
 */
export function recordLeaves(body: RecordBody, model: Model, termOf: TermOf, keepText?: KeepText): RecordLeaves {
  const walk = new Walk(model, termOf, keepText);
  for (const [path, value] of fixedValues(body)) walk.addFixed(path, value);
  walk.visit(body.metadata, "metadata", 0);
  return walk;
}

/** What an index takes of the values that the service gives every record: the first of `recordLeaves`. */
export function fixedLeaves(body: Fixed, model: Model): readonly LeafValue[] {
  const walk = new Walk(model, () => undefined, undefined);
  for (const [path, value] of fixedValues(body)) walk.addFixed(path, value);
  return walk.leaves;
}

/** What an index takes of metadata: the rest of `recordLeaves`, which is the same in every record that has it. */
export function metadataLeaves(metadata: JsonObject, model: Model, termOf: TermOf): RecordLeaves {
  const walk = new Walk(model, termOf, undefined);
  walk.visit(metadata, "metadata", 0);
  const { elements, leaves, cites } = walk;
  return { elements, leaves, cites };
}

type Fixed = Omit<RecordBody, "metadata">;

/** Values that the service gives every record. */
function fixedValues(body: Fixed): readonly (readonly [path: string, value: string])[] {
  return [
    ["id", body.id],
    ["model", body.model],
    ["state", body.state],
    ["created", body.created],
    ["updated", body.updated],
    ["parent.id", body.parent.id],
  ];
}

class Walk implements RecordLeaves {
  readonly elements: { path: string; parent: number }[] = [];
  readonly leaves: LeafValue[] = [];
  readonly cites: { vocabulary: string; id: string; site: string; element: number; isReplaced?: true }[] = [];
  readonly #elementPaths: ReadonlySet<string>;
  readonly #sites: ReadonlyMap<string, readonly TermSite[]>;
  readonly #named: ReadonlyMap<string, readonly NamedQuantity[]>;

  constructor(
    readonly model: Model,
    readonly termOf: TermOf,
    readonly keepText: KeepText | undefined,
  ) {
    this.#elementPaths = new Set(model.elementPaths);
    this.#sites = byPath(model.termSites);
    this.#named = byPath(model.quantities);
  }

  addFixed(path: string, value: string): void {
    const leaf = this.model.leaves.get(path);
    if (leaf === undefined) return;
    const made = makeLeafValue(leaf, 0, value);
    if (made === undefined) return;
    const isFieldOnly = FIELD_ONLY_PATHS.includes(path) ? { isFieldOnly: true as const } : {};
    // Every record has the words of some year.
    this.#add(leaf.type === "date" ? { ...made, words: [] } : { ...made, ...isFieldOnly }, value);
  }

  /**
   * @param path null below a key that no schema declares
   * @param unit what the object around it says to be the unit of its numbers
   */
  visit(value: Json, path: string | null, element: number, unit?: string): void {
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, path, element, unit);
    } else if (isObject(value)) {
      this.#visitObject(value, path, element);
    } else {
      this.#addValue(value as string | number | boolean | null, path, element, unit);
    }
  }

  #visitObject(object: JsonObject, path: string | null, outer: number): void {
    let element = outer;
    if (path !== null && this.#elementPaths.has(path)) {
      element = this.elements.push({ path, parent: outer });
      for (const quantity of this.#named.get(path) ?? []) this.#addNamed(object, quantity, element);
    }
    const sites = path === null ? undefined : this.#sites.get(path);
    if (path !== null && sites !== undefined) this.#visitTerm(object, path, sites, element);
    else
      for (const [key, value] of Object.entries(object)) this.visit(value, below(path, key), element, unitOf(object));
  }

  #addNamed(object: JsonObject, { path, where, value, leaf }: NamedQuantity, element: number): void {
    const number = own(object, value);
    const isMeant = [...where].every(([key, text]) => own(object, key) === text);
    const isKnown = typeof number === "number" && number !== this.model.leaves.get(`${path}.${value}`)?.notKnown;
    if (!isMeant || !isKnown) return;
    this.leaves.push({ path: leaf.path, element, weight: "rest", words: [], number });
    addAll(this.leaves, quantityLeaves(leaf, { element, number }, unitOf(object), this.model.units));
  }

  #visitTerm(term: JsonObject, path: string, sites: readonly TermSite[], element: number): void {
    const id = own(term, "id");
    const cited = typeof id === "string" && id !== "" ? id : undefined;
    const terms = sites.map(({ vocabulary }) => {
      return { vocabulary, now: cited === undefined ? undefined : this.termOf(vocabulary, cited) };
    });
    const isReplaced = terms.some(({ now }) => now !== undefined && now.id !== cited);
    for (const [key, value] of Object.entries(term)) {
      if (key === "@v") continue; // A marker of the service: nobody looks for its hexadecimal words.
      const first = this.leaves.length;
      this.visit(value, below(path, key), element, unitOf(term));
      if (key === "id" && isReplaced) this.#dropKeyword(first);
    }
    if (cited === undefined) return;
    for (const { vocabulary, now } of terms) {
      this.#addCites({ vocabulary, id: cited, site: path, element }, now);
      if (now !== undefined) this.#addPresent(term, path, now, element);
    }
  }

  /** Facets count the id that stands for this one; as words it is found by both. */
  #dropKeyword(at: number): void {
    const leaf = this.leaves[at];
    if (leaf === undefined) return;
    // The same object: what was kept of its text is kept by it.
    Object.assign(leaf, { keyword: undefined });
  }

  #addCites(cited: { vocabulary: string; id: string; site: string; element: number }, now: TermNow | undefined): void {
    for (const id of [cited.id, ...(now?.successors ?? [])]) {
      const isReplaced = now !== undefined && id !== now.id;
      this.cites.push({ ...cited, id, ...(isReplaced ? { isReplaced: true as const } : {}) });
    }
  }

  /** What the vocabulary says of the term now, as far as it does not stand in the record. */
  #addPresent(term: JsonObject, path: string, now: TermNow, element: number): void {
    const leaf = this.model.leaves.get(`${path}.id`);
    if (now.id !== own(term, "id") && leaf !== undefined) {
      const made = makeLeafValue(leaf, element, now.id);
      if (made !== undefined) this.leaves.push(made);
    }
    const stored = own(term, "title");
    for (const titles of now.titles) {
      for (const [language, title] of Object.entries(titles)) {
        if (isObject(stored) && own(stored, language) === title) continue;
        this.#addTitle(`${path}.title.${language}`, title, element);
      }
    }
    for (const name of now.names) this.#addName(`${path}.synonyms`, name, element);
  }

  /** In a language that no model declares it has no path, as in the body of a record. */
  #addTitle(path: string, title: string, element: number): void {
    const leaf = this.model.leaves.get(path);
    const words = analyse(title);
    if (words.length === 0) return;
    this.leaves.push({ path: leaf === undefined ? null : path, element, weight: leaf?.weight ?? "rest", words });
  }

  /** Without a keyword: nobody counts or sorts by synonyms, and there are many. */
  #addName(path: string, name: string, element: number): void {
    const weight = this.model.leaves.get(path)?.weight ?? "rest";
    if (name !== "") this.leaves.push({ path, element, weight, words: analyse(name) });
  }

  #addValue(value: string | number | boolean | null, path: string | null, element: number, unit?: string): void {
    const leaf = path === null ? undefined : this.model.leaves.get(path);
    const made = leaf === undefined ? undeclared(value, element) : makeLeafValue(leaf, element, value);
    if (made === undefined) return;
    this.#add(made, String(value));
    if (leaf?.quantity === undefined) return;
    addAll(this.leaves, quantityLeaves(leaf, made, unit, this.model.units));
  }

  #add(leaf: LeafValue, text: string): void {
    this.leaves.push(leaf);
    this.keepText?.(leaf, text);
  }
}

/** Alternatives of one schema may cite different vocabularies at one path; a list may hold several quantities. */
function byPath<T extends { readonly path: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const grouped = new Map<string, readonly T[]>();
  for (const one of all) grouped.set(one.path, [...(grouped.get(one.path) ?? []), one]);
  return grouped;
}

/** A key with a dot in it would look like a path of two names. */
function below(path: string | null, key: string): string | null {
  return path === null || key.includes(".") ? null : `${path}.${key}`;
}

function undeclared(value: string | number | boolean | null, element: number): LeafValue | undefined {
  const words = value === null ? [] : analyse(String(value));
  return words.length === 0 ? undefined : { path: null, element, weight: "rest", words };
}
