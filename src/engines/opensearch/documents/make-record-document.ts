import type { Catalog } from "../../../core/catalog/types.js";
import { addAll } from "../../../core/collections.js";
import { type RecordBody, storedBody } from "../../../core/record.js";
import { parseInstant } from "../../../core/time.js";
import type { SourceRecord } from "../../../ports/index-documents.js";
import type { Lineage } from "../../../ports/index-trees.js";
import { findAncestors } from "../../../query/evaluate/record-in-memory.js";
import { identifierForms, isIdentifierPath } from "../../../query/fields/identifiers.js";
import type { LeafValue, RecordLeaves } from "../../../query/index-model/leaves.js";
import { recordLeaves } from "../../../query/index-model/record-leaves.js";
import { foldKeyword } from "../../../query/text/analyse.js";
import type { MakeRecordDocument } from "../../separate-index/driver/index-driver.js";
import { textWords } from "../../separate-index/overlay/record-overlay.js";
import { creationOrder } from "../../separate-index/overlay/record-places.js";
import { counterOf } from "../facets/counters.js";
import { addSum } from "./document-sum.js";
import { type FacetField, facetFields } from "./facet-fields.js";
import * as tokens from "./index-tokens.js";
import { numberPathsOf, type PathNumbers } from "./path-numbers.js";

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

export function makeRecordDocuments(catalog: Catalog, numbers: PathNumbers): MakeRecordDocument {
  const context: Context = {
    numbers,
    facets: facetFields(catalog, numbers),
    fields: numberPathsOf(catalog),
  };
  return (source, lineage) => {
    const { record, row, seq, isLatest, hasTwin, sharedWith } = source;
    const body = storedBody(record);
    const leaves = leavesOf(source, body, catalog);
    const level = makeLevels(leaves, lineage, context);
    const head = { id: record.id, state: record.state, model: record.model, owner: record.owner, row, seq };
    // A text, because a JSON number has fewer digits than a `long`.
    const order = String(creationOrder(parseInstant(body.created), row));
    const flags = { latest: isLatest, twin: hasTwin, ...(sharedWith.length > 0 ? { share: sharedWith } : {}) };
    const json = JSON.stringify({ ...head, order, ...flags, ...level, w: [...textWords(leaves)] });
    return addSum(json);
  };
}

/** Returns the leaves of a record for the index. @throws Error if the catalog does not have its model */
export function leavesOf({ record, terms }: SourceRecord, body: RecordBody, { models }: Catalog): RecordLeaves {
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

function makeLevels(leaves: RecordLeaves, lineage: Lineage, context: Context): Level & { readonly f: object } {
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
    const ancestors = cite.isReplaced ? [] : [...findAncestors(lineage.parentOf, cite.vocabulary, cite.id)];
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
  if (leaf.keyword !== undefined) level.v.push(tokens.keywordValue(p, foldKeyword(leaf.keyword)));
  if (leaf.number === undefined) return;
  if (fields.has(path)) level.n[p] = [...(level.n[p] ?? []), leaf.number];
  else level.v.push(tokens.numberValue(p, leaf.number));
}

/** Adds the tokens of whole titles and identifiers. */
function addWhole(record: Level, { path, weight, words, keyword, isFieldOnly }: LeafValue): void {
  if (weight === "title" && words.length > 0 && isFieldOnly !== true) record.k.push(tokens.titleToken(words));
  if (path === null || !isIdentifierPath(path)) return;
  for (const form of identifierForms(keyword ?? "")) record.k.push(tokens.wholeToken(form));
}

/** Returns the content of facet fields, by their names without `f.`. */
function facetKeys(leaves: RecordLeaves, lineage: Lineage, { facets }: Context): Record<string, readonly unknown[]> {
  const keys: Record<string, readonly unknown[]> = {};
  for (const facet of facets) {
    const { buckets, paths, field } = facet;
    const values = counterOf(buckets).contentOf(buckets, paths, leaves, lineage);
    if (values.size > 0) keys[field.slice("f.".length)] = [...values];
  }
  return keys;
}
