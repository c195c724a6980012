import { canonicalPath, type PathNode } from "../../core/catalog/places.js";
import type { Leaf, Model, MoleculeList, NamedQuantity } from "../../core/catalog/types.js";
import { derivedQuantities, statesQuantity } from "../../core/citable/derived-quantities.js";
import { moleculesIn, namedKey } from "../../core/citable/molecules.js";
import { addAll } from "../../core/collections.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { moleculeId, skeletonId } from "../../core/pasted-identifiers.js";
import type { RecordBody } from "../../core/record.js";
import type { CurrentTerm } from "../../core/term.js";
import { analyse } from "../text/analyse.js";
import { stalePath } from "./indexed-paths.js";
import {
  citedForms,
  declaredUnit,
  type LeafValue,
  makeLeafValue,
  quantityLeaves,
  type RecordLeaves,
} from "./leaves.js";

/** Looks up the current state of a cited term. Returns undefined if the vocabulary does not have it. */
export type FindCitedTerm = (vocabulary: string, id: string) => CurrentTerm | undefined;

/**
 * Fixed paths whose words are found only by a query for the path: every record has the words of a model and a state.
 */
export const FIELD_ONLY_PATHS: readonly string[] = ["model", "state"];

/** Receives each leaf of a value in the body, and the value as text. */
export type KeepText = (leaf: LeafValue, text: string) => void;

/**
 * Returns all leaves of a record, which the index stores. Values of the wrong type are indexed too: a draft may have a
 * text in place of a number, and the text finds it.
 *
 * - The fixed leaves (id, model, state, ...) come first.
 * - A cited term has, besides its values in the record, the current synonyms and titles that `findCitedTerm` returns
 * (`<site>.synonyms`, `<site>.title.<language>`), and at `<site>.id` the id that replaces it, which facets count. A
 * leaf at `stalePath` marks a record with another version of a term than the one that `findCitedTerm` returns.
 * - Undeclared values are text without a path, in the nearest declared element. A number that means "not known" has no
 * leaf. Quantities have leaves with the original and with the converted number. Derived quantities have leaves in the
 * element from which they are computed.
 */
export function recordLeaves(
  body: RecordBody,
  model: Model,
  findCitedTerm: FindCitedTerm,
  keepText?: KeepText,
): RecordLeaves {
  const walk = new Walk(model, findCitedTerm, keepText);
  for (const [path, value] of fixedValues(body)) {
    const leaf = fixedLeaf(model.leaves, path, value);
    if (leaf !== undefined) walk.add(leaf, value);
  }
  walk.visitMetadata(body.metadata);
  return walk.result;
}

/** Returns the leaves of the values that the service sets in every record: the first ones of `recordLeaves`. */
export function fixedLeaves(body: Fixed, { leaves }: Model): readonly LeafValue[] {
  return fixedValues(body).flatMap(([path, value]) => fixedLeaf(leaves, path, value) ?? []);
}

/** Returns the leaves of metadata: the rest of `recordLeaves`. They depend on the metadata and the cited terms only. */
export function metadataLeaves(
  metadata: JsonObject,
  model: Model,
  findCitedTerm: FindCitedTerm,
  keepText?: KeepText,
): RecordLeaves {
  const walk = new Walk(model, findCitedTerm, keepText);
  walk.visitMetadata(metadata);
  return walk.result;
}

type Fixed = Omit<RecordBody, "metadata">;

/** Returns the values that the service sets in every record, by path. */
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

function fixedLeaf(leaves: Model["leaves"], path: string, value: string): LeafValue | undefined {
  const leaf = leaves.get(path);
  const leafValue = leaf && makeLeafValue(leaf, 0, value);
  if (leaf === undefined || leafValue === undefined) return undefined;
  // Dates have no words, because every record would be found by the number of a year.
  if (leaf.type === "date") return { ...leafValue, words: [] };
  return FIELD_ONLY_PATHS.includes(path) ? { ...leafValue, isFieldOnly: true } : leafValue;
}

/** A walk through the metadata of a record that collects its leaves. The place is undefined below an undeclared key. */
class Walk {
  readonly #elements: { path: string; parent: number }[] = [];
  readonly #leaves: LeafValue[] = [];
  readonly #cites: { vocabulary: string; id: string; site: string; element: number; isReplaced?: true | undefined }[] =
    [];
  /** Vocabularies of cited terms that the record has in an older version. */
  readonly #stale = new Set<string>();
  /** Numbers of the elements that may state quantities from which others are derived. */
  readonly #elementNumbers = new Map<JsonObject, number>();

