import { isCas } from "../core/identifiers/check-digits.js";
import type { JsonObject } from "../core/json.js";
import type { DumpOptions, DumpPlace } from "../ports/authorities.js";

/** A compound as an authority of chemicals says it. */
export interface Compound {
  readonly inchiKey: string;
  readonly title: string;
  /** In their order: of one that comes twice, in any case of its letters, the first one counts. */
  readonly synonyms: readonly { readonly name: string; readonly kind: string }[];
  /** With their prefix: `cid:962`. */
  readonly identifiers: readonly string[];
  readonly formula?: string | undefined;
  /** In g/mol. */
  readonly weight?: number | undefined;
  readonly smiles?: string | undefined;
  readonly inchi?: string | undefined;
}

/** A compound with its number, where the dump says it. */
export interface PubChemCompound extends Compound {
  readonly cid: string;
}

/** An entry of a file of PubChem: a compound, or why it is none. */
export type FoundCompound = DumpPlace & ({ readonly compound: PubChemCompound } | { readonly reason: string });

/** The standard form: 14 letters of the skeleton, 10 of the rest, one of the charge. */
export const INCHI_KEY = /^[A-Z]{14}-[A-Z]{10}-[A-Z]$/;

const CAS = /^[1-9]\d{1,6}-\d\d-\d$/;

/**
 * Words of synonyms that an item takes: a term may have `LIMITS.termWordsMax`, and a few compounds have thousands of
 * names, most of them of catalogues.
 */
const WORDS_MAX = 8_000;

/** @returns the item, and how many synonyms were too many for it */
export function compoundItem(compound: Compound): { readonly item: JsonObject; readonly dropped: number } {
  const { inchiKey, title, synonyms, identifiers, formula, weight, smiles, inchi } = compound;
  const names = new Map<string, { name: string; kind: string }>();
  const numbers = new Set(identifiers);
  let [words, dropped] = [0, 0];
  for (const { name: text, kind } of synonyms) {
    const name = text.trim();
    const key = name.toLowerCase();
    if (CAS.test(name) && isCas(name)) numbers.add(`cas:${name}`);
    else if (name !== "" && key !== title.toLowerCase() && !names.has(key)) {
      words += wordsIn(name);
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

/** At least as many as the text analysis makes of it. */
const wordsIn = (name: string): number => (name.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) + Math.floor(name.length / 32);

/** A text, where it says something. */
export const said = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined);

/** A number in decimals. */
export function numberIn(text: string | undefined): number | undefined {
  const number = Number(said(text) ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** Is a compound one of those that were picked? */
export function isWanted(only: DumpOptions["only"], cid: string, inchiKey: string): boolean {
  return only === undefined || only.has(cid) || only.has(inchiKey);
}
