import { facetBuckets } from "../../../core/catalog/facet-kinds/facet-kinds.js";
import { canonicalPath } from "../../../core/catalog/places.js";
import type { Leaf, Vocabulary } from "../../../core/catalog/types.js";
import type { JsonObject } from "../../../core/json.js";
import { LIMITS } from "../../../core/limits.js";
import type { PlacedTerm, SourceTerm } from "../../../ports/index-documents.js";
import { countedPaths } from "../../../query/index-model/indexed-paths.js";
import type { LeafValue } from "../../../query/index-model/leaves.js";
import {
  existsToken,
  isTitle,
  nameKey,
  nameKeys,
  pathToken,
  startToken,
  termSignature,
  titleKey,
} from "../../../query/index-model/term-document.js";
import { termLeaves } from "../../../query/index-model/term-leaves.js";
import { analyse, foldKeyword } from "../../../query/text/analyse.js";
import type { IndexDocument } from "../../separate-index/driver/index-driver.js";
import { counterOf } from "../facets/counters.js";
import { addSum, SUM_FIELD } from "./index-fields.js";
import type { TokenRange } from "./index-tokens.js";
import { DELETES_KEPT, TOKEN_LENGTH_MAX } from "./record-document.js";

/** Columns of words: of titles, of synonyms, of all other values; and words with the paths of their values. */
type TextColumn = "title" | "names" | "rest" | "at";

/**
 * A term as its index has it. Values of text columns are tokens separated by blanks, one text per value, so that no
 * phrase spans two of them.
 */
interface TermDocument extends Readonly<Record<TextColumn, readonly string[]>> {
  readonly id: string;
  /** The static rank, see `CitedKey`. */
  readonly status: number;
  readonly cited: number;
  readonly prior: number;
  readonly length: number;
  /** Microseconds since 1970 UTC. */
  readonly created: number;
  readonly parent?: string | undefined;
  readonly successor?: string | undefined;
  /** Tokens of whole names, and of the words of the whole id. */
  readonly whole: readonly string[];
  /** All words, each once. */
  readonly words: readonly string[];
  /** Keywords with their paths, as ranges compare them. */
  readonly keyword: readonly string[];
  /** Keys of facets of texts and of years, by name of the facet. */
  readonly facet: Readonly<Record<string, readonly string[]>>;
  /** Numbers and dates, by name of the path. */
  readonly number: Readonly<Record<string, readonly number[]>>;
  /** Sort keys of titles, by language. */
  readonly order: Readonly<Record<string, string>>;
}

/** Returns the token of a whole name of a kind (IDENTIFIER, TITLE, SYNONYM), by its key. */
export const wholeNameToken = (kind: number, key: string): string => `${kind}${key}`;

/** Returns the token of the whole id with its prefix, by its key. */
export const wholeIdToken = (key: string): string => `id ${key}`;

/** Separates a value from its path; less than every character of a value. */
const PART = "\u0001";

/** Characters of a keyword that ranges compare: more than a query can name, fewer than the index accepts. */
const KEYWORD_LENGTH_MAX = 8_000;

/** Returns the token of a value at a path for ranges of keywords. */
export const rangeKeywordToken = (path: string, folded: string): string =>
  `${path}${PART}${[...folded.slice(0, KEYWORD_LENGTH_MAX * 2)].slice(0, KEYWORD_LENGTH_MAX).join("")}`;

/** Returns the range of the tokens of all values at a path. */
export const termKeywordRange = (path: string): TokenRange => ({ gte: `${path}${PART}`, lt: `${path}\u0002` });

/**
 * Returns the document as sent, with its digest and the region of the term. The digest does not cover the region, which
 * may be outdated (see `TermSubtree`) while all other fields must be current.
 */
export function termDocumentText(placed: PlacedTerm, vocabulary: Vocabulary): IndexDocument {
  const { region } = placed;
  const regionMember = region === undefined ? "" : `"region":${JSON.stringify(region)},`;
  return addSum(JSON.stringify(termDocument(placed, vocabulary)), regionMember);
}

function termDocument(source: SourceTerm, vocabulary: Vocabulary): TermDocument {
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
    parent,
    successor,
    ...textColumns(leaves),
    whole: [
      ...nameKeys(content, vocabulary, leaves).map(([key, kind]) => wholeNameToken(kind, key)),
      ...(id === undefined ? [] : [wholeIdToken(id)]),
    ],
    words: [...new Set(leaves.flatMap(({ words }) => words))],
    keyword: unique(leaves.flatMap(({ path, keyword }) => keywordsOf(path, keyword))),
    facet: facetKeys(leaves, vocabulary),
    number: numbersByField(leaves),
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
  return path === null || keyword === undefined ? [] : [rangeKeywordToken(path, foldKeyword(keyword))];
}

function facetKeys(leaves: readonly LeafValue[], { facets }: Vocabulary): Record<string, string[]> {
  const keys = facets.map((facet): [string, string[]] => {
    const buckets = facetBuckets(facet);
    return [facet.name, unique(counterOf(buckets).termKeys(buckets, countedPaths(facet), leaves))];
  });
  return Object.fromEntries(keys.filter(([, of]) => of.length > 0).map(([name, of]) => [fieldName(name), of]));
}

