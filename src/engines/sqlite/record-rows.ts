import { addAll } from "../../core/arrays.js";
import { foldKeyword } from "../../query/analyse.js";
import { identifierForms, isIdentifierPath } from "../../query/identifiers.js";
import type { LeafValue, RecordLeaves } from "../../query/leaves.js";
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
} from "./tokens.js";
import { type Placed, packTexts, packValues } from "./vals.js";

/** What the rows of a record need to know beside its leaves. */
export interface RowContext {
  /** Id of a path; given now where it has none. */
  pathId(path: string): number;
  /** Row of `key` for a value at a facet's path, made now where there is none; undefined at any other path. */
  keyId(path: string, value: string): number | undefined;
}

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

/** Makes the rows of a record from its leaves. */
export function recordRows(leaves: RecordLeaves, context: RowContext): RecordRows {
  const paths: string[] = [];
  const columns = { title: [] as string[], heavy: [] as string[], rest: [] as string[] };
  const elements = leaves.elements.map(({ path }) => [elementToken(context.pathId(path))]);
  const values: Values = { numbers: [], keys: [], texts: [] };
  for (const leaf of leaves.leaves) {
    if (leaf.words.length > 0 && !leaf.isFieldOnly) {
      columns[leaf.weight].push(BREAK);
      addAll(columns[leaf.weight], leaf.words);
      if (leaf.weight === "title") paths.push(titleToken(leaf.words));
    }
    const p = leaf.path === null ? UNDECLARED : context.pathId(leaf.path);
    const tokens = joinTokens([existsToken(p), ...leaf.words.map((word) => wordToken(p, word))]);
    elements[leaf.element - 1]?.push(tokens);
    if (leaf.path === null) continue;
    paths.push(tokens);
    if (isIdentifierPath(leaf.path)) addAll(paths, identifierForms(leaf.keyword ?? "").map(wholeToken));
    placeValue(leaf, p, context, values);
  }
  for (const { vocabulary, id, site, element } of leaves.cites) {
    const token = siteToken(context.pathId(site), vocabulary, id);
    paths.push(citesToken(vocabulary, id), token);
    elements[element - 1]?.push(token);
  }
  addAll(paths, new Set(values.keys.map(({ value }) => keyToken(value))));
  return {
    paths: joinTokens(paths),
    title: joinTokens(columns.title),
    heavy: joinTokens(columns.heavy),
    rest: joinTokens(columns.rest),
    elements: elements.map(joinTokens),
    vals: packValues(values.numbers, values.keys),
    texts: packTexts(values.texts),
  };
}

interface Values {
  readonly numbers: Placed<number>[];
  readonly keys: Placed<number>[];
  readonly texts: Placed<string>[];
}

function placeValue({ path, element, number, keyword }: LeafValue, p: number, context: RowContext, to: Values): void {
  if (number !== undefined) to.numbers.push({ path: p, element, value: number });
  if (keyword === undefined || path === null) return;
  const key = context.keyId(path, keyword);
  if (key !== undefined) to.keys.push({ path: p, element, value: key });
  else to.texts.push({ path: p, element, value: foldKeyword(keyword) });
}
