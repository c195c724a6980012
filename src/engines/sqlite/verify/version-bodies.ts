import type { RecordBody } from "../../../core/record.js";
import type { VersionState } from "../../../core/records/version-flags.js";
import type { Db } from "../connection/database.js";
import { readIntactBody } from "../records/read-stored-body.js";

/** A row under a parent. */
export interface VersionBody extends VersionState {
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
    .flatMap(({ id: row, json, sum }) => {
      const body = readIntactBody(json, sum);
      if (typeof body === "string") return [];
      return [{ row, body, id: body.id, state: body.state, version: body.versions.index }];
    });
}
