import type { Actor } from "../../core/actor.js";
import type { Catalog } from "../../core/catalog/types.js";
import { hasScope, requireEveryDraft, requireScope, requireUser, seesEveryDraft, type User } from "../../core/may.js";
import type { RecordScope } from "../../ports/search-index.js";
import type { Clause } from "../../query/index-model/clause.js";
import { isStale } from "../../query/index-model/stale-citations.js";
import type { RecordSearchRequest } from "../api/search-services.js";
import { badParameter } from "../input/issues.js";

type Asked = Pick<RecordSearchRequest, "own" | "shared" | "everyone" | "allVersions" | "stale" | "citing"> &
  Partial<Pick<RecordSearchRequest, "filters">>;

/**
 * Whose records of these models are searched.
 * @throws TOKEN_MISSING, SCOPE_MISSING; ACCESS_DENIED for the drafts of everybody
 */
export function scopeOf(actor: Actor, asked: Asked, models: readonly string[]): RecordScope {
  const allVersions = asked.allVersions ? { allVersions: true } : {};
  if (!asked.own) {
    const reader = asked.citing === undefined ? undefined : readerOf(actor);
    if (reader === undefined) return { kind: "public", models, ...allVersions };
    return { kind: "readable", models, ...(seesEveryDraft(reader) ? {} : { user: reader.user }), ...allVersions };
  }
  const user = requireUser(actor);
  requireScope(user, "records:read");
  const isPublished = flagOf(asked, "is_published");
  const own = { models, ...(isPublished === undefined ? {} : { isPublished }) };
  if (asked.everyone) {
    requireEveryDraft(user);
    return { kind: "drafts", ...own };
  }
  if (asked.shared) return { kind: "shared", user: user.user, ...own };
  return { kind: "owner", owner: user.user, ...own, ...allVersions };
}

/** Whoever shows a token that reads records; everybody else sees what is public. */
function readerOf(actor: Actor): User | undefined {
  return actor.kind === "user" && hasScope(actor, "records:read") ? actor : undefined;
}

/** What a search asks for beside its query, its facets and whose records it is about. */
export function narrowed(
  { vocabularies }: Pick<Catalog, "vocabularies">,
  clause: Clause,
  { own, filters = {}, stale, citing }: Asked,
): Clause {
  const isDraft = flagOf({ own, filters }, "is_draft");
  const more = [
    // Another way to say the state.
    ...(isDraft === undefined ? [] : [hasState(isDraft ? "draft" : "published")]),
    ...(stale ? [isStale(vocabularies.keys())] : []),
    ...(citing === undefined ? [] : [cites(citing)]),
  ];
  return more.length === 0 ? clause : { kind: "all", of: [clause, ...more] };
}

const hasState = (state: string): Clause => ({
  kind: "words",
  place: { in: "paths", paths: ["state"] },
  words: [state],
});

const cites = ({ vocabulary, id }: NonNullable<Asked["citing"]>): Clause => ({
  kind: "cites",
  vocabularies: [vocabulary],
  id,
  within: false,
});

/** A filter of the user scopes that is true or false; both at once filter nothing. */
function flagOf(
  { own, filters = {} }: Pick<Asked, "own" | "filters">,
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
