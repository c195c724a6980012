/** Part of a text with its style: superscript, subscript or italic. */
export type StyledSpan = string | { readonly style: "sup" | "sub" | "i"; readonly text: string };

/** A line of text with superscripts, subscripts and italics. Elements show it as HTML, attributes as plain text. */
export type RichText = readonly StyledSpan[];

/** No-break thin space: between a number and its unit, and between the factors of a unit. */
export const THIN = "\u202f";

/** Returns the text without styles, with the superscripts that Unicode has. */
export const plainText = (text: RichText): string =>
  text
    .map((span) => (typeof span === "string" ? span : span.style === "sup" ? superscript(span.text) : span.text))
    .join("");

/** Joins texts, and neighbouring spans without a style. */
export function concatTexts(...texts: readonly RichText[]): RichText {
  const spans: StyledSpan[] = [];
  for (const text of texts) {
    for (const span of text) {
      if (span === "") continue;
      const last = spans[spans.length - 1];
      if (typeof span === "string" && typeof last === "string") spans[spans.length - 1] = last + span;
      else spans.push(span);
    }
  }
  return spans;
}

/** Joins texts by a separator. */
export const joinWithSeparator = (texts: readonly RichText[], separator: string): RichText =>
  concatTexts(...texts.map((text, i) => (i === 0 ? text : [separator, ...text])));

const POWER = /\^(-?\d+)/;

/** Reads the exponents of a text: `M^-1 s^-1` is M⁻¹ s⁻¹. */
export const withExponents = (text: string): RichText =>
  concatTexts(
    text.split(POWER).map((part, i): StyledSpan => (i % 2 === 0 ? part : { style: "sup", text: realMinus(part) })),
  );

const realMinus = (text: string): string => text.replace("-", "\u2212");

/** Writes exponents as superscripts: `M^-1 s^-1` becomes `M⁻¹ s⁻¹`. Queries can read both forms. */
export const withPowers = (text: string): string => (text.includes("^") ? plainText(withExponents(text)) : text);

/** Writes a whole number, or a charge, in superscript characters. */
const superscript = (text: string): string => text.replaceAll(/./g, (sign) => SUPERSCRIPTS.get(sign) ?? sign);

const SUPERSCRIPTS: ReadonlyMap<string, string> = new Map(
  [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"].map((raised, i) => ["0123456789\u2212+".charAt(i), raised]),
);

/** Writes a power of ten: 10⁻⁷. */
export const powerOfTen = (power: number): RichText => ["10", { style: "sup", text: realMinus(String(power)) }];

/** Splits a highlighted text, which is HTML with only `em` elements. Parts with odd indexes are highlighted. */
export const splitHighlights = (html: string): readonly string[] => html.split(/<em>([^<]*)<\/em>/).map(unescapeHtml);

/** Returns a highlighted text as plain text. */
export const textOfHtml = (html: string): string => splitHighlights(html).join("");

const unescapeHtml = (html: string): string => html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => NAMED[name]!);

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
