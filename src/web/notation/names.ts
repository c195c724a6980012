import type { Model, Vocabulary } from "../../core/catalog/types.js";
import { textAt, valueLabel } from "../../core/citable/values-at.js";
import { isObject, type Json, own } from "../../core/json.js";
import { type Quantity, readQuantity, richQuantity } from "./quantity.js";
import { concatTexts, joinWithSeparator, type RichText, type StyledSpan } from "./rich-text.js";

/**
 * Reads a declared symbol: the text after `_` is a subscript, and each single Latin letter is italic, also after Δ.
 * `K_D` is *K* with the subscript D; `EC_50` is upright.
 */
export function richSymbol(declared: string): RichText {
  const [base = "", ...subscripts] = declared.split("_");
  const parts = base.split(/(?<!\p{Script=Latin})(\p{Script=Latin})(?!\p{Script=Latin})/u);
  const spans = parts.map((part, i): StyledSpan => (i % 2 === 1 ? { style: "i", text: part } : part));
  const sub: readonly StyledSpan[] = subscripts.length === 0 ? [] : [{ style: "sub", text: subscripts.join("_") }];
  return concatTexts(spans, sub);
}

/** Writes the symbols of quantities, or their names if they have none: *K*<sub>D</sub>, temperature. */
export const symbolsText = (names: readonly string[], symbolByName: (name: string) => string | undefined): RichText =>
  joinWithSeparator(
    names.map((name) => {
      const symbol = symbolByName(name);
      return symbol === undefined ? [name.replaceAll("_", " ")] : richSymbol(symbol);
    }),
    ", ",
  );

/** Writes a chemical formula with numbers as subscripts and charges as superscripts: `C7H8N4O2`, `Ca+2`. */
export const formulaText = (formula: string): RichText =>
  concatTexts(
    formula.split(/((?<=[A-Za-z)\]])\d+|[+-]\d*$)/).map((part, i): StyledSpan => {
      if (i % 2 === 0) return part;
      const charge = /^([+-])(\d*)$/.exec(part);
      return charge === null
        ? { style: "sub", text: part }
        : { style: "sup", text: charge[2]! + charge[1]!.replace("-", "\u2212") };
    }),
  );

/** Symbols of the quantities of a model by the kinds of results in records: `Constant of dissociation KD`. */
export type Symbols = ReadonlyMap<string, RichText>;

const SYMBOLS = new WeakMap<Model, Symbols>();

/** Returns the symbols of the quantities that one text identifies, by this text. */
export function symbolsOf(model: Model): Symbols {
  const cached = SYMBOLS.get(model);
  if (cached !== undefined) return cached;
  const symbols = new Map(
    model.quantities.flatMap(({ name, where }): readonly (readonly [string, RichText])[] => {
      const symbol = model.fields.get(name)?.symbol;
      const [kind, ...others] = where?.values() ?? [];
      return symbol === undefined || kind === undefined || others.length > 0 ? [] : [[kind, richSymbol(symbol)]];
    }),
  );
  SYMBOLS.set(model, symbols);
  return symbols;
}

/**
 * Writes the kind of a quantity with its symbol, if it ends with it in plain letters: `Association rate kOn`.
 *
 * @param words in place of the kind. Default: the kind
 */
export function kindText(kind: string, symbols: Symbols, words = kind): RichText {
  const symbol = symbols.get(kind);
  const last = words.slice(words.lastIndexOf(" ") + 1);
  return symbol === undefined || !isAbbreviation(last) ? [words] : concatTexts([words.slice(0, -last.length)], symbol);
}

/** Returns whether a word is a symbol: `KD`, `kOn`, `deltaH`. */
const isAbbreviation = (word: string): boolean => /[A-Z0-9]/.test(word.slice(1)) || /^[A-Z]{2}/.test(word);

/** Returns the symbol of a kind of result: the declared one, else its last word if it is an abbreviation, else all. */
export function shortKind(kind: string, symbols: Symbols): RichText {
  const last = kind.slice(kind.lastIndexOf(" ") + 1);
  return symbols.get(kind) ?? [isAbbreviation(last) ? last.replace(/^delta(?=[A-Z]$)/, "Δ") : kind];
}

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
  return concatTexts([title.slice(0, match.index)], [{ style: "i", text: match[0] }], [title.slice(end)]);
}

/** A property of a term, and its number if it is one. */
interface WrittenProp {
  readonly text: RichText;
  readonly quantity?: Quantity;
}

/** Writes a property of a term: a formula with subscripts, a number with its unit, other values as texts. */
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
  const label = valueLabel(value);
  return { text: label === undefined ? [] : [label] };
}