  constructor(
    readonly model: Model,
    readonly findCitedTerm: FindCitedTerm,
    readonly keepText: KeepText | undefined,
  ) {}

  get result(): RecordLeaves {
    const stale = Array.from(this.#stale, staleLeaf);
    return { elements: this.#elements, leaves: [...this.#leaves, ...stale], cites: this.#cites };
  }

  add(leaf: LeafValue, text: string): void {
    this.#leaves.push(leaf);
    this.keepText?.(leaf, text);
  }

  visitMetadata(metadata: JsonObject): void {
    this.visit(metadata, this.model.places, 0);
    if (this.#elementNumbers.size > 0) this.#addDerived(metadata);
  }

  /** Adds the leaves of a value and of all values in it. @param unit unit that the surrounding object declares */
  visit(value: Json, place: PathNode | undefined, element: number, unit?: string): void {
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, place, element, unit);
    } else if (isObject(value)) {
      this.#visitObject(value, place, element);
    } else {
      this.#addValue(value as string | number | boolean | null, place, element, unit);
    }
  }

  #visitObject(object: JsonObject, place: PathNode | undefined, outer: number): void {
    let element = outer;
    if (place?.isElement) {
      element = this.#elements.push({ path: place.path, parent: outer });
      for (const quantity of place.quantities) this.#addNamed(object, quantity, element);
      if (place.molecules !== undefined) this.#addMolecules(object, place.molecules, element);
    }
    if (place !== undefined && place.sites.length > 0) {
      this.#visitTerm(object, place, element);
      return;
    }
    const unit = declaredUnit(object);
    for (const key of Object.keys(object)) this.visit(object[key]!, place?.below.get(key), element, unit);
  }

  #addNamed(object: JsonObject, quantity: NamedQuantity, element: number): void {
    if (!statesQuantity(object, quantity, this.model)) return;
    const { leaf } = quantity;
    const number = own(object, quantity.value) as number;
    this.#elementNumbers.set(object, element);
    this.#leaves.push({ path: leaf.path, element, weight: "rest", words: [], number });
    addAll(this.#leaves, quantityLeaves(leaf, { element, number }, declaredUnit(object), this.model.units));
  }

