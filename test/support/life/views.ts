/** What each caller sees of the world: by id, and in each scope of a search. */
import {
  type Caller,
  type Content,
  type Expected,
  latestOf,
  mayReadDraft,
  type Shown,
  shownOf,
  type UserName,
  type Version,
  type World,
} from "./world.js";

/** A search, as a caller asks it. */
export interface Scope {
  /** Absent: all models. */
  readonly model?: Version["model"] | undefined;
  /** Absent: what is public. */
  readonly user?: UserName | undefined;
  readonly allVersions?: boolean | undefined;
  /** With `user`: the drafts of others. */
  readonly shared?: boolean | undefined;
  /** A word of the title. */
  readonly word?: string | undefined;
  /** Keys of facets; `state` with `user`. */
  readonly rights?: Content["rights"] | undefined;
  readonly state?: "draft" | "published" | undefined;
  readonly isDraft?: boolean | undefined;
  readonly isPublished?: boolean | undefined;
}

/** All hits of a search, in no order. */
export function hitsOf({ versions }: World, scope: Scope): Shown[] {
  const { model, user, allVersions, word, rights, state, isDraft, isPublished } = scope;
  const shows = ({ record }: Version): boolean => record !== undefined && (allVersions === true || record.isLatest);
  const found = versions.flatMap((version): Shown[] => {
    if (user === undefined) return shows(version) ? [shownOf(version, "published")] : [];
    if (scope.shared) return version.draft && version.shares.has(user) ? [shownOf(version, "draft")] : [];
    if (version.owner !== user) return [];
    if (version.draft) return [shownOf(version, "draft")];
    return shows(version) ? [shownOf(version, "published")] : [];
  });
  return found.filter(
    (shown) =>
      (model === undefined || shown.model === model) &&
      (word === undefined || shown.content.title.split(" ").includes(word)) &&
      (rights === undefined || shown.content.rights === rights) &&
      (state === undefined || shown.state === state) &&
      (isDraft === undefined || shown.isDraft === isDraft) &&
      (isPublished === undefined || shown.isPublished === isPublished),
  );
}

/** What a facet counts: its values with a number each, as if it did not filter itself. */
export function countsOf(world: World, scope: Scope, facet: "rights" | "state"): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state, content } of hitsOf(world, { ...scope, [facet]: undefined })) {
    const value = facet === "state" ? state : content.rights;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

/** GET of a draft. */
export function readDraft(version: Version, caller: Caller): Expected {
  if (caller === "anonymous") return { status: 401, code: "TOKEN_MISSING" };
  if (!version.draft || !mayReadDraft(version, caller)) return { status: 404, code: "DRAFT_NOT_FOUND" };
  return { status: 200, shown: shownOf(version, "draft") };
}

/** GET of a record, the same for everybody. */
export function readRecord(version: Version): Expected {
  const { record, tombstone } = version;
  if (record) return { status: 200, shown: shownOf(version, "published") };
  if (tombstone) return { status: 410, code: "RECORD_GONE", tombstone };
  return { status: 404, code: "RECORD_NOT_FOUND" };
}

/** GET of a parent id. */
export function readParent(world: World, parent: string): Expected {
  const latest = latestOf(world, parent);
  if (latest !== undefined) return { status: 301, target: latest.id };
  const retracted = world.versions.filter((version) => version.parent === parent && version.tombstone);
  const newest = retracted.toSorted((a, b) => b.index - a.index)[0];
  if (newest !== undefined) return { status: 410, code: "RECORD_GONE", tombstone: newest.tombstone! };
  return { status: 404, code: "RECORD_NOT_FOUND" };
}

/** GET of `versions/latest`. */
export function readLatest(world: World, version: Version): Expected {
  if (!version.record) return readRecord(version);
  return { status: 301, target: latestOf(world, version.parent)!.id };
}

/** The hits of GET `versions`, newest first, or a refusal. */
export function readVersions(world: World, version: Version): Expected & { readonly hits?: readonly Shown[] } {
  if (!version.record) return readRecord(version);
  const published = world.versions.filter(({ parent, record }) => parent === version.parent && record);
  const hits = published.toSorted((a, b) => b.index - a.index).map((each) => shownOf(each, "published"));
  return { status: 200, hits };
}
