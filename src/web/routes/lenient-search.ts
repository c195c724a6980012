import { BinderyError } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import type { Query } from "../../http/parameters/url-encoding.js";

/** Result of a search without the invalid parameters of a page. */
interface LenientSearch<Result> {
  /** Valid parameters. */
  readonly query: Query;
  readonly result: Result;
  /** One warning for each invalid parameter. */
  readonly warnings: readonly Warning[];
  /** Text that cannot be searched because it is too large. It stays in `query`. `result` is a search without it. */
  readonly refused?: string;
  /** Requested page number if it exceeds the maximum. `result` is the first page. */
  readonly beyond?: number;
}

/** Number of tries that remove only the invalid value of a parameter. Later tries remove the whole parameter. */
const TRIES_MAX = 3;

/**
 * Searches with the parameters of a page. Ignores invalid parameters with a warning and keeps the others, unlike the
 * API, which refuses such a request. Without its invalid `q`, a search would list everything, so the page then shows no
 * hits (`refused`).
 *
 * @param search throws an error with status 400, such as PARAMETER_INVALID, with the invalid parameters as `issues`
 */
export async function searchLeniently<Result>(
  query: Query,
  search: (query: Query) => Promise<Result>,
  tries = 1,
): Promise<LenientSearch<Result>> {
  try {
    return { query, result: await search(query), warnings: [] };
  } catch (error) {
    if (error instanceof BinderyError && error.code === "PAGE_WINDOW_EXCEEDED") {
      const [{ field, value = 0 } = { field: "page" }] = error.issues;
      const first = await searchLeniently(new Map([...query].filter(([name]) => name !== field)), search, tries + 1);
      return { ...first, beyond: Math.min(Number.parseInt(String(value), 10), Number.MAX_SAFE_INTEGER) };
    }
    const issues = issuesOf(error).filter(({ field }) => query.has(field));
    if (issues.length === 0) throw error;
    const retry = await searchLeniently(withoutInvalid(issues, query, tries < TRIES_MAX), search, tries + 1);
    const notes = issues.map((issue) => ({
      code: issue.code,
      parameter: issue.field,
      message: `${issue.messages.join(" ")} ${consequenceOf(issue)}`,
    }));
    const warnings = [...notes, ...retry.warnings];
    if (!issues.some(isTextRefused)) return { ...retry, warnings };
    const [text = ""] = query.get("q") ?? [];
    return { ...retry, warnings, query: new Map([["q", [text]], ...retry.query]), refused: text };
  }
}

const isRepeated = ({ code }: Issue): boolean => code === "PARAMETER_REPEATED";

/** Returns whether `q` cannot be searched. If another parameter replaces `q`, it is ignored like any parameter. */
const isTextRefused = ({ field, code }: Issue): boolean => field === "q" && code === "PARAMETER_INVALID";

function consequenceOf(issue: Issue): string {
  if (isTextRefused(issue)) return "Nothing was searched.";
  return isRepeated(issue) ? "Its first valid value was used." : "It was left out.";
}

/** Returns the invalid parameters that an error names. */
function issuesOf(error: unknown): readonly Issue[] {
  if (!(error instanceof BinderyError) || error.status !== 400) return [];
  if (error.code !== "CURSOR_INVALID") return error.issues;
  const message = "The address of this page belongs to another search; this is the first page.";
  return [{ field: "cursor", pointer: "/cursor", code: "PARAMETER_INVALID", messages: [message] }];
}

/** Removes invalid parameters. @param keepsValues whether to keep the other values of an invalid parameter */
function withoutInvalid(issues: readonly Issue[], query: Query, keepsValues: boolean): Query {
  const remaining = new Map(query);
  for (const { field, value } of issues.filter((issue) => !isRepeated(issue))) {
    const values = remaining.get(field) ?? [];
    const valid = values.filter((each) => clip(each) !== value);
    if (keepsValues && field !== "q" && valid.length > 0 && valid.length < values.length) remaining.set(field, valid);
    else remaining.delete(field);
  }
  // The loop above has removed an invalid first value.
  for (const { field } of issues.filter(isRepeated)) {
    const first = remaining.get(field)?.slice(0, 1);
    if (first !== undefined) remaining.set(field, first);
  }
  return remaining;
}
