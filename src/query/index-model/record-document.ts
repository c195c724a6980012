import { createHash } from "node:crypto";
import type { Citations } from "../../core/records/record-change.js";
import { identifierForms, isIdentifierPath } from "../fields/identifiers.js";
import { foldKeyword } from "../text/analyse.js";
import type { LeafValue, RecordLeaves } from "./leaves.js";

/** Value in a record with the id of its path and the number of its element. */
export interface PlacedValue<V> {
  readonly path: number;
  readonly element: number;
  readonly value: V;
}

/** Index document of some leaves of a record, for any engine. Texts are tokens separated by blanks. */
export interface RecordDocument {
  /** Tokens of paths, titles, identifiers and cited terms. */
  readonly paths: string;
  /** Words of values with this weight. */
  readonly title: string;
  readonly heavy: string;
  readonly rest: string;
  /** Tokens of each element, element 1 first. */
  readonly elements: readonly string[];
  readonly numbers: readonly PlacedValue<number>[];
  /** Keywords at the paths of facets, not folded. */
  readonly keys: readonly PlacedValue<string>[];
  /** Keywords at other paths, folded. */
  readonly texts: readonly PlacedValue<string>[];
  /** Cited terms. */
  readonly uses: Citations;
  /** All words, without duplicates. */
  readonly words: readonly string[];
}

/** Path in an index, with the tokens of its values. */
export interface IndexedPath {
  readonly id: number;
  /** Token before each value. */
  readonly exists: string;
  /** Prefix of the token of each word. */
  readonly wordPrefix: string;
  /** Whether whole values are identifiers. */
  readonly isIdentifier: boolean;
  /** Whether the values are facet keys. */
  readonly isKey: boolean;
}

/** Makes an IndexedPath. Callers cache it, because a record has hundreds of values. @param isKey see `IndexedPath` */
export function indexedPath(path: string, id: number, isKey: boolean): IndexedPath {
  return { id, exists: existsToken(id), wordPrefix: wordToken(id, ""), isIdentifier: isIdentifierPath(path), isKey };
}

/** Path id of values that no schema declares, in the rows of elements. Other ids begin with 1. */
export const UNDECLARED = 0;

const UNDECLARED_PATH = indexedPath("", UNDECLARED, false);

/**
 * Makes the index document of some leaves.
 * @param pathAt returns the IndexedPath of a path
 */
export function recordDocument(
  { leaves, elements, cites }: RecordLeaves,
  pathAt: (path: string) => IndexedPath,
): RecordDocument {
  const paths: string[] = [];
  const columns = { title: [] as string[], heavy: [] as string[], rest: [] as string[] };
  const rows = elements.map(({ path }) => [elementToken(pathAt(path).id)]);
  const values: Values = { numbers: [], keys: [], texts: [] };
  const allWords = new Set<string>();
  for (const leaf of leaves) {
    const { words } = leaf;
    for (const word of words) allWords.add(word);
    if (words.length > 0 && !leaf.isFieldOnly) {
      columns[leaf.weight].push(BREAK, joinTokens(words));
      if (leaf.weight === "title") paths.push(titleToken(words));
    }
    const path = leaf.path === null ? UNDECLARED_PATH : pathAt(leaf.path);
    const tokens = valueTokens(path, words);
    rows[leaf.element - 1]?.push(tokens);
    if (leaf.path === null) continue;
    paths.push(tokens);
    if (path.isIdentifier) for (const form of identifierForms(leaf.keyword ?? "")) paths.push(wholeToken(form));
    placeValue(leaf, path, values);
  }
  for (const { vocabulary, id, site, element } of cites) {
    const termToken = citesToken(vocabulary, id);
    const tokenAtSite = atSite(pathAt(site).id, termToken);
    paths.push(termToken, tokenAtSite);
    rows[element - 1]?.push(tokenAtSite);
  }
  return {
    paths: joinTokens(paths),
    title: joinTokens(columns.title),
    heavy: joinTokens(columns.heavy),
    rest: joinTokens(columns.rest),
    elements: rows.map(joinTokens),
    ...values,
    uses: distinctCitations(cites),
    words: [...allWords],
  };
}

