import { NUMBER, plainAmount, plainNumber } from "../../core/units/amounts.js";
import type { Units } from "../../core/units/units.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import { isNumericField, isQuantity } from "../fields/field-meanings.js";
import { readAmount } from "../text/read-amount.js";
import type { Scanner } from "../text/scan.js";
import { readMoreBounds } from "./comparison-values.js";
import type { NamedField } from "./frame.js";
import { textNode } from "./leaf-nodes.js";
import { type Notes, noteReading } from "./notes.js";
import { readFieldSpan } from "./prose-comparisons.js";
import { readBracketed, readComparison } from "./range-text.js";
import type { QueryNode } from "./tree.js";

/** A comparison after a field. `node` is undefined if it contains no word. */
interface ComparedValue {
  readonly node: QueryNode | undefined;
}

const EQUALS = /==?\s*(?=[\d.+-])/uy;
const PLAIN_NUMBER = new RegExp(String.raw`${NUMBER.source}(?=[\s)]|$)`, "iuy");
const DECIMAL_COMMA = /\d,\d/u;

/**
 * Reads a range, a span or a number with its unit after a field. For any other text, returns undefined and reads
 * nothing.
 *
 * @param isInBracket false: also reads further comparisons of the same value (`AND <10 nM`). In the bracket of a field,
 *   the parser joins them when the bracket closes
 */
export function readFieldComparison(
  scanner: Scanner,
  { name, field }: NamedField,
  isInBracket: boolean,
  { units }: FieldLookup,
  notes: Notes,
): ComparedValue | undefined {
  const start = scanner.at;
  const isNumber = field.meanings.some(isNumericField);
  if (isNumber) scanner.take(EQUALS);
  const span = readFieldSpan(scanner, { name, field }, units, notes);
  if (span !== undefined) return { node: span };
  const hasUnits = field.meanings.some(({ leaves }) => leaves.some(({ quantity }) => quantity !== undefined));
  const range = readRange(scanner, name, hasUnits ? units : undefined, notes);
  if (range !== undefined && range.node?.kind !== "range") return range;
  let node: QueryNode | undefined;
  let hasMore = false;
  if (range?.node?.kind === "range") {
    const more = isInBracket ? [] : readMoreBounds(scanner, field, units);
    hasMore = more.length > 0;
    const bounds = [...range.node.bounds, ...more];
    node = {
      ...range.node,
      bounds: isNumber ? bounds.map(({ op, text }) => ({ op, text: plainAmount(text) })) : bounds,
    };
  } else {
    const amount = field.meanings.some(isQuantity) ? readAmount(scanner, units) : undefined;
    const number = amount ?? (isNumber ? plainNumberAt(scanner) : undefined);
    if (number !== undefined) node = { kind: "text", field: name, text: number, quoted: false };
  }
  if (node === undefined) {
    scanner.at = start;
    return undefined;
  }
  const written = scanner.text.slice(start, scanner.at);
  if (hasMore || (isNumber && DECIMAL_COMMA.test(written))) noteReading(`${name}:${written}`, node, notes);
  return { node };
}

function plainNumberAt(scanner: Scanner): string | undefined {
  const number = scanner.take(PLAIN_NUMBER);
  return number === undefined ? undefined : plainNumber(number);
}

/**
 * Reads a range after its field, or the text after a bracket that is not a range. For any other text, returns undefined
 * and reads nothing.
 *
 * @param units undefined if the numbers of the field have no units
 */
function readRange(scanner: Scanner, field: string, units: Units | undefined, notes: Notes): ComparedValue | undefined {
  if (scanner.peek(/=?[<>]|[≤≥[{]/uy) === undefined) return undefined;
  const range = readComparison(scanner, units) ?? readBracketed(scanner);
  if (range === undefined) {
    scanner.at++;
    const text = scanner.take(/[^\s"()\]}]+/uy) ?? "";
    scanner.take(/[\]}]/uy);
    notes.fallBack(
      "QUERY_RANGE_INVALID",
      `The form of a range is "[a TO b]"; the bracket after "${field}:" was ignored.`,
    );
    return { node: textNode(text, false, field) };
  }
  const { bounds, isClosed, isWhole } = range;
  if (!isClosed) notes.fallBack("QUERY_BRACKET_CLOSED", "A range was never closed; it ends with its last word.");
  if (!isWhole) {
    notes.fallBack("QUERY_RANGE_INVALID", `A range of "${field}" has only one end; the other was read as open.`);
  }
  return { node: bounds.length === 0 ? { kind: "exists", field } : { kind: "range", field, bounds } };
}
