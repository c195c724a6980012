import type { Leaf, Vocabulary } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import { isObject, type Json } from "../../core/json.js";
import type { TermContent } from "../../core/term.js";
import type { Clause } from "./clause.js";
import { citedForms, makeLeafValue } from "./leaf-value.js";
import type { LeafValue } from "./leaves.js";
import { quantityLeaves, unitOf } from "./quantity-leaves.js";
import type { KeepText } from "./record-leaves.js";

/**
 * Everything that an index takes of a vocabulary item: id, title.<lang>, synonyms, parent, status, confirmed,
 * props.<name>.
 * A title in a language that the vocabulary does not declare stands at `title`. What lies in a prop that is a
 * list stands at the prop's own path, in an object at its key; what is not declared is text without a path. Quantities
 * are there as they stand, and converted.
 */
export function termLeaves(content: TermContent, vocabulary: Vocabulary, keepText?: KeepText): readonly LeafValue[] {
  const leaves: LeafValue[] = [];
  const addLeaf = (
    leaf: Leaf | undefined,
    value: string | number | boolean | null | undefined,
    unit?: string,
  ): void => {
    const made = value === undefined ? undefined : makeLeafValue(leaf ?? UNDECLARED, 0, value);
    if (made === undefined) return;
    const added = leaf === undefined ? asText(made) : made;
    leaves.push(added);
    keepText?.(added, String(value));
    if (leaf === undefined) return;
    addAll(leaves, quantityLeaves(leaf, made, unit, vocabulary.units));
    addAll(leaves, citedForms(leaf, 0, String(value)));
  };
  const addProp = (path: string, value: Json, unit?: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) addProp(path, item, unit);
    } else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) addProp(`${path}.${key}`, inner, unitOf(value));
    } else addLeaf(vocabulary.leaves.get(path), value as string | number | boolean | null, unit);
  };

  addLeaf(plain("id", "rest"), content.id);
  for (const [lang, title] of Object.entries(content.title)) {
    addLeaf(plain(vocabulary.languages.includes(lang) ? `title.${lang}` : "title", "title"), title);
  }
  for (const synonym of content.synonyms ?? []) addLeaf(plain("synonyms", "heavy"), synonym.name);
  addLeaf(plain("parent", "rest"), content.parent);
  addLeaf(plain("status", "rest"), content.status);
  // Its text is no word that somebody looks for.
  addLeaf({ ...plain(CONFIRMED, "rest"), isWhole: true }, content.confirmed);
  for (const [name, value] of Object.entries(content.props)) addProp(`props.${name}`, value, unitOf(content.props));
  return leaves;
}

/** Where a term says that it waits for a curator. */
const CONFIRMED = "confirmed";

/** Terms that depositors added and no curator has confirmed. */
export const IS_UNCONFIRMED: Clause = { kind: "exists", paths: [CONFIRMED] };

const plain = (path: string, weight: Leaf["weight"]): Leaf => ({ path, type: "keyword", weight, elementPath: "" });

const UNDECLARED = plain("", "rest");

const asText = ({ element, weight, words }: LeafValue): LeafValue => ({ path: null, element, weight, words });
