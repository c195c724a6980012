/** Check digits of persistent identifiers, which detect typing errors without a look-up. */

/** Returns the 16th digit for 15 digits by MOD 11-2 (ISO 7064), as in ORCID iDs and ISNIs; `X` for 10. */
export function mod11Radix2(digits: string): string {
  let sum = 0;
  for (const digit of digits) sum = (sum + Number(digit)) * 2;
  return letterOf((12 - (sum % 11)) % 11);
}

/** Checks the weighted sum modulo 11 of ISBN-10 and ISSN: the last digit has weight 1, and may be `X` for 10. */
export function isMod11(digits: string): boolean {
  const weighted = [...digits].map((digit, i) => (digit === "X" ? 10 : Number(digit)) * (digits.length - i));
  return weighted.reduce((sum, each) => sum + each, 0) % 11 === 0;
}

/** Checks the weighted sum of EAN-13, as in ISBN-13: digits have the weights 1 and 3 in turn. */
export function isEan13(digits: string): boolean {
  const weighted = [...digits].map((digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 3));
  return weighted.reduce((sum, each) => sum + each, 0) % 10 === 0;
}

/**
 * Checks a CAS number: the digits before the last one have the weights 1, 2, 3 ... from the right.
 * @param number `64-17-5`
 */
export function isCas(number: string): boolean {
  const digits = [...number.replaceAll("-", "")].map(Number).reverse();
  const [check, ...others] = digits;
  return others.reduce((sum, digit, i) => sum + digit * (i + 1), 0) % 10 === check;
}

/** Digits of base 32 (Crockford), without the letters i, l, o, u. */
const BASE_32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns the two last digits by MOD 97-10 (ISO 7064) over base 32, as in ROR ids. @param local in lower case */
export function mod97(local: string): string {
  const number = [...local].reduce((sum, letter) => sum * 32 + BASE_32.indexOf(letter), 0);
  return String(98 - ((number * 100) % 97)).padStart(2, "0");
}

const letterOf = (digit: number): string => (digit === 10 ? "X" : String(digit));

/** The prefix of an ORCID iD: its register (`orcid:0000-0002-1825-0097`), or its address. */
const SCHEME = /^\s*(?:orcid:|https?:\/\/(?:www\.)?orcid\.org\/)\s*/i;
const FORM = /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/i;

/**
 * Returns the fault of an identifier with the prefix of an ORCID iD; undefined if it is correct or another identifier.
 */
export function faultOfOrcid(identifier: string): "form" | "check digit" | undefined {
  const scheme = SCHEME.exec(identifier);
  if (scheme === null) return undefined;
  const id = identifier.slice(scheme[0].length).trim();
  if (!FORM.test(id)) return "form";
  return isOrcid(id) ? undefined : "check digit";
}

/** Is this an ORCID iD without its prefix, with a correct check digit? */
export function isOrcid(id: string): boolean {
  const digits = id.replaceAll("-", "").toUpperCase();
  return FORM.test(id) && digits.endsWith(mod11Radix2(digits.slice(0, -1)));
}
