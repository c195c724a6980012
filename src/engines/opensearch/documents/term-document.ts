import type { Vocabulary } from "../../../core/catalog/types.js";
import type { PlacedTerm, SourceTerm } from "../../../ports/index-documents.js";
import { facetBuckets } from "../../../query/facet-kinds/declared-facets.js";
import { countedPaths } from "../../../query/index-model/indexed-paths.js";
import type { LeafValue } from "../../../query/index-model/leaves.js";
import {
  existsToken,
  isTitle,
  nameKey,
  nameKeys,
  pathToken,
  startToken,
  titleKey,
} from "../../../query/index-model/term-document.js";
import { termLeaves } from "../../../query/index-model/term-leaves.js";
import { analyse, foldKeyword } from "../../../query/text/analyse.js";
import type { IndexDocument } from "../../separate-index/driver/index-driver.js";
import type { TermDocument, TextColumn } from "../../separate-index/overlay/term-predicates.js";
import { counterOf } from "../facets/counters.js";
import { addSum } from "./document-sum.js";

/** Returns the token of a whole name of a kind (IDENTIFIER, TITLE, SYNONYM), by its key. */
export const wholeName = (kind: number, key: string): string => `${kind}${key}`;

/** Returns the token of the whole id with its prefix, by its key. */
export const wholeId = (key: string): string => `id ${key}`;

/** Separates a value from its path; less than every character of a value. */
const PART = "\u0001";

/** Characters of a keyword that ranges compare: more than a query can name, fewer than the index accepts. */
const KEYWORD_LENGTH_MAX = 8_000;

/** Returns the token of a value at a path for ranges of keywords. */
export const rangeKeyword = (path: string, folded: string): string =>
  `${path}${PART}${[...folded.slice(0, KEYWORD_LENGTH_MAX * 2)].slice(0, KEYWORD_LENGTH_MAX).join("")}`;

/** Returns the bounds of all values at a path. */
export const keywordsAt = (path: string): { readonly from: string; readonly below: string } => ({
  from: `${path}${PART}`,
  below: `${path}\u0002`,
});

/**
 * Returns the document as sent, with its digest and the region of the term. The digest does not cover the region, which
 * may be outdated (see `Below`) while all other fields must be current.
 */
export function termDocumentText(placed: PlacedTerm, vocabulary: Vocabulary): IndexDocument {
  const { region } = placed;
  const regionMember = region === undefined ? "" : `"region":${JSON.stringify(region)},`;
  return addSum(JSON.stringify(termDocument(placed, vocabulary)), regionMember);
}

export function termDocument(source: SourceTerm, vocabulary: Vocabulary): TermDocument {
  const { content, status, prior, length, citedBy, created } = source;
  const leaves = termLeaves(content, vocabulary);
  const { parent, replaced_by: successor } = content;
  const id = nameKey(analyse(content.id));
  return {
    id: content.id,
    status,
    cited: citedBy,
    prior,
    length,
    created,
    ...(parent === undefined ? {} : { parent }),
    ...(successor === undefined ? {} : { successor }),
    ...textColumns(leaves),
    whole: [
      ...nameKeys(content, vocabulary, leaves).map(([key, kind]) => wholeName(kind, key)),
      ...(id === undefined ? [] : [wholeId(id)]),
    ],
    words: [...new Set(leaves.flatMap(({ words }) => words))],
    keyword: unique(leaves.flatMap(({ path, keyword }) => keywordsOf(path, keyword))),
    facet: facetKeys(leaves, vocabulary),
    number: numbersOf(leaves),
    order: Object.fromEntries(vocabulary.languages.map((lang) => [lang, titleKey(content, lang, vocabulary)])),
  };
}

function textColumns(leaves: readonly LeafValue[]): Pick<TermDocument, TextColumn> {
  const columns: Record<TextColumn, string[]> = { title: [], names: [], rest: [], at: [] };
  for (const { path, words } of leaves) {
    if (path !== null) columns.at.push([existsToken(path), ...words.map((word) => pathToken(path, word))].join(" "));
    if (words.length === 0) continue;
    if (isTitle(path)) columns.title.push([startToken(words[0]!), ...words].join(" "));
    else columns[path === "synonyms" ? "names" : "rest"].push(words.join(" "));
  }
  return columns;
}

function keywordsOf(path: string | null, keyword: string | undefined): string[] {
  return path === null || keyword === undefined ? [] : [rangeKeyword(path, foldKeyword(keyword))];
}

function facetKeys(leaves: readonly LeafValue[], { facets }: Vocabulary): Record<string, string[]> {
  const keys = facets.map((facet): [string, string[]] => {
    const buckets = facetBuckets(facet);
    return [facet.name, unique(counterOf(buckets).termKeys(buckets, countedPaths(facet), leaves))];
  });
  return Object.fromEntries(keys.filter(([, of]) => of.length > 0).map(([name, of]) => [fieldName(name), of]));
}

function numbersOf(leaves: readonly LeafValue[]): Record<string, number[]> {
  const numbers: Record<string, number[]> = {};
  for (const { path, number } of leaves) {
    if (path === null || number === undefined) continue;
    const name = fieldName(path);
    numbers[name] = unique([...(numbers[name] ?? []), number]);
  }
  return numbers;
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Returns a field name for a path. OpenSearch reads dots as objects, and a path may be both a value and an object. */
export function fieldName(path: string): string {
  return path.replace(/[^A-Za-z0-9]/gu, (sign) => `_${sign.codePointAt(0)!.toString(16)}_`);
}
