import type { Units } from "../../core/catalog/unit-types.js";
import type { Scanner } from "../text/scan.js";
import type { Notes } from "./notes.js";
import { readBracketed, readComparison } from "./range-text.js";
import type { QueryNode } from "./tree.js";
import { textNode } from "./word-node.js";

/**
 * Reads a range after its field, or what follows a bracket in place of one. Undefined, and nothing read, where neither
 * stands here.
 *
 * @param units where numbers of the field have units
 * @returns `node` is undefined where no word stands there
 */
export function readRange(
  scanner: Scanner,
  field: string,
  units: Units | undefined,
  notes: Notes,
): { readonly node: QueryNode | undefined } | undefined {
  if (!/[<>≤≥[{]/u.test(scanner.next)) return undefined;
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
