/** How pages and their scripts show the parts of a query: `KD < 10 nM`, `pH 7–8`, `Organism within Escherichia`. */
import { SCRIPT_WORDS } from "../words/script-en.js";
import { MINUS } from "./decimal.js";
import { plainText, powerOfTen, THIN, withPowers } from "./rich-text.js";

/** A part of a query as the API describes it. */
interface DescribedQueryPart {
  readonly kind: "word" | "phrase" | "field" | "range" | "quantity" | "term" | "group" | "operator" | "dropped";
  readonly text: string;
  readonly label?: string | undefined;
  readonly operator?: "AND" | "OR" | "NOT" | "+" | undefined;
  readonly match?: string | undefined;
  readonly value?: string | undefined;
  readonly bounds?: readonly ComparedNumber[] | undefined;
  readonly term?: { readonly title: string } | undefined;
}

/** A number that a query compares with, as it was typed. */
interface ComparedNumber {
  readonly op: ">=" | ">" | "<=" | "<" | "=";
  readonly value: string;
  readonly unit?: string | undefined;
}

const words = SCRIPT_WORDS.query;

/** Returns whether a query is only words and phrases, which a page need not explain. */
export const isPlainQuery = (parts: readonly DescribedQueryPart[]): boolean =>
  parts.every(({ kind, operator }) => kind === "word" || kind === "phrase" || operator === "AND" || operator === "+");

/** Codes of remarks about valid parts of a query. All other warnings are about parts that were read differently. */
const REMARKS: ReadonlySet<string> = new Set(["QUERY_WILDCARD_SPLIT", "QUERY_BOOST_IGNORED", "QUERY_FIELD_NEAR"]);

/** Returns whether a warning with a code is only a remark about a valid part of a query. */
export const isRemark = (code: string): boolean => REMARKS.has(code);

/** Returns whether a page needs no message, because it shows how the query was read. */
export const isShownByParts = (code: string): boolean => code === "QUERY_READ_AS";

/** Describes a part of a query, with titles instead of ids. @param unitText writes a unit as pages write it */
export function partText(part: DescribedQueryPart, unitText: (unit: string) => string = withPowers): string {
  const { kind, text, label, match, value, bounds, term } = part;
  const name = label === undefined ? "" : `${label} `;
  if (bounds !== undefined) return name + comparisonText(bounds, unitText);
  if (match === "exists") return words.has(label ?? text);
  if (kind === "term") return `${name}${match === "within" ? words.within : ""}${term?.title ?? value ?? text}`;
  if (kind === "field") return `${name}${quoted(value ?? text)}`;
  return quoted(text.replaceAll('"', ""));
}

const quoted = (text: string): string => `“${text}”`;

const SIGNS = { ">=": "≥", ">": ">", "<=": "≤", "<": "<", "=": "=" };

/** Writes a comparison: `< 10 nM`, `7–8`, `> 1 nM and < 10 nM`. A unit after one of the numbers applies to all. */
function comparisonText(bounds: readonly ComparedNumber[], unitText: (unit: string) => string): string {
  const [shared, ...otherUnits] = new Set(bounds.flatMap(({ unit }) => unit ?? []));
  const amounts = bounds.map(({ op, value, unit = shared }) => {
    const number = numberText(value);
    return { op, number, amount: unit === undefined ? number : number + THIN + unitText(unit) };
  });
  const [low, high] = amounts;
  if (amounts.length === 2 && low?.op === ">=" && high?.op === "<=") {
    const isShared = otherUnits.length === 0;
    return spanText(isShared ? low.number : low.amount, high.amount, isShared);
  }
  return amounts.map(({ op, amount }) => `${SIGNS[op]} ${amount}`).join(words.and);
}

/** Writes a number as it was typed, with a real minus and a power of ten instead of an exponent. */
const numberText = (value: string): string =>
  value.replace(/^-/, MINUS).replace(/^(.+)e\+?(-?\d+)$/, (_, mantissa: string, power: string) => {
    const times = mantissa === "1" ? "" : `${mantissa} × `;
    return times + plainText(powerOfTen(Number(power)));
  });

/** Joins the ends of a span: `1–10 nM`, `300 nM – 1 µM`. @param isShared whether only the upper end has the unit */
export function spanText(low: string, high: string, isShared: boolean): string {
  if (/×/.test(low + high) || !isShared) return `${low} – ${high}`;
  // A dash after a negative number would be read as a minus.
  return low.startsWith(MINUS) ? `${low} to ${high}` : `${low}–${high}`;
}
