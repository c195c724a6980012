import type { Scanner } from "../text/scan.js";

/** What joins operands, or stands before one. `+` says nothing. */
export type Operator = "AND" | "OR" | "NOT" | "+";

const OPERATORS: Readonly<Record<string, Operator>> = {
  ...{ AND: "AND", "&&": "AND", OR: "OR", "||": "OR", NOT: "NOT" },
  ...{ "-": "NOT", "!": "NOT", "+": "+" },
};

/**
 * Reads an operator; undefined, and nothing read, where none stands here. `operator` is undefined for signs that
 * belong to nothing, `isSign` says that the operand follows without a blank.
 *
 * @param isInNumbers is a minus before a digit a part of the number?
 */
export function readOperator(
  scanner: Scanner,
  isInNumbers: boolean,
): { readonly written: string; readonly operator?: Operator; readonly isSign: boolean } | undefined {
  if (!scanner.isAfterBlank) return undefined;
  const word = scanner.take(/(?:AND|OR|NOT)(?=[\s()"]|$)|&&|\|\|/uy);
  if (word !== undefined) return { written: word, operator: OPERATORS[word]!, isSign: false };
  const stray = scanner.take(/[-+!]+(?=[\s)]|$)/uy);
  if (stray !== undefined) return { written: stray, isSign: false };
  if (isInNumbers && scanner.peek(/-[\d.]/uy) !== undefined) return undefined;
  const sign = scanner.take(/[-+!](?![-+!])/uy);
  return sign === undefined ? undefined : { written: sign, operator: OPERATORS[sign]!, isSign: true };
}
