import { isCas } from "../core/identifiers.js";
import type { JsonObject } from "../core/json.js";
import type { DumpOptions, DumpPlace } from "../ports/authorities.js";

/** A compound as described by an authority. */
export interface Compound {
  readonly inchiKey: string;
  readonly title: string;
  /** In order: of repeated names, compared case-insensitively, the first one counts. */
  readonly synonyms: readonly { readonly name: string; readonly kind: string }[];
  /** With their prefix, such as `cid:962`. */
  readonly identifiers: readonly string[];
  readonly formula?: string | undefined;
  /** In g/mol. */
  readonly weight?: number | undefined;
  readonly smiles?: string | undefined;
  readonly inchi?: string | undefined;
}

/** A compound with its number, if the dump has it. */
export interface PubChemCompound extends Compound {
  readonly cid: string;
}

/** An entry of a PubChem file: a compound, or the reason why it is invalid. */
export type FoundCompound = DumpPlace & ({ readonly compound: PubChemCompound } | { readonly reason: string });

/** The standard form: 14 letters for the skeleton, 10 for the rest, one for the charge. */
export const INCHI_KEY = /^[A-Z]{14}-[A-Z]{10}-[A-Z]$/;

const CAS = /^[1-9]\d{1,6}-\d\d-\d$/;

/**
 * Maximum number of words in synonyms of a compound: a term may have `LIMITS.termWordsMax`, and a few compounds have
 * thousands of names, mostly of catalogues.
 */
const WORDS_MAX = 8_000;

/** Makes the term of a compound. @returns the term, and the number of synonyms that were too many for it */
export function compoundTerm(compound: Compound): { readonly item: JsonObject; readonly dropped: number } {
  const { inchiKey, title, synonyms, identifiers, formula, weight, smiles, inchi } = compound;
  const names = new Map<string, { name: string; kind: string }>();
  const numbers = new Set(identifiers);
  let [words, dropped] = [0, 0];
  for (const { name: text, kind } of synonyms) {
    const name = text.trim();
    const key = name.toLowerCase();
    if (CAS.test(name) && isCas(name)) numbers.add(`cas:${name}`);
    else if (name !== "" && key !== title.toLowerCase() && !names.has(key)) {
      words += countWords(name);
      if (words > WORDS_MAX) dropped += 1;
      else names.set(key, { name, kind });
    }
  }
  const item = {
    id: `inchikey:${inchiKey}`,
    title: { en: title },
    synonyms: [...names.values()],
    props: {
      ...(formula === undefined ? {} : { chemical_formula: formula }),
      ...(weight === undefined ? {} : { molecular_weight: { value: weight, unit: "g/mol" } }),
      additional_identifiers: [...numbers],
      ...(smiles === undefined ? {} : { smiles }),
      ...(inchi === undefined ? {} : { inchi }),
    },
  };
  return { item, dropped };
}

/** Returns an upper bound for the number of words that the text analysis finds. */
const countWords = (name: string): number =>
  (name.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) + Math.floor(name.length / 32);

/** Returns a trimmed text; undefined if it is empty. */
export const nonEmpty = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined);

/** Parses a decimal number. */
export function parseDecimal(text: string | undefined): number | undefined {
  const number = Number(nonEmpty(text) ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns whether a compound is one of the selected ones. */
export function isSelected(only: DumpOptions["only"], cid: string, inchiKey: string): boolean {
  return only === undefined || only.has(cid) || only.has(inchiKey);
}
