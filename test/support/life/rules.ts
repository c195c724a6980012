/** What a write does to the world and what it answers: the rules of the interface, as plainly as they can be said. */
import { isDeepStrictEqual } from "node:util";
import { type Action, namedRevision } from "./actions.js";
import {
  type Content,
  type Expected,
  type FeedEntry,
  latestOf,
  mayManage,
  mayReadDraft,
  newVersionDraftOf,
  type Row,
  shownOf,
  type UserName,
  type Version,
  type World,
} from "./world.js";

/** Ids that the service gave to what it made. */
export interface Fresh {
  readonly id: string;
  readonly parent: string;
}

type Of<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }> & { readonly by: UserName };

const refusal = (status: number, code: string): Expected => ({ status, code });
const NO_DRAFT = refusal(404, "DRAFT_NOT_FOUND");
const NO_RECORD = refusal(404, "RECORD_NOT_FOUND");
const DENIED = refusal(403, "ACCESS_DENIED");
const STALE = refusal(412, "REVISION_STALE");

/** Does a write in the world. @returns what the service answers to it */
export function apply(world: World, action: Action, fresh: Fresh): Expected {
  if (action.by === "anonymous") return refusal(401, "TOKEN_MISSING");
  const key = "key" in action ? action.key : undefined;
  if (key === undefined) return act(world, action, fresh);
  const name = `${action.by} ${key}`;
  const request = requestOf(action);
  const kept = world.kept.get(name);
  if (kept === undefined) {
    const answer = act(world, action, fresh);
    world.kept.set(name, { request, answer });
    world.sent.push(action);
    return answer;
  }
  if (kept.request !== request) return refusal(409, "IDEMPOTENCY_KEY_REUSED");
  return { ...kept.answer, feed: [], isRepeat: true };
}

/** What an Idempotency-Key is bound to beside its user: method, path and body, but no condition. */
function requestOf(action: Action): string {
  const { by: _, key: __, ifMatch: ___, ...asked } = { key: undefined, ifMatch: undefined, ...action };
  return JSON.stringify(asked);
}

function act(world: World, action: Action, fresh: Fresh): Expected {
  switch (action.kind) {
    case "create":
      return create(world, action as Of<"create">, fresh);
    case "replace":
      return replace(world, action as Of<"replace">);
    case "deleteDraft":
      return deleteDraft(world, action as Of<"deleteDraft">);
    case "publish":
      return publish(world, action as Of<"publish">);
    case "edit":
      return edit(world, action as Of<"edit">);
    case "newVersion":
      return newVersion(world, action as Of<"newVersion">, fresh);
    case "retract":
      return retract(world, action as Of<"retract">);
    case "share":
      return share(world, action as Of<"share">);
    case "unshare":
      return unshare(world, action as Of<"unshare">);
  }
}

function create(world: World, { by, model, content }: Of<"create">, fresh: Fresh): Expected {
  const draft = { revision: 1, isLatest: false, isLatestDraft: true, content };
  const version = { ...fresh, model, owner: by, index: 1, lastRevision: 1, draft, shares: new Map() };
  world.versions.push(version);
  return { status: 201, shown: shownOf(version, "draft") };
}

function replace(world: World, action: Of<"replace">): Expected {
  const version = world.versions[action.at]!;
  const { draft } = version;
  if (draft === undefined || !mayReadDraft(version, action.by)) return NO_DRAFT;
  if (!mayManage(version, action.by) && version.shares.get(action.by) !== "write") return DENIED;
  if (isStale(world, action, draft)) return STALE;
  if (!isDeepStrictEqual(draft.content, action.content)) {
    const { created } = draft;
    version.draft = { ...change(version, draft), content: action.content, ...(created && { created }) };
  }
  return { status: 200, shown: shownOf(version, "draft") };
}

function deleteDraft(world: World, action: Of<"deleteDraft">): Expected {
  const version = world.versions[action.at]!;
  const { draft } = version;
  if (draft === undefined || !mayReadDraft(version, action.by)) return NO_DRAFT;
  if (!mayManage(version, action.by)) return DENIED;
  if (isStale(world, action, draft)) return STALE;
  endDraft(version);
  const latest = version.record === undefined ? latestOf(world, version.parent) : undefined;
  return { status: 204, feed: latest === undefined ? [] : [turn(latest, { isLatestDraft: true })] };
}

function publish(world: World, action: Of<"publish">): Expected {
  const version = world.versions[action.at]!;
  const { draft, record } = version;
  if (draft === undefined || !mayReadDraft(version, action.by)) return NO_DRAFT;
  if (!mayManage(version, action.by)) return DENIED;
  if (isStale(world, action, draft)) return STALE;
  if (!draft.content.isValid) return refusal(400, "DRAFT_INVALID");
  const feed: FeedEntry[] = [];
  if (record === undefined) {
    const before = latestOf(world, version.parent);
    if (before !== undefined) feed.push(turn(before, { isLatest: false, isLatestDraft: false }));
    version.record = { ...change(version, draft), isLatest: true, isLatestDraft: true };
  } else {
    const { created } = record;
    version.record = { ...change(version, record), content: draft.content, ...(created && { created }) };
  }
  endDraft(version);
  const did = record === undefined ? "published" : "updated";
  feed.push({ id: version.id, action: did, revision: version.lastRevision });
  return { status: 202, shown: shownOf(version, "published"), feed };
}

