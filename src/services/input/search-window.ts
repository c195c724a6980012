import { fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { Page } from "../../ports/search-index.js";
import type { SortKey } from "../../query/ranking/sort-keys.js";
import type { SearchWindow } from "../api/searches.js";
import type { Cursors } from "./cursor.js";
import { badParameter, makeIssue } from "./issues.js";

/** Checks the size of a page of records. @throws PAGE_SIZE_TOO_LARGE */
export function recordPageSize(size: number): number {
  const max = LIMITS.recordPageSizeMax;
  if (size <= max) return size;
  const issue = makeIssue(["size"], "PARAMETER_INVALID", [`size must be at most ${max} here.`], { value: size });
  throw fail("PAGE_SIZE_TOO_LARGE", { max, issues: [issue] });
}

/** Limits the size of a page of terms. Larger sizes are reduced, because existing clients send `size=<total>`. */
export function termPageSize(size: number): { readonly size: number; readonly warnings: readonly Warning[] } {
  const max = LIMITS.termPageSizeMax;
  if (size <= max) return { size, warnings: [] };
  const message = `A page has at most ${max} hits; the size was reduced from ${size}.`;
  return { size: max, warnings: [{ code: "PAGE_SIZE_REDUCED", message, parameter: "size", value: size }] };
}

/**
 * Returns the requested page of hits.
 * @param order the same as for `Cursors.decode`
 * @throws PAGE_WINDOW_EXCEEDED, CURSOR_INVALID
 */
export function pageOf({ page = 1, cursor }: SearchWindow, size: number, order: string, cursors: Cursors): Page {
  if (cursor !== undefined) return { after: cursors.decode(order, cursor), limit: size };
  const max = LIMITS.pageWindowMax;
  if (page * size > max) {
    const messages = [`page * size must be at most ${max}; to read more, start with cursor=*.`];
    const issue = makeIssue(["page"], "PARAMETER_INVALID", messages, { value: page });
    throw fail("PAGE_WINDOW_EXCEEDED", { max, issues: [issue] });
  }
  return { offset: (page - 1) * size, limit: size };
}

/** Returns whether a window is the first page of hits, by its number or by the cursor `*`. */
export function isFirstPage({ page = 1, cursor = "*" }: SearchWindow): boolean {
  return page === 1 && cursor === "*";
}

/**
 * Returns the cursor of the next page, unless a page number can lead to it: making a cursor takes a sixth of the time
 * of a short list.
 * @param after the key of the last hit, if there are more hits
 */
export function nextCursor(
  after: SortKey | undefined,
  { page = 1, cursor }: SearchWindow,
  size: number,
  encode: (key: SortKey) => string,
): { readonly next?: string } {
  const isNumbered = cursor === undefined && (page + 1) * size <= LIMITS.pageWindowMax;
  return after === undefined || isNumbered ? {} : { next: encode(after) };
}

/** Returns the requested sort order if it is allowed, or the default order. @throws PARAMETER_INVALID */
export function sortOf<S extends string>(sent: string | undefined, allowed: readonly S[], standard: S): S {
  if (sent === undefined || sent === "") return standard;
  const sort = allowed.find((name) => name === sent);
  if (sort !== undefined) return sort;
  throw badParameter("sort", `sort must be one of ${allowed.join(", ")}.`, sent, allowed);
}
