import type { Leaf } from "../../core/catalog/types.js";
import { numberForms } from "../../core/identifiers/project-numbers.js";
import { analyse } from "../text/analyse.js";
import { parseDate } from "../text/dates.js";
import type { LeafValue } from "./leaves.js";

/**
 * One scalar at a declared path as an index takes it; undefined where there is no value (null, "", "not known").
 * A value that is not of the leaf's type is text only.
 */
export function makeLeafValue(
  leaf: Leaf,
  element: number,
  value: string | number | boolean | null,
): LeafValue | undefined {
  if (value === null || value === "" || (leaf.notKnown !== undefined && value === leaf.notKnown)) return undefined;
  const { path, weight } = leaf;
  const text = String(value);
  const words = leaf.isWhole ? [] : analyse(text);
  if (leaf.type === "keyword") return { path, element, weight, words, keyword: text };
  const number = comparable(leaf, value);
  return number === undefined ? { path, element, weight, words } : { path, element, weight, words, number };
}

/** Returns the other forms in which a project number is cited, as further values at its path. */
export function citedForms({ path, weight, kind }: Leaf, element: number, text: string): readonly LeafValue[] {
  if (kind !== "project_number") return [];
  return numberForms(text).map((form) => ({ path, element, weight, words: analyse(form) }));
}

function comparable(leaf: Leaf, value: string | number | boolean): number | undefined {
  if (leaf.type === "number" && typeof value === "number") return value;
  if (leaf.type === "date" && typeof value === "string") return parseDate(value)?.from;
  return undefined;
}
