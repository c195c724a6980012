import { BinderyError } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import type { Query } from "../../http/parameters/query-string.js";

/** What a search with the parameters of a page finds. */
export interface LenientSearch<Found> {
  /** The parameters that could be used. */
  readonly query: Query;
  readonly found: Found;
  /** One for each parameter that could not. */
  readonly warnings: readonly Warning[];
}

/** Searches in which a parameter with several values loses only the wrong one. */
const TRIES_MAX = 3;

/**
 * Searches with the parameters of a page. What cannot be read of them is left out with a warning, so that the rest of
 * the search stays; the API refuses such a request.
 *
 * @param search throws PARAMETER_INVALID and the like, with the parameters as `issues`
 */
export async function searchLeniently<Found>(
  query: Query,
  search: (query: Query) => Promise<Found>,
  tries = 1,
): Promise<LenientSearch<Found>> {
  try {
    return { query, found: await search(query), warnings: [] };
  } catch (error) {
    const wrong = wrongOf(error).filter(({ field }) => query.has(field));
    if (wrong.length === 0) throw error;
    const again = await searchLeniently(withoutAll(wrong, query, tries < TRIES_MAX), search, tries + 1);
    const notes = wrong.map(({ code, field, messages }) => ({
      ...{ code, parameter: field },
      message: `${messages.join(" ")} It was left out.`,
    }));
    return { ...again, warnings: [...notes, ...again.warnings] };
  }
}

/** What is wrong with the parameters of a request, by an error. */
function wrongOf(error: unknown): readonly Issue[] {
  if (!(error instanceof BinderyError) || error.status !== 400) return [];
  if (error.code !== "CURSOR_INVALID") return error.issues;
  const message = "The address of this page belongs to another search; this is the first page.";
  return [{ field: "cursor", pointer: "/cursor", code: "PARAMETER_INVALID", messages: [message] }];
}

/** @param isKind keep the other values of a parameter of which an issue names one */
function withoutAll(wrong: readonly Issue[], query: Query, isKind: boolean): Query {
  const left = new Map(query);
  for (const { field, value } of wrong) {
    const values = left.get(field) ?? [];
    const others = values.filter((each) => clip(each) !== value);
    if (isKind && others.length > 0 && others.length < values.length) left.set(field, others);
    else left.delete(field);
  }
  return left;
}
