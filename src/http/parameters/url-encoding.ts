/** Query strings, and percent-encoding in them and in paths. */

/** Pattern of a character in percent-encoded, well-formed UTF-8 (Unicode 15, table 3-7). */
const CHARACTER = [
  "%[0-7][0-9a-f]",
  "%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]",
  "%e0%[ab][0-9a-f]%[89ab][0-9a-f]",
  "%e(?:[1-9abcef])%[89ab][0-9a-f]%[89ab][0-9a-f]",
  "%ed%[89][0-9a-f]%[89ab][0-9a-f]",
  "%f0%[9ab][0-9a-f]%[89ab][0-9a-f]%[89ab][0-9a-f]",
  "%f[1-3]%[89ab][0-9a-f]%[89ab][0-9a-f]%[89ab][0-9a-f]",
  "%f4%8[0-9a-f]%[89ab][0-9a-f]%[89ab][0-9a-f]",
].join("|");
const CHARACTERS = new RegExp(`(?:${CHARACTER})+`, "gi");
const CHARACTERS_OR_SIGN = new RegExp(`(?:${CHARACTER})+|%`, "gi");

/** Decodes percent-encoded UTF-8; all other text (`50%`, `%zz`, `%ff`) is unchanged. Never throws. */
export function decodePercent(text: string): string {
  return text.includes("%") ? text.replace(CHARACTERS, decodeURIComponent) : text;
}

const ABSOLUTE_URL = /^https?:\/\/[^/?#]*/i;

/** Returns whether the target of a request is an absolute URL, as clients send it to proxies (RFC 9112, 3.2.2). */
export const isAbsoluteUrl = (target: string): boolean => ABSOLUTE_URL.test(target);

/**
 * Returns the path and query of a request's target, with a path that can always be decoded: a percent sign that encodes
 * nothing becomes `%25`. The query string is unchanged. The host of an absolute URL is dropped.
 */
export function repairUrl(target: string): string {
  const url = target.startsWith("/") ? target : target.replace(ABSOLUTE_URL, "").replace(/^(?=$|[?#])/, "/");
  if (!url.includes("%")) return url;
  const end = url.indexOf("?");
  const path = end === -1 ? url : url.slice(0, end);
  const repaired = path.replace(CHARACTERS_OR_SIGN, (match) => (match === "%" ? "%25" : match));
  return end === -1 ? repaired : repaired + url.slice(end);
}

/** Encodes a text like `encodeURIComponent`, but does not throw for a lone surrogate: it becomes U+FFFD. */
export function encodeText(text: string): string {
  return PLAIN_TEXT.test(text) ? text : encodeURIComponent(Buffer.from(text, "utf8").toString("utf8"));
}

/** Encodes a segment of a path. Colons, which are in most ids of terms, stay readable. */
export function encodeSegment(text: string): string {
  return PLAIN_SEGMENT.test(text) ? text : encodeText(text).replaceAll("%3A", ":");
}

/** Patterns of texts that need no encoding, as most texts in links. */
const PLAIN_TEXT = /^[\w.~-]*$/;
const PLAIN_SEGMENT = /^[\w:.~-]+$/;

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
