import type { Catalog } from "../../../core/catalog/types.js";
import { addAll } from "../../../core/collections.js";
import { LIMITS } from "../../../core/limits.js";
import { type RecordBody, storedBody } from "../../../core/record.js";
import { parseInstant } from "../../../core/time.js";
import type { SourceRecord, TermLineage } from "../../../ports/index-documents.js";
import { findAncestors } from "../../../query/evaluate/record-in-memory.js";
import { identifierForms, isIdentifierPath } from "../../../query/fields/identifiers.js";
import type { LeafValue, RecordLeaves } from "../../../query/index-model/leaves.js";
import { recordLeaves } from "../../../query/index-model/record-leaves.js";
import { foldKeyword } from "../../../query/text/analyse.js";
import type { MakeRecordDocument } from "../../separate-index/driver/index-driver.js";
import { textWords } from "../../separate-index/overlay/record-overlay.js";
import { creationOrder } from "../../separate-index/overlay/record-places.js";
import type { IndexDefinition } from "../connection/indexes.js";
import { counterOf } from "../facets/counters.js";
import {
  addSum,
  type FacetField,
  facetFields,
  maxDepth,
  numberPathsOf,
  type PathDepths,
  type PathNumbers,
  pathDepths,
  SUM_FIELD,
} from "./index-fields.js";
import * as tokens from "./index-tokens.js";
import { REGEX_LENGTH_MAX } from "./term-document.js";

/** The content of the record or of one of its elements; the record includes the content of its elements. */
interface Level {
  /** Words by the weights of their values; each value is an entry, so that no phrase spans two of them. */
  readonly t: string[];
  readonly h: string[];
  readonly r: string[];
  /** Words with their paths. */
  readonly at: string[];
  /** Tokens, see index-tokens.ts. */
  readonly k: string[];
  /** Values with their paths, for ranges. */
  readonly v: string[];
  /** Numbers and dates by the numbers of their paths. */
  readonly n: Record<string, number[]>;
  /** The elements in it. */
  readonly e: Level[];
}

const newLevel = (): Level => ({ t: [], h: [], r: [], at: [], k: [], v: [], n: {}, e: [] });

const COLUMNS = { title: "t", heavy: "h", rest: "r" } as const;

/** Makes the function that makes the documents of records. */
export function makeRecordDocuments(catalog: Catalog, numbers: PathNumbers): MakeRecordDocument {
  const context: Context = {
    numbers,
    facets: facetFields(catalog, numbers),
    fields: numberPathsOf(catalog),
  };
  return (source, lineage) => {
    const { record, row, seq, isLatest, hasOtherState, sharedWith } = source;
    const body = storedBody(record);
    const leaves = sourceRecordLeaves(source, body, catalog);
    const level = makeLevels(leaves, lineage, context);
    const head = { id: record.id, state: record.state, model: record.model, owner: record.owner, row, seq };
    // A text, because a JSON number has fewer digits than a `long`.
    const order = String(creationOrder(parseInstant(body.created), row));
    const flags = { latest: isLatest, hasOtherState, share: sharedWith.length > 0 ? sharedWith : undefined };
    const json = JSON.stringify({ ...head, order, ...flags, ...level, w: [...textWords(leaves)] });
    return addSum(json);
  };
}

/** Returns the leaves of a record for the index. @throws Error if the catalog does not have its model */
function sourceRecordLeaves({ record, terms }: SourceRecord, body: RecordBody, { models }: Catalog): RecordLeaves {
  const model = models.get(record.model);
  if (model === undefined)
    throw new Error(`The record ${record.id} is of the model ${record.model}, which is unknown.`);
  const currentTerms = new Map(terms.map(({ vocabulary, id, term }) => [`${vocabulary} ${id}`, term]));
  return recordLeaves(body, model, (vocabulary, id) => currentTerms.get(`${vocabulary} ${id}`));
}

interface Context {
  readonly numbers: PathNumbers;
  readonly facets: readonly FacetField[];
  /** Paths whose numbers have fields. */
  readonly fields: ReadonlySet<string>;
}

