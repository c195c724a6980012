/** Writes exponents as superscripts: `M^-1 s^-1` becomes `M⁻¹ s⁻¹`. Queries can read both forms. */
export const withPowers = (text: string): string => text.replaceAll(/\^(-?\d+)/g, (_, power: string) => raised(power));

/** Writes a whole number as superscript. */
export const raised = (power: string): string => power.replaceAll(/./g, (sign) => RAISED[sign] ?? sign);

const RAISED: Readonly<Record<string, string>> = {
  ...{ "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" },
};

/** Divides a highlighted text, which is HTML with only `em` elements. Parts with odd indexes are highlighted. */
export const partsOf = (html: string): readonly string[] => html.split(/<em>([^<]*)<\/em>/).map(unescapeHtml);

export const textOfHtml = (html: string): string => partsOf(html).join("");

const unescapeHtml = (html: string): string => html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => NAMED[name]!);

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Maximum length of a number with its error and unit on one line: `0.00123 ± 0.00004 kJ/mol`. */
const NUMBER_LENGTH_MAX = 24;

/** Has a number with its error and unit so many digits that it takes several lines? */
export const isLongNumber = (text: string): boolean => text.length > NUMBER_LENGTH_MAX;
