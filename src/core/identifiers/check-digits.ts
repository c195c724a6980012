/** Check digits of persistent identifiers: a mistyped one is told from a right one without asking anybody. */

/** MOD 11-2 (ISO 7064), as ORCID iDs and ISNIs have it: of fifteen digits the sixteenth, `X` for 10. */
export function mod11Radix2(digits: string): string {
  let sum = 0;
  for (const digit of digits) sum = (sum + Number(digit)) * 2;
  return letterOf((12 - (sum % 11)) % 11);
}

/** Weighted sum modulo 11, as ISBN-10 and ISSN have it: the last place weighs 1, `X` stands for 10 there. */
export function isMod11(digits: string): boolean {
  const weighted = [...digits].map((digit, i) => (digit === "X" ? 10 : Number(digit)) * (digits.length - i));
  return weighted.reduce((sum, each) => sum + each, 0) % 11 === 0;
}

/** EAN-13, as ISBN-13 has it: digits weigh 1 and 3 in turn. */
export function isEan13(digits: string): boolean {
  const weighted = [...digits].map((digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 3));
  return weighted.reduce((sum, each) => sum + each, 0) % 10 === 0;
}

/** Registry numbers of CAS: the digits before the last one weigh 1, 2, 3 ... from the right. @param number `64-17-5` */
export function isCas(number: string): boolean {
  const digits = [...number.replaceAll("-", "")].map(Number).reverse();
  const [check, ...others] = digits;
  return others.reduce((sum, digit, i) => sum + digit * (i + 1), 0) % 10 === check;
}

/** Digits of base 32 without the letters i, l, o, u (Crockford). */
const BASE_32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** MOD 97-10 (ISO 7064) over base 32, as ROR ids have it: the two last digits. @param local in lower case */
export function mod97(local: string): string {
  const number = [...local].reduce((sum, letter) => sum * 32 + BASE_32.indexOf(letter), 0);
  return String(98 - ((number * 100) % 97)).padStart(2, "0");
}

const letterOf = (digit: number): string => (digit === 10 ? "X" : String(digit));
