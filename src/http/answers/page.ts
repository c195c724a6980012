/** Pages of lists that nobody searches: page and size, and the links that lead on. */
import { fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { makeIssue, readParameters } from "../parameters/parameter-reader.js";
import type { Query } from "../parameters/query-string.js";
import type { Links } from "./answer-text.js";

export interface Page {
  readonly page: number;
  readonly size: number;
  readonly warnings: readonly Warning[];
}

/** @throws PARAMETER_INVALID, PAGE_SIZE_TOO_LARGE */
export function readPage(query: Query): Page {
  const reader = readParameters(query);
  const page = reader.count(["page", "p"]) ?? 1;
  const size = reader.count(["size", "s"]) ?? LIMITS.pageSizeDefault;
  const warnings = reader.finish();
  const max = LIMITS.recordPageSizeMax;
  if (size > max) {
    const name = query.has("s") && !query.has("size") ? "s" : "size";
    throw fail("PAGE_SIZE_TOO_LARGE", { max, issues: [makeIssue(query, name, `A page has at most ${max} hits.`)] });
  }
  return { page, size, warnings };
}

/** self, prev and next, as they apply. */
export function pageLinks(url: string, { page, size }: Page, total: number): Links {
  const link = (number: number): string => `${url}?page=${number}&size=${size}`;
  return {
    self: link(page),
    ...(page > 1 ? { prev: link(page - 1) } : {}),
    ...(page * size < total ? { next: link(page + 1) } : {}),
  };
}
