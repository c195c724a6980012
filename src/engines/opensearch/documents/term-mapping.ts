import { canonicalPath } from "../../../core/catalog/quantity-paths.js";
import type { Leaf, Vocabulary } from "../../../core/catalog/types.js";
import type { JsonObject } from "../../../core/json.js";
import { LIMITS } from "../../../core/limits.js";
import { bucketsOf } from "../../../query/index-model/declared-facets.js";
import { termSignature } from "../../../query/index-model/term-signature.js";
import { SUM_FIELD } from "./document-sum.js";
import { fieldName } from "./field-names.js";
import { DELETES_KEPT, TOKEN_LENGTH_MAX } from "./record-mapping.js";

/** Raised with every change of what stands in the documents of terms. */
const DOCUMENT_VERSION = 2;

/** Up to so many letters (code points) beginnings of tokens are tokens of their own. */
export const BEGINNING_LENGTH_MAX = 4;

/** Most terms that one query may name: items below one. */
export const IDS_MAX = 65_536;

/**
 * A term with more items below it is a large one, see `Below`: the fewer these are, the fewer ids a search names; but
 * it names large terms, and whoever moves a term that is not large has about so many documents made again at most.
 */
export const LARGE_ABOVE = 5_000;

/** A regular expression of the longest word with two edits has fewer characters (`nearBeginnings`). */
export const REGEX_LENGTH_MAX = 500_000;

/** Characters between two values of a column, so that no phrase crosses from one to the next. */
const GAP = 100;

/** What the documents of a vocabulary are made by beside their contents: where it differs, they are made again. */
export const termDocumentsSignature = (vocabulary: Vocabulary): string =>
  `${DOCUMENT_VERSION}:${termSignature(vocabulary)}:${vocabulary.facets.map((each) => JSON.stringify(each)).join()}`;

/**
 * The index of a vocabulary. It lies in the order of `compareCited`, so that the first hits in that order are found
 * without looking at the others. Fields are those of the catalog, never of data.
 */
export function termIndex(vocabulary: Vocabulary): { readonly settings: JsonObject; readonly mappings: JsonObject } {
  return {
    settings: {
      analysis: {
        tokenizer: { tokens: { type: "whitespace", max_token_length: TOKEN_LENGTH_MAX } },
        filter: { beginnings: { type: "edge_ngram", min_gram: 1, max_gram: BEGINNING_LENGTH_MAX } },
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
/** Never sorted or counted by. */
const TOKENS = { ...KEYWORD, doc_values: false } as const;
const TEXT = { type: "text", analyzer: "tokens", norms: false, position_increment_gap: GAP } as const;
/** What is typed first begins very many words: beginnings are tokens too, each where its word stands. */
const WORDS = { ...TEXT, fields: { begin: { ...TEXT, analyzer: "beginnings" } } } as const;

function properties(vocabulary: Vocabulary): JsonObject {
  return {
    ...{ id: KEYWORD, successor: KEYWORD, parent: TOKENS, region: KEYWORD },
    ...{ status: { type: "byte" }, cited: { type: "long" }, prior: { type: "double" }, length: { type: "integer" } },
    created: { type: "long" },
    ...SUM_FIELD,
    ...{ title: WORDS, names: WORDS, rest: WORDS, at: TEXT },
    ...{ whole: TOKENS, words: KEYWORD, keyword: TOKENS },
    facet: { properties: facetFields(vocabulary) },
    number: { properties: Object.fromEntries(numberPaths(vocabulary).map((path) => [fieldName(path), DOUBLE])) },
    order: { properties: Object.fromEntries(vocabulary.languages.map((lang) => [lang, ORDER])) },
  };
}

const DOUBLE = { type: "double" } as const;
/** Only sorted by. */
const ORDER = { type: "keyword", index: false, norms: false } as const;

function facetFields({ facets }: Vocabulary): JsonObject {
  const counted = facets.filter((facet) => ["terms", "year"].includes(bucketsOf(facet).kind));
  return Object.fromEntries(counted.map(({ name }) => [fieldName(name), KEYWORD]));
}

/** All paths that numbers and dates of items stand at, in whatever unit. */
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
