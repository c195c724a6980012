import type { Actor } from "../../core/actor.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import { hasScope, requireEveryDraft, requireScope, requireUser, seesEveryDraft, type User } from "../../core/may.js";
import type { RecordScope } from "../../ports/search-index.js";
import type { Clause } from "../../query/index-model/clause.js";
import { isStale } from "../../query/index-model/indexed-paths.js";
import type { RecordSearchRequest } from "../api/searches.js";
import { badParameter } from "../input/issues.js";

type ScopeParameters = Pick<RecordSearchRequest, "own" | "shared" | "everyone" | "allVersions" | "stale" | "citing"> &
  Partial<Pick<RecordSearchRequest, "filters">>;

/**
 * Returns the scope of a search: whose records of these models it searches.
 * @throws TOKEN_MISSING, SCOPE_MISSING; ACCESS_DENIED for the drafts of all users
 */
export function scopeOf(actor: Actor, request: ScopeParameters, searchedModels: readonly Model[]): RecordScope {
  const models = searchedModels.map(({ name }) => name);
  const allVersions = request.allVersions ? { allVersions: true } : {};
  if (!request.own) {
    const reader = request.citing === undefined ? undefined : readerOf(actor);
    if (reader === undefined) return { kind: "public", models, ...allVersions };
    return { kind: "readable", models, ...(seesEveryDraft(reader) ? {} : { user: reader.user }), ...allVersions };
  }
  const user = requireUser(actor);
  requireScope(user, "records:read");
  const isPublished = flagOf(request, "is_published");
  const own = { models, ...(isPublished === undefined ? {} : { isPublished }) };
  if (request.everyone) {
    requireEveryDraft(user);
    return { kind: "drafts", ...own };
  }
  if (request.shared) return { kind: "shared", user: user.user, ...own };
  return { kind: "owner", owner: user.user, ...own, ...allVersions };
}

/** Returns the user if the token may read records. All others see public records only. */
function readerOf(actor: Actor): User | undefined {
  return actor.kind === "user" && hasScope(actor, "records:read") ? actor : undefined;
}

/** Adds to a clause the conditions of parameters other than the query, the facets and the scope. */
export function addConditions(
  { vocabularies }: Pick<Catalog, "vocabularies">,
  clause: Clause,
  { own, filters = {}, stale, citing }: ScopeParameters,
): Clause {
  const isDraft = flagOf({ own, filters }, "is_draft");
  const conditions = [
    // `is_draft` is another parameter for the state.
    ...(isDraft === undefined ? [] : [hasState(isDraft ? "draft" : "published")]),
    ...(stale ? [isStale(vocabularies.keys())] : []),
    ...(citing === undefined ? [] : [cites(citing)]),
  ];
  return conditions.length === 0 ? clause : { kind: "all", of: [clause, ...conditions] };
}

const hasState = (state: string): Clause => ({
  kind: "words",
  place: { in: "paths", paths: ["state"] },
  words: [state],
});

const cites = ({ vocabulary, id }: NonNullable<ScopeParameters["citing"]>): Clause => ({
  kind: "cites",
  vocabularies: [vocabulary],
  id,
  within: false,
});

/** Returns the value of a Boolean filter of the user scopes; undefined if it is absent or has both values. */
function flagOf(
  { own, filters = {} }: Pick<ScopeParameters, "own" | "filters">,
  name: "is_draft" | "is_published",
): boolean | undefined {
  const values = own && Object.hasOwn(filters, name) ? new Set(filters[name]) : new Set<string>();
  for (const value of values) {
    if (value !== "true" && value !== "false") {
      throw badParameter(name, `${name} must be true or false.`, value, ["true", "false"]);
    }
  }
  return values.size === 1 ? values.has("true") : undefined;
}
