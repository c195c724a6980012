import type { Model } from "../../core/catalog/types.js";
import { joined, type RichText, type Span } from "./rich-text.js";

/**
 * Reads a declared symbol: what follows `_` is lowered, and a single Latin letter is italic, also after Δ. `K_D` is
 * *K* with a lowered D, `EC_50` is upright.
 */
export function symbolOf(declared: string): RichText {
  const [base = "", ...lowered] = declared.split("_");
  const [, before = "", letter = ""] = /^(\P{Script=Latin}*)(\p{Script=Latin}?)$/u.exec(base) ?? [undefined, base];
  const sub: readonly Span[] = lowered.length === 0 ? [] : [{ style: "sub", text: lowered.join("_") }];
  return joined([before], letter === "" ? [] : [{ style: "i", text: letter }], sub);
}

/** Writes a chemical formula with lowered numbers and raised charges: `C7H8N4O2`, `Ca+2`. */
export const formulaText = (formula: string): RichText =>
  joined(
    formula.split(/((?<=[A-Za-z)\]])\d+|[+-]\d*$)/).map((part, i): Span => {
      if (i % 2 === 0) return part;
      const charge = /^([+-])(\d*)$/.exec(part);
      return charge === null
        ? { style: "sub", text: part }
        : { style: "sup", text: charge[2]! + charge[1]!.replace("-", "\u2212") };
    }),
  );

/** Symbols of the quantities of a model by what a record has for them: `Constant of dissociation KD`. */
export type Symbols = ReadonlyMap<string, RichText>;

const SYMBOLS = new WeakMap<Model, Symbols>();

/** Returns the symbols of the quantities that one text identifies, by this text. */
export function symbolsOf(model: Model): Symbols {
  const cached = SYMBOLS.get(model);
  if (cached !== undefined) return cached;
  const symbols = new Map(
    model.quantities.flatMap(({ name, where }): readonly (readonly [string, RichText])[] => {
      const symbol = model.fields.get(name)?.symbol;
      const [kind, ...others] = where.values();
      return symbol === undefined || kind === undefined || others.length > 0 ? [] : [[kind, symbolOf(symbol)]];
    }),
  );
  SYMBOLS.set(model, symbols);
  return symbols;
}

/** Writes the kind of a quantity with its symbol, if the kind ends with it in plain letters: `Association rate kOn`. */
export function kindText(kind: string, symbols: Symbols): RichText {
  const symbol = symbols.get(kind);
  const last = kind.slice(kind.lastIndexOf(" ") + 1);
  return symbol === undefined || !isAbbreviation(last) ? [kind] : joined([kind.slice(0, -last.length)], symbol);
}

/** Returns whether a word is a symbol: `KD`, `kOn`, `deltaH`. */
const isAbbreviation = (word: string): boolean => /[A-Z0-9]/.test(word.slice(1)) || /^[A-Z]{2}/.test(word);

/** Returns the symbol of a kind of result: the declared one, else its last word if it is an abbreviation, else all. */
export function shortKind(kind: string, symbols: Symbols): RichText {
  const last = kind.slice(kind.lastIndexOf(" ") + 1);
  return symbols.get(kind) ?? [isAbbreviation(last) ? last.replace(/^delta(?=[A-Z]$)/, "Δ") : kind];
}
