import type { Vocabulary } from "../../core/catalog/types.js";
import { labelOf, textAt } from "../../core/citable/values-at.js";
import { isObject, type Json, own } from "../../core/json.js";
import { type Quantity, readQuantity, richQuantity } from "./quantity.js";
import { joined, type RichText } from "./rich-text.js";
import { formulaText } from "./symbols.js";

/** Vocabularies of a catalog by name. */
export type Vocabularies = ReadonlyMap<string, Pick<Vocabulary, "italic" | "props" | "units">>;

/** Compiled patterns by source, at most two per vocabulary. Not in the catalog: threads get copies of it. */
const PATTERNS = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const pattern = PATTERNS.get(source) ?? new RegExp(source, "u");
  PATTERNS.set(source, pattern);
  return pattern;
}

/** Writes the title of a term. What the vocabulary declares stands in italics: names of species. */
export function termName(vocabulary: Pick<Vocabulary, "italic"> | undefined, title: string): RichText {
  const italic = vocabulary?.italic;
  if (italic === undefined || (italic.except !== undefined && patternOf(italic.except).test(title))) return [title];
  const match = patternOf(italic.part).exec(title);
  if (match === null || match[0] === "") return [title];
  const end = match.index + match[0].length;
  return joined([title.slice(0, match.index)], [{ style: "i", text: match[0] }], [title.slice(end)]);
}

/** A property of a term, and its number if it is one. */
interface WrittenProp {
  readonly text: RichText;
  readonly quantity?: Quantity;
}

/** Writes a property of a term: a formula with lowered numbers, a number with its unit, other values as texts. */
export function propText(
  vocabulary: Pick<Vocabulary, "props" | "units"> | undefined,
  name: string,
  value: Json,
): WrittenProp {
  const prop = vocabulary?.props.find((each) => each.name === name);
  if (prop?.isFormula === true && typeof value === "string") return { text: formulaText(value) };
  const number = isObject(value) ? own(value, "value") : undefined;
  if (typeof number === "number") {
    const quantity = readQuantity({ value: number, unit: textAt(value, "unit") }, vocabulary?.units)!;
    return { text: richQuantity(quantity), quantity };
  }
  const label = labelOf(value);
  return { text: label === undefined ? [] : [label] };
}
