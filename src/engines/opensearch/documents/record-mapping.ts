/** What the index of records is made with. */
import type { Catalog } from "../../../core/catalog/types.js";
import { LIMITS } from "../../../core/limits.js";
import type { IndexDefinition } from "../connection/indexes.js";
import { SUM_FIELD } from "./document-sum.js";
import { facetFields } from "./facet-fields.js";
import { deepest, numberPathsOf, type PathDepths, type PathNumbers, pathDepths } from "./path-numbers.js";
import { REGEX_LENGTH_MAX } from "./term-mapping.js";

/** Raised with every change of what a document holds for the same record: indexes of another one must be made again. */
export const RECORD_DOCUMENT_VERSION = 2;

interface RecordIndexOptions {
  readonly catalog: Catalog;
  readonly numbers: PathNumbers;
  readonly shards: number;
  readonly replicas: number;
}

type Properties = Readonly<Record<string, object>>;

const WORDS = { type: "text", analyzer: "tokens", norms: false, position_increment_gap: 10 };
/** What is only looked for. */
const TOKEN = { type: "keyword", doc_values: false, norms: false };
/** What is counted or sorted by as well. */
const KEY = { type: "keyword", norms: false };

/** Fields of the record and of each element, see `make-record-document`. */
const LEVEL: Properties = { t: WORDS, h: WORDS, r: WORDS, at: WORDS, k: TOKEN, v: TOKEN };

const RECORD: Properties = {
  ...{ id: KEY, state: KEY, model: KEY, owner: KEY, share: KEY },
  ...SUM_FIELD,
  // Words of all its text, which suggestions are counted from.
  w: { type: "keyword", index: false },
  ...{ latest: { type: "boolean" }, twin: { type: "boolean" } },
  ...{ row: { type: "long" }, order: { type: "long" }, seq: { type: "long" } },
};

/** Longer than any token, which is a word with its path or the number of the path. The tokenizer's default is 255. */
export const TOKEN_LENGTH_MAX = 8_192;

/** How long a delete is remembered that came before a replayed write of an older version. */
export const DELETES_KEPT = "1h";

export function recordIndex({ catalog, numbers, shards, replicas }: RecordIndexOptions): IndexDefinition {
  return {
    settings: {
      index: {
        ...{ number_of_shards: shards, number_of_replicas: replicas, refresh_interval: "-1", gc_deletes: DELETES_KEPT },
        // With segments as the unit of replication a refresh would not reach the replicas.
        replication: { type: "DOCUMENT" },
        mapping: {
          total_fields: { limit: 10_000 },
          nested_objects: { limit: LIMITS.bodyLeavesMax + 1 },
          nested_fields: { limit: 50 },
        },
        max_result_window: LIMITS.pageWindowMax + 1,
        max_regex_length: REGEX_LENGTH_MAX,
        analysis: {
          // Words are made by our own analysis; one that is cut by the tokenizer would be two.
          tokenizer: { tokens: { type: "whitespace", max_token_length: TOKEN_LENGTH_MAX } },
          analyzer: { tokens: { type: "custom", tokenizer: "tokens" } },
        },
      },
    },
    mappings: recordMapping(catalog, numbers),
  };
}

/** The fields; of an index that is there more of them may be added. */
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
      ...(depth < deepest(catalog) ? { e: { type: "nested", ...level(depth + 1) } } : {}),
    },
  });
  return {
    ...level(0),
    _source: { enabled: false },
    _meta: { document: RECORD_DOCUMENT_VERSION, paths: numbers.paths },
  };
}

/** The record has all numbers, an element those that stand in it and in no element of its own. */
const isAtDepth =
  (depth: number, depthOf: PathDepths) =>
  (path: string): boolean =>
    depth === 0 || depthOf(path).includes(depth);

function numberFields(paths: readonly string[], numbers: PathNumbers): Properties {
  return Object.fromEntries(paths.map((path) => [`${numbers.numberOf(path)}`, { type: "double" }]));
}
