/** Single values that a field of a model takes: at the edges of its bounds, and texts of all kinds. */
import fc from "fast-check";
import type { Field } from "../../src/core/catalog/field-tree.js";
import type { Json } from "../../src/core/json.js";
import { forbiddenInLine, isBlank } from "../../src/services/input/characters.js";
import { wordOfRank } from "./random.js";

/** A value of a field that is neither an object nor a list. */
export function validValue(field: Field): fc.Arbitrary<Json> {
  if (field.allowed !== undefined) return fc.constantFrom(...field.allowed);
  const types = field.types.length === 0 ? ["string"] : field.types;
  return fc.oneof(...types.map((type) => typedValue(type, field)));
}

function typedValue(type: string, field: Field): fc.Arbitrary<Json> {
  if (type === "string") return textOf(field);
  if (type === "number" || type === "integer") return numberOf(field, type === "integer");
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  return fc.constant(type === "array" ? [] : {});
}

const NUMBERS = [0, 1, 7.4, -1, 0.5, 25, 100, 1e-9, 1e12];

function numberOf({ bounds, notKnown, leastKnown = -Infinity }: Field, isWhole: boolean): fc.Arbitrary<number> {
  const { multipleOf = isWhole ? 1 : undefined, exclusiveMinimum, exclusiveMaximum } = bounds;
  const min = Math.max(bounds.minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const max = Math.min(bounds.maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const fits = (value: number): boolean =>
    value >= min &&
    value <= max &&
    (value >= leastKnown || value === notKnown) &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum &&
    (multipleOf === undefined || Number.isInteger(value / multipleOf));
  const edges = [...NUMBERS, min, max, notKnown ?? 0].filter((value) => Number.isFinite(value) && fits(value));
  const any =
    multipleOf === undefined
      ? fc.double({ min: Math.max(min, -Number.MAX_VALUE), max: Math.min(max, Number.MAX_VALUE), noNaN: true })
      : fc.integer(steps(min, max, multipleOf)).map((count) => count * multipleOf);
  // JSON has no negative zero.
  const fitting = any.filter(fits).map((value) => (value === 0 ? 0 : value));
  return edges.length === 0 ? fitting : fc.oneof(fc.constantFrom(...edges), fitting);
}

const steps = (min: number, max: number, step: number): { min: number; max: number } => ({
  min: Math.max(Math.ceil(min / step), -1e9),
  max: Math.min(Math.floor(max / step), 1e9),
});

/** Texts that a store, an index or a page may take for something else. */
const HOSTILE = [
  "",
  " ",
  '"quoted" and \\"escaped\\"',
  "'; DROP TABLE records; --",
  "<script>alert(1)</script> &amp;",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "true AND NOT (a OR b) c:* [1 TO 2] ~ ^ \\",
  "מדידת קשירה של חלבון \u200f(RTL)\u200e",
  "👩🏽‍🔬 µM Å ΔG°′ H₂O 北京",
  "e\u0301 and \u00e9, \u00df and SS, ﬁ",
  "\ufeff\u200b\u00ad\ufffe\u{10ffff}",
  "https://example.org/?q=a&b=%00#top",
  "x".repeat(300),
  // A title has at most 1,000 characters.
  "a long text of many words, ".repeat(37),
];

const word = fc.nat(5_000).map(wordOfRank);
const plainText = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));

/** The schema does not name the characters that no text may contain. */
const isAllowed = (text: string): boolean => forbiddenInLine(text) === undefined;

function textOf(field: Field): fc.Arbitrary<string> {
  const { bounds, format, pattern } = field;
  if (format !== undefined) {
    const value = FORMATTED[format] ?? fc.constant(format);
    return field.isPast ? value.filter((date) => date < "2024-06") : value;
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u")).filter(isAllowed);
  const { minLength = 0, maxLength = Infinity } = bounds;
  const fitted = (text: string): string => {
    const points = [...text].slice(0, maxLength);
    const made = points.join("") + "x".repeat(Math.max(0, minLength - points.length));
    // What may not be empty may not be blank either.
    return minLength > 0 && isBlank(made) ? `x${points.slice(1).join("")}` : made;
  };
  const text = fc.oneof(
    { weight: 8, arbitrary: plainText },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme" }).filter(isAllowed) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
  );
  return text.map(fitted);
}

const two = (count: number): string => String(count).padStart(2, "0");
const day = fc
  .oneof(
    fc.constantFrom("2024-05-17", "2024-02-29", "1582-10-10", "0001-01-01", "9999-12-31"),
    fc.tuple(fc.integer({ min: 1850, max: 2150 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 })),
  )
  .map((made) => (typeof made === "string" ? made : `${made[0]}-${two(made[1])}-${two(made[2])}`));
const time = fc.constantFrom("10:00:00Z", "23:59:59.999Z", "00:00:00+02:00");
const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom("doi:10.1000/182", "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66", "https://[2001:db8::7]/a?b#c"),
);

/** By format of JSON Schema. */
const FORMATTED: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: day,
  time,
  "date-time": fc.tuple(day, time).map((parts) => parts.join("T")),
  email: fc.constantFrom("ada@example.org", "ada.lovelace+test@mail.example.org"),
  uri: address,
  "uri-reference": fc.oneof(address, fc.constantFrom("../page?q=1", "#top", "")),
  uuid: fc.uuid(),
};
