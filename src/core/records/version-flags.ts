import { greatestOf } from "../arrays.js";
import type { RecordBody, RecordHead, RecordState } from "../record.js";

/** One of the rows under a parent. */
export interface VersionState {
  readonly id: string;
  readonly state: RecordState;
  /** From 1. */
  readonly version: number;
}

/** What the rows beside it make a body say. */
export type Flags = Pick<RecordBody, "is_draft" | "is_published"> &
  Pick<RecordBody["versions"], "is_latest" | "is_latest_draft">;

/** The flags that a row of `all` has to have. The draft of a published record says of the versions what that says. */
export function flagsOf({ id, state, version }: VersionState, all: readonly VersionState[]): Flags {
  const published = all.filter((other) => other.state === "published");
  const newest = greatestOf(published.map((other) => other.version));
  const isPublished = published.some((other) => other.id === id);
  return {
    is_draft: state === "draft",
    is_published: isPublished,
    is_latest: isPublished && version === newest,
    is_latest_draft: all.every((other) => other.version <= version),
  };
}

export function flagsIn({ is_draft, is_published, versions: { is_latest, is_latest_draft } }: RecordHead): Flags {
  return { is_draft, is_published, is_latest, is_latest_draft };
}

/** The head with other flags. */
export function withFlags(head: RecordHead, { is_draft, is_published, is_latest, is_latest_draft }: Flags): RecordHead {
  return { ...head, is_draft, is_published, versions: { ...head.versions, is_latest, is_latest_draft } };
}
