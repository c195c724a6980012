/** Writes exponents as superscripts: `M^-1 s^-1` becomes `M⁻¹ s⁻¹`. Queries can read both forms. */
export const withPowers = (text: string): string =>
  text.replaceAll(/\^(-?\d+)/g, (_, power: string) => superscript(power));

/** Writes a whole number as superscript. */
export const superscript = (number: string): string =>
  number.replaceAll(/./g, (sign) => (sign === "-" ? "⁻" : (SUPERSCRIPT_DIGITS[Number(sign)] ?? sign)));

const SUPERSCRIPT_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Splits a highlighted text, which is HTML with only `em` elements. Parts with odd indexes are highlighted. */
export const splitHighlights = (html: string): readonly string[] => html.split(/<em>([^<]*)<\/em>/).map(unescapeHtml);

/** Returns a highlighted text as plain text. */
export const textOfHtml = (html: string): string => splitHighlights(html).join("");

const unescapeHtml = (html: string): string => html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => NAMED[name]!);

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Maximum length of a number with its error and unit on one line: `0.00123 ± 0.00004 kJ/mol`. */
const NUMBER_LENGTH_MAX = 24;

/** Returns whether a number with its error and unit is too long for one line. */
export const isLongNumber = (text: string): boolean => text.length > NUMBER_LENGTH_MAX;
