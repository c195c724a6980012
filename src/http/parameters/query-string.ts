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

type Pair = readonly [name: string, value: string];

/** A query string without `?`, names in alphabetical order; values of one name keep theirs. */
export function printQueryString(pairs: Iterable<Pair>): string {
  return sortByName(pairs).map(printPair).join("&");
}

/** Makes URLs that differ in one parameter: the others are sorted and encoded once. */
export function makeUrls(url: string, pairs: Iterable<Pair>): (name: string, value: string) => string {
  const sorted = sortByName(pairs);
  const texts = sorted.map(printPair);
  return (name, value) => {
    const rest = sorted.findIndex(([other]) => other > name);
    const at = rest === -1 ? texts.length : rest;
    return `${url}?${texts.toSpliced(at, 0, printPair([name, value])).join("&")}`;
  };
}

const sortByName = (pairs: Iterable<Pair>): Pair[] => [...pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

const printPair = ([name, value]: Pair): string => `${encodeText(name)}=${encodeText(value)}`;

const decode = (text: string): string => decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