function makeLevels(leaves: RecordLeaves, lineage: TermLineage, context: Context): Level & { readonly f: object } {
  const { numbers } = context;
  const record = newLevel();
  const elements: Level[] = [];
  for (const { path, parent } of leaves.elements) {
    const level = newLevel();
    level.k.push(tokens.elementToken(numbers.tokenOf(path)));
    (elements[parent - 1] ?? record).e.push(level);
    elements.push(level);
  }
  for (const leaf of leaves.leaves) {
    const element = elements[leaf.element - 1];
    addLeaf(record, leaf, context);
    if (element !== undefined) addLeaf(element, leaf, context);
    addWhole(record, leaf);
  }
  for (const cite of leaves.cites) {
    const ancestors = cite.isReplaced ? [] : [...findAncestors(lineage.getParentId, cite.vocabulary, cite.id)];
    const cited = tokens.citesTokens(cite, numbers.tokenOf(cite.site), ancestors);
    addAll(record.k, cited);
    addAll(elements[cite.element - 1]?.k ?? [], cited);
  }
  return { ...record, f: facetKeys(leaves, lineage, context) };
}

function addLeaf(level: Level, leaf: LeafValue, { numbers, fields }: Context): void {
  const { words, path } = leaf;
  if (words.length > 0 && leaf.isFieldOnly !== true) level[COLUMNS[leaf.weight]].push(words.join(" "));
  if (path === null) return;
  const p = numbers.tokenOf(path);
  level.k.push(tokens.existsToken(p));
  if (words.length > 0) level.at.push(words.map((word) => tokens.wordToken(p, word)).join(" "));
  if (leaf.keyword !== undefined) level.v.push(tokens.keywordToken(p, foldKeyword(leaf.keyword)));
  if (leaf.number === undefined) return;
  if (fields.has(path)) level.n[p] = [...(level.n[p] ?? []), leaf.number];
  else level.v.push(tokens.numberToken(p, leaf.number));
}

/** Adds the tokens of whole titles and identifiers. */
function addWhole(record: Level, { path, weight, words, keyword, isFieldOnly }: LeafValue): void {
  if (weight === "title" && words.length > 0 && isFieldOnly !== true) record.k.push(tokens.titleToken(words));
  if (path === null || !isIdentifierPath(path)) return;
  for (const form of identifierForms(keyword ?? "")) record.k.push(tokens.wholeToken(form));
}

/** Returns the content of facet fields, by their names without `f.`. */
function facetKeys(
  leaves: RecordLeaves,
  lineage: TermLineage,
  { facets }: Context,
): Record<string, readonly unknown[]> {
  const keys: Record<string, readonly unknown[]> = {};
  for (const facet of facets) {
    const { buckets, paths, field } = facet;
    const values = counterOf(buckets).recordKeys(buckets, paths, leaves, lineage);
    if (values.size > 0) keys[field.slice("f.".length)] = [...values];
  }
  return keys;
}

/**
 * Raise it with every change of the document of an unchanged record, and of the limit of nested objects: indexes of
 * another version must be made again.
 */
export const RECORD_DOCUMENT_VERSION = 4;

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

/** Fields of the record and of each element, see `Level`. */
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
  hasOtherState: { type: "boolean" },
  row: { type: "long" },
  order: { type: "long" },
  seq: { type: "long" },
};

/** Longer than any token, which is a word with its path or the number of the path. The tokenizer's default is 255. */
export const TOKEN_LENGTH_MAX = 8_192;

/** Time for which a delete is remembered, in case a write of an older version is repeated after it. */
export const DELETES_KEPT = "1h";

/** Returns the settings and fields of the index of records. */
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
  const facets = facetFields(catalog, numbers).map(({ field, contents }): [string, object] => [
    field.slice("f.".length),
    contents === "numbers" ? { type: "double" } : KEY,
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
  return Object.fromEntries(paths.map((path) => [`${numbers.pathNumber(path)}`, { type: "double" }]));
}
