import { decodePercent, encodeText } from "./percent.js";

/** Parameters as they were sent: name to its values, both in the order of the URL. */
export type Query = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a query string. `+` and `%20` are blanks; percent signs that encode nothing stand for themselves; a name
 * without `=` has the value "". Never throws.
 */
export function parseQueryString(text: string): Query {
  const query = new Map<string, string[]>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decode(pair.slice(equals + 1));
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/** A query string without `?`, names in alphabetical order; values of one name keep theirs. */
export function printQueryString(pairs: Iterable<readonly [name: string, value: string]>): string {
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join("&");
}

const decode = (text: string): string => decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