/** Returns the tokens of a value: that of the path, then those of the words at the path. */
function valueTokens({ exists, wordPrefix }: IndexedPath, words: readonly string[]): string {
  if (words.length === 0) return exists;
  const separator = ` ${wordPrefix}`;
  return exists + separator + words.join(separator);
}

/** Returns the cited terms without duplicates. */
export function distinctCitations(cites: readonly { readonly vocabulary: string; readonly id: string }[]): Citations {
  return [...new Map(cites.map(({ vocabulary, id }) => [`${vocabulary}/${id}`, [vocabulary, id] as const])).values()];
}

interface Values {
  readonly numbers: PlacedValue<number>[];
  readonly keys: PlacedValue<string>[];
  readonly texts: PlacedValue<string>[];
}

function placeValue({ element, number, keyword }: LeafValue, { id: path, isKey }: IndexedPath, to: Values): void {
  if (number !== undefined) to.numbers.push({ path, element, value: number });
  if (keyword === undefined) return;
  if (isKey) to.keys.push({ path, element, value: keyword });
  else to.texts.push({ path, element, value: foldKeyword(keyword) });
}

// Tokens of records and their elements. Analysed words consist of letters and digits, so the first sign of a token
// separates the other kinds from words: a prefix query over words never visits tokens of paths. `p` is a path id.

/** Token between the values of a text column, so that no phrase matches across values. */
export const BREAK = "?";

/** Returns the token before each value of a path. It shows that the path has a value, and no phrase crosses it. */
export function existsToken(p: number): string {
  return `?${p}`;
}

/** Returns the token of a word in a value of a path. */
export function wordToken(p: number, word: string): string {
  return `_${p}_${word}`;
}

/** Returns the token of an element of the array of objects at a path. */
export const elementToken = (p: number): string => `@${p}`;

/** Returns the token of a declared facet key, by its row in `key`. */
export const keyToken = (key: number): string => `#${key}`;

/** Returns the token of a citation of a term anywhere. */
export const citesToken = (vocabulary: string, id: string): string => `~${vocabulary}:${escapeId(id)}`;

/** Returns the token of a citation of a term at a site. */
export const siteToken = (p: number, vocabulary: string, id: string): string => atSite(p, citesToken(vocabulary, id));

/** Returns the token of a citation at a site. @param cites result of `citesToken` */
const atSite = (p: number, cites: string): string => `~${p}${cites}`;

/** Maximum length of a whole value that is its own token, in UTF-16 units. Longer values are hashed. */
const WHOLE_LENGTH_MAX = 200;

/** Returns the token of a whole identifier, from its words in order. */
export function wholeToken(words: readonly string[]): string {
  const whole = words.join("_");
  if (whole.length <= WHOLE_LENGTH_MAX) return `=w${whole}`;
  return `=#${createHash("sha256").update(whole).digest("hex")}`;
}

/**
 * Returns the token of a whole title, from its words in order. It ends with a sign, so that the token of some words is
 * a prefix of the tokens of all titles that begin with them.
 */
export const titleToken = (words: readonly string[]): string => `=t${words.join("_")}_`;

/** Escapes ASCII capitals and signs of an id, because the tokenizer would fold or split them. */
function escapeId(id: string): string {
  let escaped = "";
  for (const sign of id) escaped += ASCII_ESCAPED[sign.charCodeAt(0)] ?? escapeSign(sign);
  return escaped;
}

function escapeSign(sign: string): string {
  if (/^[a-z0-9]$/u.test(sign)) return sign;
  if (/^[A-Z]$/u.test(sign)) return `^${sign.toLowerCase()}`;
  return [...Buffer.from(sign, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Escaped ASCII characters by their code. */
const ASCII_ESCAPED: readonly string[] = Array.from({ length: 128 }, (_, code) =>
  escapeSign(String.fromCharCode(code)),
);

/** Joins tokens to one text, in the order that phrases need. */
export const joinTokens = (tokens: readonly string[]): string => tokens.join(" ");
