import { canonicalPath } from "../../../core/catalog/places.js";
import type { Leaf, Vocabulary } from "../../../core/catalog/types.js";
import type { JsonObject } from "../../../core/json.js";
import { LIMITS } from "../../../core/limits.js";
import { facetBuckets } from "../../../query/facet-kinds/declared-facets.js";
import { termSignature } from "../../../query/index-model/term-document.js";
import { counterOf } from "../facets/counters.js";
import { SUM_FIELD } from "./document-sum.js";
import { DELETES_KEPT, TOKEN_LENGTH_MAX } from "./record-mapping.js";
import { fieldName } from "./term-document.js";

/** Raise it with every change of the content of term documents. */
const DOCUMENT_VERSION = 2;

/** Maximum number of letters (code points) of token prefixes that are tokens themselves. */
export const PREFIX_LENGTH_MAX = 4;

/** Maximum number of terms in one query, such as those below a term. */
export const IDS_MAX = 65_536;

/** Greater than the length of a regular expression for the longest word with two edits (`nearBeginnings`). */
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
  const counted = facets.filter((facet) => counterOf(facetBuckets(facet)).holds === "keys");
  return Object.fromEntries(counted.map(({ name }) => [fieldName(name), KEYWORD]));
}

/** Returns all paths of numbers and dates of terms, in any unit. */
function numberPaths({ leaves, units }: Vocabulary): readonly string[] {
  const paths = [...leaves.values()].flatMap((leaf) => {
    if (leaf.type === "keyword") return [];
    return [leaf.path, ...dimensionsOf(leaf, [...units.dimensions.keys()]).map((name) => canonicalPath(leaf, name))];
  });
  return [...new Set(paths)];
}

function dimensionsOf({ quantity }: Leaf, all: readonly string[]): readonly string[] {
  if (quantity === undefined) return [];
  return quantity.named === undefined || quantity.dimensions.length === 0 ? all : quantity.dimensions;
}
