/** What a plain model knows of the records of a few users: no more than the rules of the interface speak of. */
import type { SmallContent } from "../small-record.js";
import type { Action } from "./actions.js";

/** Two depositors and a curator. */
export const USERS = ["alice", "bob", "carol"] as const;
export type UserName = (typeof USERS)[number];
export const CURATOR: UserName = "carol";

/** Who sends a request. */
export const CALLERS = [...USERS, "anonymous"] as const;
export type Caller = (typeof CALLERS)[number];

/** What may change of a record; its model never does. */
export type Content = Omit<SmallContent, "model">;

/** What is stored of an id in one state. */
export interface Row {
  readonly revision: number;
  readonly isLatest: boolean;
  readonly isLatestDraft: boolean;
  readonly content: Content;
  /** ISO 8601, from the first answer that showed them; absent until then. */
  created?: string;
  updated?: string;
}

export interface Tombstone {
  readonly title: string;
  readonly created?: string;
  readonly reason: string;
  /** Absent where the owner retracted it. */
  readonly by?: UserName;
}

/** One id: a version of a record. It stays known when nothing is left of it. */
export interface Version {
  readonly id: string;
  readonly parent: string;
  readonly model: SmallContent["model"];
  readonly owner: UserName;
  /** From 1. */
  readonly index: number;
  lastRevision: number;
  draft?: Row | undefined;
  record?: Row | undefined;
  tombstone?: Tombstone;
  /** Of the draft. */
  shares: Map<UserName, "read" | "write">;
}

/** The parts of a body that the model foretells. */
export interface Shown {
  readonly id: string;
  readonly parent: string;
  readonly model: string;
  readonly owner: UserName;
  readonly state: "draft" | "published";
  readonly isDraft: boolean;
  readonly isPublished: boolean;
  readonly index: number;
  readonly revision: number;
  readonly isLatest: boolean;
  readonly isLatestDraft: boolean;
  readonly content: Content;
}

/** One entry of the change feed. */
export interface FeedEntry {
  readonly id: string;
  readonly action: "published" | "updated" | "removed";
  readonly revision: number;
}

/** What the service answers. */
export interface Expected {
  readonly status: number;
  /** Of the error. */
  readonly code?: string;
  readonly shown?: Shown;
  readonly tombstone?: Tombstone;
  /** Id that a redirect leads to. */
  readonly target?: string;
  /** Of a share. */
  readonly grant?: { readonly user: UserName; readonly permission: "read" | "write" };
  /** In any order: all of them happen at once. */
  readonly feed?: readonly FeedEntry[];
  /** Said before, to the same Idempotency-Key; what it shows may be gone. */
  readonly isRepeat?: boolean;
}

export interface KeptAnswer {
  readonly request: string;
  readonly answer: Expected;
}

export interface World {
  /** In the order in which they were made. */
  readonly versions: Version[];
  /** By user and Idempotency-Key. */
  readonly kept: Map<string, KeptAnswer>;
  /** What was asked with each Idempotency-Key that was new. */
  readonly sent: Action[];
}

export function emptyWorld(): World {
  return { versions: [], kept: new Map(), sent: [] };
}

export function copyOf(world: World): World {
  return structuredClone(world);
}

export function shownOf(version: Version, state: "draft" | "published"): Shown {
  const { id, parent, model, owner, index } = version;
  const { revision, isLatest, isLatestDraft, content } = rowOf(version, state);
  const isDraft = state === "draft";
  const isPublished = version.record !== undefined;
  return {
    ...{ id, parent, model, owner, state, isDraft, isPublished },
    ...{ index, revision, isLatest, isLatestDraft, content },
  };
}

export function rowOf(version: Version, state: "draft" | "published"): Row {
  const row = state === "draft" ? version.draft : version.record;
  if (row === undefined) throw new Error(`${version.id} has no ${state} row.`);
  return row;
}

/** The latest published version under a parent. */
export function latestOf({ versions }: World, parent: string): Version | undefined {
  return versions.find((version) => version.parent === parent && version.record?.isLatest);
}

/** The draft under a parent of a version that was never published. */
export function newVersionDraftOf({ versions }: World, parent: string): Version | undefined {
  return versions.find((version) => version.parent === parent && version.draft && !version.record);
}

export function mayManage({ owner }: Version, user: UserName): boolean {
  return owner === user || user === CURATOR;
}

export function mayReadDraft(version: Version, user: UserName): boolean {
  return mayManage(version, user) || version.shares.has(user);
}
