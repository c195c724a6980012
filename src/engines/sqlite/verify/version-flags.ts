import { greatestOf } from "../../../core/arrays.js";
import type { RecordBody } from "../../../core/record.js";
import type { Db } from "../connection/database.js";
import { readIntactBody } from "../records/read-stored-body.js";

/** A row under a parent. */
export interface VersionBody {
  readonly row: number;
  readonly body: RecordBody;
}

/** The rows under a parent whose bodies can be read, by row. */
export function versionsOf(db: Db, parent: string): VersionBody[] {
  return db
    .sql<{ id: number; json: string; sum: number | null }>(
      "SELECT rec.id, doc.json, doc.sum FROM rec JOIN doc ON doc.id = rec.id WHERE rec.parent = ? ORDER BY rec.id",
    )
    .all(parent)
    .flatMap(({ id, json, sum }) => {
      const body = readIntactBody(json, sum);
      return typeof body === "string" ? [] : [{ row: id, body }];
    });
}

/** What the rows beside it make a body say. */
export type Flags = Pick<RecordBody, "is_draft" | "is_published"> &
  Pick<RecordBody["versions"], "is_latest" | "is_latest_draft">;

/** The flags that a row of `all` has to have. The draft of a published record says of the versions what that says. */
export function flagsOf({ body }: VersionBody, all: readonly VersionBody[]): Flags {
  const published = all.filter((other) => other.body.state === "published");
  const newest = greatestOf(published.map((other) => other.body.versions.index));
  const isPublished = published.some((other) => other.body.id === body.id);
  return {
    is_draft: body.state === "draft",
    is_published: isPublished,
    is_latest: isPublished && body.versions.index === newest,
    is_latest_draft: all.every((other) => other.body.versions.index <= body.versions.index),
  };
}

export function flagsIn({ is_draft, is_published, versions: { is_latest, is_latest_draft } }: RecordBody): Flags {
  return { is_draft, is_published, is_latest, is_latest_draft };
}

/** The body with other flags. */
export function withFlags(body: RecordBody, { is_draft, is_published, is_latest, is_latest_draft }: Flags): RecordBody {
  return { ...body, is_draft, is_published, versions: { ...body.versions, is_latest, is_latest_draft } };
}
