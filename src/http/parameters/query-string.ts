import { decodePercent, encodeText } from "./percent.js";

/** Parameters of a query string: the values of each name, both in the order of the URL. */
export type Query = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a query string. `+` and `%20` are spaces; percent signs that encode nothing are literal; a name without `=` has
 * the value "". Never throws.
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

/** Prints a query string without `?`. Names are in alphabetical order, the values of a name in their given order. */
export function printQueryString(pairs: Iterable<Pair>): string {
  return sortByName(pairs).map(printPair).join("&");
}

/** Creates a function that returns URLs that differ in one parameter; the others are sorted and encoded only once. */
export function makeUrls(url: string, pairs: Iterable<Pair>): (name: string, value: string) => string {
  const sorted = sortByName(pairs);
  const texts = sorted.map(printPair);
  return (name, value) => {
    const next = sorted.findIndex(([other]) => other > name);
    const place = next === -1 ? texts.length : next;
    return `${url}?${texts.toSpliced(place, 0, printPair([name, value])).join("&")}`;
  };
}

const sortByName = (pairs: Iterable<Pair>): Pair[] => [...pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

const printPair = ([name, value]: Pair): string => `${encodeText(name)}=${encodeText(value)}`;

const decode = (text: string): string => decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