  /**
   * Adds the ids of a molecule and of its parts, and their names. Facets count the current id of a cited term; its
   * replaced id and the first block of an InChIKey find the record too.
   */
  #addMolecules(object: JsonObject, { ids, leaf, otherLeaf, namesPath }: MoleculeList, element: number): void {
    const keywords = new Map<string, Set<string>>();
    const add = (path: string, keyword: string | undefined): void => {
      const atPath = keywords.get(path) ?? new Set();
      if (keyword === undefined || atPath.has(keyword)) return;
      keywords.set(path, atPath.add(keyword));
      this.#leaves.push({ path, element, weight: "rest", words: [], keyword });
    };
    for (const { id, name, term } of moleculesIn(object, ids)) {
      const successor = term && this.findCitedTerm(term.vocabulary, term.id)?.id;
      const current = (successor === undefined ? undefined : moleculeId(successor)) ?? id;
      add(leaf.path, current);
      if (current !== id) add(otherLeaf.path, id);
      add(otherLeaf.path, skeletonId(current));
      if (name !== undefined) add(namesPath, namedKey(current, name));
    }
  }

  /** Adds the derived quantities. Their unconverted leaf has no number, because nobody entered one. */
  #addDerived(metadata: JsonObject): void {
    for (const { leaf, value, element: object } of derivedQuantities(metadata, this.model)) {
      const at = { element: this.#elementNumbers.get(object)!, weight: "rest", words: [] } as const;
      this.#leaves.push({ path: leaf.path, ...at });
      this.#leaves.push({ path: canonicalPath(leaf, value.dimension), ...at, number: value.number });
    }
  }

  #visitTerm(term: JsonObject, place: PathNode, element: number): void {
    const id = own(term, "id");
    const citedId = typeof id === "string" && id !== "" ? id : undefined;
    const terms = place.sites.map(({ vocabulary }) => {
      return { vocabulary, now: citedId === undefined ? undefined : this.findCitedTerm(vocabulary, citedId) };
    });
    const isReplaced = terms.some(({ now }) => now !== undefined && now.id !== citedId);
    const unit = declaredUnit(term);
    for (const key of Object.keys(term)) {
      if (key === "@v") continue; // A marker of the service, whose hexadecimal words nobody searches for.
      const first = this.#leaves.length;
      this.visit(term[key]!, place.below.get(key), element, unit);
      if (key === "id" && isReplaced) this.#dropKeyword(first);
    }
    if (citedId === undefined) return;
    this.#noteStale(own(term, "@v"), terms);
    for (const { vocabulary, now } of terms) {
      this.#addCites({ vocabulary, id: citedId, site: place.path, element }, now);
      if (now !== undefined) this.#addPresent(term, place, now, element);
    }
  }

  /**
   * Notes a stale term. Of alternative vocabularies, the first one with the term decides, as when terms are filled in.
   */
  #noteStale(version: Json | undefined, terms: readonly { vocabulary: string; now: CurrentTerm | undefined }[]): void {
    const currentTerm = terms.find(({ now }) => now?.version !== undefined);
    if (typeof version === "string" && currentTerm !== undefined && currentTerm.now?.version !== version) {
      this.#stale.add(currentTerm.vocabulary);
    }
  }

  /** Removes the keyword of a replaced id: facets count its successor. Its words stay, so both ids find the record. */
  #dropKeyword(at: number): void {
    const leaf = this.#leaves[at];
    if (leaf === undefined) return;
    // Changes the same object, because `keepText` may have stored its text by it.
    Object.assign(leaf, { keyword: undefined });
  }

  #addCites(
    cited: { vocabulary: string; id: string; site: string; element: number },
    now: CurrentTerm | undefined,
  ): void {
    for (const id of [cited.id, ...(now?.successors ?? [])]) {
      const isReplaced = now !== undefined && id !== now.id;
      this.#cites.push({ ...cited, id, isReplaced: isReplaced ? true : undefined });
    }
  }

  /** Adds what the vocabulary has of the term now and the record does not: id of the successor, titles, synonyms. */
  #addPresent(term: JsonObject, { path, below }: PathNode, now: CurrentTerm, element: number): void {
    const leaf = below.get("id")?.leaf;
    if (now.id !== own(term, "id") && leaf !== undefined) {
      const leafValue = makeLeafValue(leaf, element, now.id);
      if (leafValue !== undefined) this.#leaves.push(leafValue);
    }
    const stored = own(term, "title");
    const declared = below.get("title")?.below;
    for (const titles of now.titles) {
      for (const [language, title] of Object.entries(titles)) {
        if (isObject(stored) && own(stored, language) === title) continue;
        this.#addTitle(declared?.get(language)?.leaf, title, element);
      }
    }
    const synonyms = below.get("synonyms");
    for (const name of now.names) this.#addName(`${path}.synonyms`, synonyms?.leaf, name, element);
  }

  /** Adds a title. In a language that no model declares it has no path, as in the body of a record. */
  #addTitle(leaf: Leaf | undefined, title: string, element: number): void {
    const words = analyse(title);
    if (words.length === 0) return;
    this.#leaves.push({ path: leaf?.path ?? null, element, weight: leaf?.weight ?? "rest", words });
  }

  /** Adds a synonym, without a keyword: nobody counts or sorts by synonyms, and there are many. */
  #addName(path: string, leaf: Leaf | undefined, name: string, element: number): void {
    if (name !== "") this.#leaves.push({ path, element, weight: leaf?.weight ?? "rest", words: analyse(name) });
  }

  #addValue(
    value: string | number | boolean | null,
    place: PathNode | undefined,
    element: number,
    unit: string | undefined,
  ): void {
    const leaf = place?.leaf;
    const leafValue = leaf === undefined ? makeUndeclaredValue(value, element) : makeLeafValue(leaf, element, value);
    if (leafValue === undefined) return;
    this.add(leafValue, String(value));
    if (leaf?.kind !== undefined) addAll(this.#leaves, citedForms(leaf, element, String(value)));
    if (leaf?.quantity !== undefined) addAll(this.#leaves, quantityLeaves(leaf, leafValue, unit, this.model.units));
  }
}

/** Makes the leaf of a stale vocabulary. It has no words: queries only ask whether it exists. */
function staleLeaf(vocabulary: string): LeafValue {
  return { path: stalePath(vocabulary), element: 0, weight: "rest", words: [] };
}

function makeUndeclaredValue(value: string | number | boolean | null, element: number): LeafValue | undefined {
  const words = value === null ? [] : analyse(String(value));
  return words.length === 0 ? undefined : { path: null, element, weight: "rest", words };
}