function edit(world: World, action: Of<"edit">): Expected {
  const version = world.versions[action.at]!;
  const { record } = version;
  if (record === undefined) return missingRecord(version);
  if (!mayManage(version, action.by)) return DENIED;
  if (isStale(world, action, record)) return STALE;
  if (version.draft !== undefined) return { status: 200, shown: shownOf(version, "draft") };
  version.draft = change(version, record);
  return { status: 201, shown: shownOf(version, "draft") };
}

function newVersion(world: World, action: Of<"newVersion">, { id }: Fresh): Expected {
  const from = world.versions[action.at]!;
  const { record, parent, model, owner } = from;
  if (record === undefined) return missingRecord(from);
  if (!mayManage(from, action.by)) return DENIED;
  if (isStale(world, action, record)) return STALE;
  const open = newVersionDraftOf(world, parent);
  if (open !== undefined) return { status: 200, shown: shownOf(open, "draft") };
  const latest = latestOf(world, parent)!;
  const { content } = latest.record!;
  const draft = { revision: 1, isLatest: false, isLatestDraft: true, content };
  const index = 1 + Math.max(...published(world, parent).map((version) => version.index));
  const version = { id, parent, model, owner, index, lastRevision: 1, draft, shares: new Map() };
  world.versions.push(version);
  return { status: 201, shown: shownOf(version, "draft"), feed: [turn(latest, { isLatestDraft: false })] };
}

function retract(world: World, action: Of<"retract">): Expected {
  const version = world.versions[action.at]!;
  const { record, parent, owner } = version;
  if (record === undefined) return missingRecord(version);
  if (!mayManage(version, action.by)) return DENIED;
  if (isStale(world, action, record)) return STALE;
  const { created, content } = record;
  version.tombstone = {
    title: content.title,
    reason: action.reason ?? "",
    ...(created && { created }),
    ...(action.by === owner ? {} : { by: action.by }),
  };
  version.record = undefined;
  endDraft(version);
  version.lastRevision += 1;
  const feed: FeedEntry[] = [{ id: version.id, action: "removed", revision: version.lastRevision }];
  const before = record.isLatest
    ? newest(world.versions.filter((each) => each.parent === parent && each.record))
    : undefined;
  if (before !== undefined) {
    feed.push(turn(before, { isLatest: true, isLatestDraft: newVersionDraftOf(world, parent) === undefined }));
  }
  return { status: 204, feed };
}

function share(world: World, { at, by, user, permission }: Of<"share">): Expected {
  const version = world.versions[at]!;
  if (version.draft === undefined || !mayReadDraft(version, by)) return NO_DRAFT;
  if (version.owner !== by) return DENIED;
  if (user === version.owner) return refusal(400, "BODY_INVALID");
  const status = version.shares.has(user) ? 200 : 201;
  version.shares.set(user, permission);
  return { status, grant: { user, permission } };
}

function unshare(world: World, { at, by, user }: Of<"unshare">): Expected {
  const version = world.versions[at]!;
  if (version.draft === undefined || !mayReadDraft(version, by)) return NO_DRAFT;
  if (version.owner !== by) return DENIED;
  return version.shares.delete(user) ? { status: 204 } : refusal(404, "GRANT_NOT_FOUND");
}

/** What an action on a published record answers where there is none. */
function missingRecord({ tombstone }: Version): Expected {
  return tombstone === undefined ? NO_RECORD : { status: 410, code: "RECORD_GONE", tombstone };
}

function isStale(world: World, action: Action, row: Row): boolean {
  const named = namedRevision(world, action);
  return named !== undefined && named !== row.revision;
}

/** A row with the next revision of its id, and times that are not known yet. */
function change(version: Version, { created: _, updated: __, ...row }: Row): Row & { content: Content } {
  version.lastRevision += 1;
  return { ...row, revision: version.lastRevision };
}

/** Changes the place of a published version among its siblings, and that of its open draft with it. */
function turn(version: Version, flags: Partial<Pick<Row, "isLatest" | "isLatestDraft">>): FeedEntry {
  version.lastRevision += 1;
  const revision = version.lastRevision;
  const turned = ({ updated: _, ...row }: Row): Row => ({ ...row, ...flags, revision });
  version.record = turned(version.record!);
  version.draft = version.draft && turned(version.draft);
  return { id: version.id, action: "updated", revision };
}

function endDraft(version: Version): void {
  version.draft = undefined;
  version.shares = new Map();
}

/** Versions under a parent that are or were published. */
function published({ versions }: World, parent: string): Version[] {
  return versions.filter((version) => version.parent === parent && (version.record ?? version.tombstone));
}

function newest(versions: readonly Version[]): Version | undefined {
  return versions.toSorted((a, b) => b.index - a.index)[0];
}
