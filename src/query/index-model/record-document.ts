import { addAll } from "../../core/arrays.js";
import type { Citations } from "../../core/records/record-change.js";
import { identifierForms, isIdentifierPath } from "../fields/identifier-forms.js";
import { foldKeyword } from "../text/analyse.js";
import type { LeafValue, RecordLeaves } from "./leaves.js";
import {
  BREAK,
  citesToken,
  elementToken,
  existsToken,
  joinTokens,
  siteToken,
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

/** What the document of a record needs to know beside its leaves. */
export interface DocumentContext {
  /** Id of a path. */
  pathId(path: string): number;
  /** Are the values at the path those of a facet? */
  isKeyPath(path: string): boolean;
}

/** Makes what an index holds of some leaves. */
export function recordDocument({ leaves, elements, cites }: RecordLeaves, context: DocumentContext): RecordDocument {
  const paths: string[] = [];
  const columns = { title: [] as string[], heavy: [] as string[], rest: [] as string[] };
  const rows = elements.map(({ path }) => [elementToken(context.pathId(path))]);
  const values: Values = { numbers: [], keys: [], texts: [] };
  const allWords = new Set<string>();
  for (const leaf of leaves) {
    for (const word of leaf.words) allWords.add(word);
    if (leaf.words.length > 0 && !leaf.isFieldOnly) {
      columns[leaf.weight].push(BREAK);
      addAll(columns[leaf.weight], leaf.words);
      if (leaf.weight === "title") paths.push(titleToken(leaf.words));
    }
    const p = leaf.path === null ? UNDECLARED : context.pathId(leaf.path);
    const tokens = joinTokens([existsToken(p), ...leaf.words.map((word) => wordToken(p, word))]);
    rows[leaf.element - 1]?.push(tokens);
    if (leaf.path === null) continue;
    paths.push(tokens);
    if (isIdentifierPath(leaf.path)) addAll(paths, identifierForms(leaf.keyword ?? "").map(wholeToken));
    placeValue(leaf, p, context, values);
  }
  for (const { vocabulary, id, site, element } of cites) {
    const token = siteToken(context.pathId(site), vocabulary, id);
    paths.push(citesToken(vocabulary, id), token);
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

/** The terms that a record cites, each once. */
function citedIn(cites: RecordLeaves["cites"]): Citations {
  return [...new Map(cites.map(({ vocabulary, id }) => [`${vocabulary}/${id}`, [vocabulary, id] as const])).values()];
}

interface Values {
  readonly numbers: Placed<number>[];
  readonly keys: Placed<string>[];
  readonly texts: Placed<string>[];
}

function placeValue(
  { path, element, number, keyword }: LeafValue,
  p: number,
  context: DocumentContext,
  to: Values,
): void {
  if (number !== undefined) to.numbers.push({ path: p, element, value: number });
  if (keyword === undefined || path === null) return;
  if (context.isKeyPath(path)) to.keys.push({ path: p, element, value: keyword });
  else to.texts.push({ path: p, element, value: foldKeyword(keyword) });
}
