import { addAll } from "../../../core/arrays.js";
import { identifierForms, isIdentifierPath } from "../../../query/fields/identifiers.js";
import type { LeafValue, RecordLeaves } from "../../../query/index-model/leaves.js";
import { foldKeyword } from "../../../query/text/analyse.js";
import { type Citations, citedIn } from "./citation-counts.js";
import { type Placed, packKeys, packNumbers, packTexts } from "./packed-values.js";
import {
  BREAK,
  citesToken,
  elementToken,
  existsToken,
  joinTokens,
  keyToken,
  siteToken,
  titleToken,
  UNDECLARED,
  wholeToken,
  wordToken,
} from "./record-tokens.js";

/** All that the index holds of one record. */
export interface RecordRows {
  /** The columns of `leaf`. */
  readonly paths: string;
  readonly title: string;
  readonly heavy: string;
  readonly rest: string;
  /** The rows of `elem`: element 1 first. */
  readonly elements: readonly string[];
  /** See vals.ts. */
  readonly vals: Buffer;
  readonly texts: Buffer;
}

/** A value of a facet, which has no row of `key` yet. */
type NamedKey = Placed<string>;

/**
 * The rows of some leaves of a record, but for the keys of facets, whose numbers only a transaction gives. Plain data,
 * which passes between threads.
 */
export interface RowPart extends Omit<RecordRows, "vals" | "texts"> {
  /** Packed numbers and texts, see vals.ts. */
  readonly numbers: Uint8Array;
  readonly texts: Uint8Array;
  readonly keys: readonly NamedKey[];
  readonly uses: Citations;
  /** Each word once. */
  readonly words: readonly string[];
}

/** What the rows of a record need to know beside its leaves. */
export interface RowContext {
  /** Id of a path. */
  pathId(path: string): number;
  /** Are the values at the path those of a facet? Then they are rows of `key`. */
  isKeyPath(path: string): boolean;
}

/** Makes the rows of some leaves. */
export function rowPart({ leaves, elements, cites }: RecordLeaves, context: RowContext): RowPart {
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
    numbers: packNumbers(values.numbers),
    texts: packTexts(values.texts),
    keys: values.keys,
    uses: citedIn({ cites }),
    words: [...allWords],
  };
}

/**
 * The rows of a record from those of its leaves, in the order of these.
 * @param keyId row of `key` for a value at the path with this id, made now where there is none
 */
export function joinParts(parts: readonly RowPart[], keyId: (path: number, value: string) => number): RecordRows {
  const keys = parts.flatMap((part) => part.keys.map((key) => ({ ...key, value: keyId(key.path, key.value) })));
  const keyTokens = [...new Set(keys.map(({ value }) => keyToken(value)))];
  const column = (name: "paths" | "title" | "heavy" | "rest", more: readonly string[] = []): string =>
    joinTokens([...parts.map((part) => part[name]), ...more].filter((text) => text !== ""));
  return {
    paths: column("paths", keyTokens),
    title: column("title"),
    heavy: column("heavy"),
    rest: column("rest"),
    elements: parts.flatMap(({ elements }) => elements),
    vals: Buffer.concat([...parts.map(({ numbers }) => numbers), packKeys(keys)]),
    texts: Buffer.concat(parts.map(({ texts }) => texts)),
  };
}

interface Values {
  readonly numbers: Placed<number>[];
  readonly keys: NamedKey[];
  readonly texts: Placed<string>[];
}

function placeValue({ path, element, number, keyword }: LeafValue, p: number, context: RowContext, to: Values): void {
  if (number !== undefined) to.numbers.push({ path: p, element, value: number });
  if (keyword === undefined || path === null) return;
  if (context.isKeyPath(path)) to.keys.push({ path: p, element, value: keyword });
  else to.texts.push({ path: p, element, value: foldKeyword(keyword) });
}
