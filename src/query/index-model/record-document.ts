import type { Citations } from "../../core/records/record-change.js";
import { identifierForms, isIdentifierPath } from "../fields/identifier-forms.js";
import { foldKeyword } from "../text/analyse.js";
import type { LeafValue, RecordLeaves } from "./leaves.js";
import {
  atSite,
  BREAK,
  citesToken,
  elementToken,
  existsToken,
  joinTokens,
  titleToken,
  UNDECLARED,
  wholeToken,
  wordToken,
} from "./record-tokens.js";

/** A value at a path (by its id) of an element of a record. */
export interface Placed<V> {
  readonly path: number;
  readonly element: number;
  readonly value: V;
}

/** What an index holds of some leaves of a record, whatever it keeps it in. Texts are tokens with blanks between. */
export interface RecordDocument {
  /** Tokens of paths, titles, identifiers and cited terms. */
  readonly paths: string;
  /** Words by the weights of their values. */
  readonly title: string;
  readonly heavy: string;
  readonly rest: string;
  /** Tokens of each element: element 1 first. */
  readonly elements: readonly string[];
  readonly numbers: readonly Placed<number>[];
  /** Keywords at the paths of facets, as they stand. */
  readonly keys: readonly Placed<string>[];
  /** Keywords at other paths, folded. */
  readonly texts: readonly Placed<string>[];
  /** Terms that are cited. */
  readonly uses: Citations;
  /** Each word once. */
  readonly words: readonly string[];
}

/** A path as an index has it: its id, the tokens of what stands there, and what its values are. */
export interface IndexedPath {
  readonly id: number;
  /** Opens each value. */
  readonly exists: string;
  /** Stands before each word. */
  readonly beforeWord: string;
  /** Do whole values identify something? */
  readonly isIdentifier: boolean;
  /** Are they those of a facet? */
  readonly isKey: boolean;
}

/** To be made once for each path: a record has hundreds of values. @param isKey are its values those of a facet? */
export function indexedPath(path: string, id: number, isKey: boolean): IndexedPath {
  return { id, exists: existsToken(id), beforeWord: wordToken(id, ""), isIdentifier: isIdentifierPath(path), isKey };
}

const UNDECLARED_PATH = indexedPath("", UNDECLARED, false);

/**
 * Makes what an index holds of some leaves.
 * @param pathAt what the index has of a path
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
    const cited = citesToken(vocabulary, id);
    const token = atSite(pathAt(site).id, cited);
    paths.push(cited, token);
    rows[element - 1]?.push(token);
  }
  return {
    paths: joinTokens(paths),
    title: joinTokens(columns.title),
    heavy: joinTokens(columns.heavy),
    rest: joinTokens(columns.rest),
    elements: rows.map(joinTokens),
    ...values,
    uses: citedIn(cites),
    words: [...allWords],
  };
}

/** Those of a value, as one text: the one that opens it, then its words with their path. */
function valueTokens({ exists, beforeWord }: IndexedPath, words: readonly string[]): string {
  if (words.length === 0) return exists;
  const before = ` ${beforeWord}`;
  return exists + before + words.join(before);
}

/** The terms that are cited, each once. */
export function citedIn(cites: readonly { readonly vocabulary: string; readonly id: string }[]): Citations {
  return [...new Map(cites.map(({ vocabulary, id }) => [`${vocabulary}/${id}`, [vocabulary, id] as const])).values()];
}

interface Values {
  readonly numbers: Placed<number>[];
  readonly keys: Placed<string>[];
  readonly texts: Placed<string>[];
}

function placeValue({ element, number, keyword }: LeafValue, { id: path, isKey }: IndexedPath, to: Values): void {
  if (number !== undefined) to.numbers.push({ path, element, value: number });
  if (keyword === undefined) return;
  if (isKey) to.keys.push({ path, element, value: keyword });
  else to.texts.push({ path, element, value: foldKeyword(keyword) });
}
