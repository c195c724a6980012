import type { Leaf, Vocabulary } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import { isObject, type Json } from "../../core/json.js";
import type { TermContent } from "../../core/term.js";
import type { Clause } from "./clause.js";
import { citedForms, declaredUnit, type LeafValue, makeLeafValue, quantityLeaves } from "./leaves.js";
import type { KeepText } from "./record-leaves.js";

/**
 * Returns all values of a term for an index: id, title.<lang>, synonyms, parent, status, confirmed, props.<name>.
 *
 * A title in a language that the vocabulary does not declare has the path `title`. The items of a list have the path of
 * their prop, values in an object have the path of their key. Undeclared values are text without a path. Quantities
 * have leaves with the original and with the converted number.
 */
export function termLeaves(content: TermContent, vocabulary: Vocabulary, keepText?: KeepText): readonly LeafValue[] {
  const leaves: LeafValue[] = [];
  const addLeaf = (
    leaf: Leaf | undefined,
    value: string | number | boolean | null | undefined,
    unit?: string,
  ): void => {
    const declared = value === undefined ? undefined : makeLeafValue(leaf ?? UNDECLARED, 0, value);
    if (declared === undefined) return;
    const leafValue = leaf === undefined ? asText(declared) : declared;
    leaves.push(leafValue);
    keepText?.(leafValue, String(value));
    if (leaf === undefined) return;
    addAll(leaves, quantityLeaves(leaf, leafValue, unit, vocabulary.units));
    addAll(leaves, citedForms(leaf, 0, String(value)));
  };
  const addProp = (path: string, value: Json, unit?: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) addProp(path, item, unit);
    } else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) addProp(`${path}.${key}`, inner, declaredUnit(value));
    } else addLeaf(vocabulary.leaves.get(path), value as string | number | boolean | null, unit);
  };

  addLeaf(plain("id", "rest"), content.id);
  for (const [lang, title] of Object.entries(content.title)) {
    addLeaf(plain(vocabulary.languages.includes(lang) ? `title.${lang}` : "title", "title"), title);
  }
  for (const synonym of content.synonyms ?? []) addLeaf(plain("synonyms", "heavy"), synonym.name);
  addLeaf(plain("parent", "rest"), content.parent);
  addLeaf(plain("status", "rest"), content.status);
  // Nobody searches for its text.
  addLeaf({ ...plain(CONFIRMED, "rest"), isWhole: true }, content.confirmed);
  for (const [name, value] of Object.entries(content.props))
    addProp(`props.${name}`, value, declaredUnit(content.props));
  return leaves;
}

/** Path that only terms without the confirmation of a curator have. */
const CONFIRMED = "confirmed";

/** Clause that matches terms that depositors added and no curator has confirmed. */
export const IS_UNCONFIRMED: Clause = { kind: "exists", paths: [CONFIRMED] };

const plain = (path: string, weight: Leaf["weight"]): Leaf => ({ path, type: "keyword", weight, elementPath: "" });

const UNDECLARED = plain("", "rest");

const asText = ({ element, weight, words }: LeafValue): LeafValue => ({ path: null, element, weight, words });