function numbersByField(leaves: readonly LeafValue[]): Record<string, number[]> {
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

/** Raise it with every change of the content of term documents. */
const DOCUMENT_VERSION = 2;

/** Maximum number of letters (code points) of token prefixes that are tokens themselves. */
export const PREFIX_LENGTH_MAX = 4;

/** Maximum number of terms in one query, such as those below a term. */
export const IDS_MAX = 65_536;

/** Greater than the length of a regular expression for the longest word with two edits (`nearPrefixes`). */
export const REGEX_LENGTH_MAX = 500_000;

/** Positions between two values of a column, so that no phrase spans them. */
const GAP = 100;

/**
 * Returns a text with what the documents of a vocabulary depend on besides their content. If it differs, they are made
 * again.
 */
export const termDocumentsSignature = (vocabulary: Vocabulary): string =>
  `${DOCUMENT_VERSION}:${termSignature(vocabulary)}:${vocabulary.facets.map((each) => JSON.stringify(each)).join()}`;

/**
 * Returns the index of a vocabulary. It is sorted in the order of `compareCited`, so that the first hits in that order
 * are found without visiting the others. Fields depend on the catalog, never on data.
 */
export function termIndex(vocabulary: Vocabulary): { readonly settings: JsonObject; readonly mappings: JsonObject } {
  return {
    settings: {
      analysis: {
        tokenizer: { tokens: { type: "whitespace", max_token_length: TOKEN_LENGTH_MAX } },
        filter: { beginnings: { type: "edge_ngram", min_gram: 1, max_gram: PREFIX_LENGTH_MAX } },
        analyzer: {
          tokens: { type: "custom", tokenizer: "tokens" },
          beginnings: { type: "custom", tokenizer: "tokens", filter: ["beginnings"] },
        },
      },
      index: {
        sort: {
          field: ["status", "cited", "prior", "length", "id"],
          order: ["asc", "desc", "desc", "asc", "asc"],
        },
        refresh_interval: -1,
        gc_deletes: DELETES_KEPT,
        "replication.type": "DOCUMENT",
        max_result_window: LIMITS.pageWindowMax + 1,
        max_terms_count: IDS_MAX,
        max_regex_length: REGEX_LENGTH_MAX,
        "mapping.total_fields.limit": 10_000,
      },
    },
    mappings: { dynamic: false, _source: { enabled: false }, properties: properties(vocabulary) },
  };
}

const KEYWORD = { type: "keyword", norms: false } as const;
/** Fields that are never sorted or counted by. */
const TOKENS = { ...KEYWORD, doc_values: false } as const;
const TEXT = { type: "text", analyzer: "tokens", norms: false, position_increment_gap: GAP } as const;
/** The first typed letters match very many words, so prefixes are tokens too, at the positions of their words. */
const WORDS = { ...TEXT, fields: { begin: { ...TEXT, analyzer: "beginnings" } } } as const;

function properties(vocabulary: Vocabulary): JsonObject {
  return {
    id: KEYWORD,
    successor: KEYWORD,
    parent: TOKENS,
    region: KEYWORD,
    status: { type: "byte" },
    cited: { type: "long" },
    prior: { type: "double" },
    length: { type: "integer" },
    created: { type: "long" },
    ...SUM_FIELD,
    title: WORDS,
    names: WORDS,
    rest: WORDS,
    at: TEXT,
    whole: TOKENS,
    words: KEYWORD,
    keyword: TOKENS,
    facet: { properties: facetFields(vocabulary) },
    number: { properties: Object.fromEntries(numberPaths(vocabulary).map((path) => [fieldName(path), DOUBLE])) },
    order: { properties: Object.fromEntries(vocabulary.languages.map((lang) => [lang, ORDER])) },
  };
}

const DOUBLE = { type: "double" } as const;
/** Fields that are only sorted by. */
const ORDER = { type: "keyword", index: false, norms: false } as const;

function facetFields({ facets }: Vocabulary): JsonObject {
  const counted = facets.filter((facet) => counterOf(facetBuckets(facet)).contents === "keys");
  return Object.fromEntries(counted.map(({ name }) => [fieldName(name), KEYWORD]));
}

/** Returns all paths of numbers and dates of terms, in any unit. */
function numberPaths({ leaves, units }: Vocabulary): readonly string[] {
  const paths = [...leaves.values()].flatMap((leaf) => {
    if (leaf.type === "keyword") return [];
    return [leaf.path, ...leafDimensions(leaf, [...units.dimensions.keys()]).map((name) => canonicalPath(leaf, name))];
  });
  return [...new Set(paths)];
}

function leafDimensions({ quantity }: Leaf, all: readonly string[]): readonly string[] {
  if (quantity === undefined) return [];
  return quantity.named === undefined || quantity.dimensions.length === 0 ? all : quantity.dimensions;
}
