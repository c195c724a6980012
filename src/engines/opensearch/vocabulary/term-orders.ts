import type { JsonObject } from "../../../core/json.js";
import { compareBytes, compareCited } from "../../../core/terms/term-order.js";
import {
  type TermPlace as RankedPlace,
  rankedTermKey,
  readRankedTermKey,
  readSortedTermKey,
  type SortKey,
} from "../../../query/ranking/sort-keys.js";
import type { TermDocument } from "../documents/term-document.js";

/** The values by which OpenSearch sorts a hit. */
export type SortValues = readonly (string | number)[];

/** An order of items: how OpenSearch sorts by it, and what of an item it compares. */
export interface TermOrder {
  readonly sort: readonly JsonObject[];
  valuesOf(document: TermDocument): SortValues;
  compare(a: SortValues, b: SortValues): number;
}

/** As `compareCited`, which is how the index lies. */
export const RANKED: TermOrder = {
  sort: [{ status: "asc" }, { cited: "desc" }, { prior: "desc" }, { length: "asc" }, { id: "asc" }],
  valuesOf: ({ status, cited, prior, length, id }) => [status, cited, prior, length, id],
  compare: (a, b) => compareCited(rankOf(a), rankOf(b)),
};

function rankOf([status, cited, prior, length, id]: SortValues): Omit<RankedPlace, "step"> {
  return {
    ...{ status: Number(status), cited: Number(cited), prior: Number(prior), length: Number(length) },
    ext: String(id),
  };
}

/** The key of a hit in a cursor, of a step. */
export const rankedKey = (step: number, values: SortValues): SortKey => rankedTermKey({ step, ...rankOf(values) });

/** @throws BinderyError CURSOR_INVALID */
export function readRankedKey(key: SortKey): { readonly step: number; readonly values: SortValues } {
  const { step, status, cited, prior, length, ext } = readRankedTermKey(key);
  return { step, values: [status, cited, prior, length, ext] };
}

/** Orders of their own: keys of cursors are what they sort by. */
export function sortedOrder(sort: "title" | "newest" | "oldest", lang: string): TermOrder {
  if (sort === "title") {
    return {
      sort: [{ [`order.${lang}`]: "asc" }],
      valuesOf: ({ order }) => [order[lang]!],
      compare: ([a], [b]) => compareBytes(String(a), String(b)),
    };
  }
  const direction = sort === "newest" ? "desc" : "asc";
  const sign = sort === "newest" ? -1 : 1;
  return {
    sort: [{ created: direction }, { id: direction }],
    valuesOf: ({ created, id }) => [created, id],
    compare: (a, b) => sign * (Number(a[0]) - Number(b[0]) || compareBytes(String(a[1]), String(b[1]))),
  };
}

/** @throws BinderyError CURSOR_INVALID */
export const readSortedKey = (key: SortKey, sort: "title" | "newest" | "oldest"): SortValues =>
  readSortedTermKey(key, sort);
