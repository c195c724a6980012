/** Settings and mappings of the index of records. */
import type { Catalog } from "../../../core/catalog/types.js";
import { LIMITS } from "../../../core/limits.js";
import type { IndexDefinition } from "../connection/indexes.js";
import { SUM_FIELD } from "./document-sum.js";
import { facetFields } from "./facet-fields.js";
import { maxDepth, numberPathsOf, type PathDepths, type PathNumbers, pathDepths } from "./path-numbers.js";
import { REGEX_LENGTH_MAX } from "./term-mapping.js";

/** Raise it with every change of the document of an unchanged record: indexes of another version must be made again. */
export const RECORD_DOCUMENT_VERSION = 2;

interface RecordIndexOptions {
  readonly catalog: Catalog;
  readonly numbers: PathNumbers;
  readonly shards: number;
  readonly replicas: number;
}

type Properties = Readonly<Record<string, object>>;

const WORDS = { type: "text", analyzer: "tokens", norms: false, position_increment_gap: 10 };
/** Fields that are only searched. */
const TOKEN = { type: "keyword", doc_values: false, norms: false };
/** Fields that are also counted or sorted by. */
const KEY = { type: "keyword", norms: false };

/** Fields of the record and of each element, see make-record-document.ts. */
const LEVEL: Properties = { t: WORDS, h: WORDS, r: WORDS, at: WORDS, k: TOKEN, v: TOKEN };

const RECORD: Properties = {
  id: KEY,
  state: KEY,
  model: KEY,
  owner: KEY,
  share: KEY,
  ...SUM_FIELD,
  // All words of its text, which suggestions count.
  w: { type: "keyword", index: false },
  latest: { type: "boolean" },
  twin: { type: "boolean" },
  row: { type: "long" },
  order: { type: "long" },
  seq: { type: "long" },
};

/** Longer than any token, which is a word with its path or the number of the path. The tokenizer's default is 255. */
export const TOKEN_LENGTH_MAX = 8_192;

/** Time for which a delete is remembered, in case a write of an older version is repeated after it. */
export const DELETES_KEPT = "1h";

export function recordIndex({ catalog, numbers, shards, replicas }: RecordIndexOptions): IndexDefinition {
  return {
    settings: {
      index: {
        number_of_shards: shards,
        number_of_replicas: replicas,
        refresh_interval: "-1",
        gc_deletes: DELETES_KEPT,
        // With segment replication a refresh would not reach the replicas.
        replication: { type: "DOCUMENT" },
        mapping: {
          total_fields: { limit: 10_000 },
          nested_objects: { limit: LIMITS.bodyLeavesMax + 1 },
          nested_fields: { limit: 50 },
        },
        max_result_window: LIMITS.pageWindowMax + 1,
        max_regex_length: REGEX_LENGTH_MAX,
        analysis: {
          // Words come from Bindery's analysis; a word that the tokenizer cuts would be two.
          tokenizer: { tokens: { type: "whitespace", max_token_length: TOKEN_LENGTH_MAX } },
          analyzer: { tokens: { type: "custom", tokenizer: "tokens" } },
        },
      },
    },
    mappings: recordMapping(catalog, numbers),
  };
}

/** Returns the fields. Fields can be added to an existing index. */
export function recordMapping(catalog: Catalog, numbers: PathNumbers): IndexDefinition["mappings"] {
  const depthOf = pathDepths(catalog);
  const numbered = [...numberPathsOf(catalog)];
  const facets = facetFields(catalog, numbers).map(({ field, holds }): [string, object] => [
    field.slice("f.".length),
    holds === "numbers" ? { type: "double" } : KEY,
  ]);
  const level = (depth: number): object => ({
    dynamic: false,
    properties: {
      ...LEVEL,
      ...(depth === 0 ? { ...RECORD, f: { properties: Object.fromEntries(facets) } } : {}),
      n: { properties: numberFields(numbered.filter(isAtDepth(depth, depthOf)), numbers) },
      ...(depth < maxDepth(catalog) ? { e: { type: "nested", ...level(depth + 1) } } : {}),
    },
  });
  return {
    ...level(0),
    _source: { enabled: false },
    _meta: { document: RECORD_DOCUMENT_VERSION, paths: numbers.paths },
  };
}

/**
 * Returns whether a field belongs at a depth: the record has all numbers, an element those outside of its own elements.
 */
const isAtDepth =
  (depth: number, depthOf: PathDepths) =>
  (path: string): boolean =>
    depth === 0 || depthOf(path).includes(depth);

function numberFields(paths: readonly string[], numbers: PathNumbers): Properties {
  return Object.fromEntries(paths.map((path) => [`${numbers.numberOf(path)}`, { type: "double" }]));
}
