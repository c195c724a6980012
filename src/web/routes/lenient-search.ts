import { BinderyError } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import type { Query } from "../../http/parameters/query-string.js";

/** Result of a search without the invalid parameters of a page. */
interface LenientSearch<Found> {
  /** Valid parameters. */
  readonly query: Query;
  readonly found: Found;
  /** One warning for each invalid parameter. */
  readonly warnings: readonly Warning[];
  /** Text that cannot be searched because it is too large. It stays in `query`. `found` is a search without it. */
  readonly refused?: string;
  /** Number of the page that was asked for, if no page has such a number. `found` is the first page. */
  readonly beyond?: number;
}

/** Number of tries that remove only the invalid value of a parameter. Later tries remove the whole parameter. */
const TRIES_MAX = 3;

/**
 * Searches with the parameters of a page. Leaves invalid parameters out with a warning, so that the rest of the search
 * stays. The API refuses such a request. A search without an invalid `q` would list everything: a page then shows
 * no hits (`refused`).
 *
 * @param search throws an error with status 400, such as PARAMETER_INVALID, with the invalid parameters as `issues`
 */
export async function searchLeniently<Found>(
  query: Query,
  search: (query: Query) => Promise<Found>,
  tries = 1,
): Promise<LenientSearch<Found>> {
  try {
    return { query, found: await search(query), warnings: [] };
  } catch (error) {
    if (error instanceof BinderyError && error.code === "PAGE_WINDOW_EXCEEDED") {
      const [{ field, value = 0 } = { field: "page" }] = error.issues;
      const first = await searchLeniently(new Map([...query].filter(([name]) => name !== field)), search, tries + 1);
      return { ...first, beyond: Math.min(Number.parseInt(String(value), 10), Number.MAX_SAFE_INTEGER) };
    }
    const wrong = wrongOf(error).filter(({ field }) => query.has(field));
    if (wrong.length === 0) throw error;
    const again = await searchLeniently(withoutAll(wrong, query, tries < TRIES_MAX), search, tries + 1);
    const notes = wrong.map((issue) => ({
      ...{ code: issue.code, parameter: issue.field },
      message: `${issue.messages.join(" ")} ${consequenceOf(issue)}`,
    }));
    const warnings = [...notes, ...again.warnings];
    if (!wrong.some(isTextRefused)) return { ...again, warnings };
    const [text = ""] = query.get("q") ?? [];
    return { ...again, warnings, query: new Map([["q", [text]], ...again.query]), refused: text };
  }
}

const isRepeated = ({ code }: Issue): boolean => code === "PARAMETER_REPEATED";

/** Returns whether `q` cannot be searched. If another parameter replaces `q`, it is left out like any parameter. */
const isTextRefused = ({ field, code }: Issue): boolean => field === "q" && code === "PARAMETER_INVALID";

function consequenceOf(issue: Issue): string {
  if (isTextRefused(issue)) return "Nothing was searched.";
  return isRepeated(issue) ? "Its first valid value was used." : "It was left out.";
}

/** Returns the invalid parameters that an error names. */
function wrongOf(error: unknown): readonly Issue[] {
  if (!(error instanceof BinderyError) || error.status !== 400) return [];
  if (error.code !== "CURSOR_INVALID") return error.issues;
  const message = "The address of this page belongs to another search; this is the first page.";
  return [{ field: "cursor", pointer: "/cursor", code: "PARAMETER_INVALID", messages: [message] }];
}

/** Removes invalid parameters. @param isKind whether other values of an invalid parameter stay */
function withoutAll(wrong: readonly Issue[], query: Query, isKind: boolean): Query {
  const left = new Map(query);
  for (const { field, value } of wrong.filter((issue) => !isRepeated(issue))) {
    const values = left.get(field) ?? [];
    const others = values.filter((each) => clip(each) !== value);
    if (isKind && field !== "q" && others.length > 0 && others.length < values.length) left.set(field, others);
    else left.delete(field);
  }
  // If the first value is invalid, it was removed above.
  for (const { field } of wrong.filter(isRepeated)) {
    const first = left.get(field)?.slice(0, 1);
    if (first !== undefined) left.set(field, first);
  }
  return left;
}
