import type { Page, RecordSearch, ValueSort } from "../../../ports/search-index.js";
import { readRecordKey, readValueKey } from "../../../query/ranking/sort-keys.js";

/** A hit in its order: the step of `bestmatch` (0 in other orders), the number that sorts it where it has one. */
export interface RecordPlace {
  readonly id: string;
  readonly state: "draft" | "published";
  readonly row: number;
  readonly step: number;
  readonly value?: number;
}

type Sort = RecordSearch["sort"];
type Key = Pick<RecordPlace, "row" | "step" | "value">;

/** Compares places in an order; the first one comes first. */
export function comparePlaces(sort: Sort): (a: Key, b: Key) => number {
  if (sort === "oldest") return (a, b) => a.row - b.row;
  if (typeof sort === "string") return (a, b) => a.step - b.step || b.row - a.row;
  return (a, b) => compareValues(sort, a.value, b.value) || b.row - a.row;
}

/** Those without a number come last. */
function compareValues({ first }: ValueSort, a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return first === "smallest" ? a - b : b - a;
}

/** The place after which a page begins; undefined: it begins with the first. @throws CURSOR_INVALID */
export function placeBefore(page: Page, sort: Sort): Key | undefined {
  if (!("after" in page) || page.after === null) return undefined;
  return typeof sort === "string" ? readRecordKey(page.after, sort) : { step: 0, ...readValueKey(page.after) };
}
