import type { Permission } from "../../../core/actor.js";
import { formatInstant } from "../../../core/time.js";
import type { ShareReader, ShareWriter } from "../../../ports/store.js";
import { type UserColumns, userRow } from "../../rows/user-rows.js";
import { noteChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";

interface ShareColumns extends UserColumns {
  readonly permission: string;
  readonly shared: number;
}

export function makeShareReader(db: Db): ShareReader {
  return {
    permissionOf: (draft, user) =>
      reading(() =>
        db.sql<Permission>("SELECT permission FROM access WHERE pid = ? AND user = ?").pluck().get(draft, Number(user)),
      ),
    list: (draft) =>
      reading(() =>
        db
          .sql<ShareColumns>(
            `SELECT user.id, user.name, user.role, user.created, user.disabled, access.permission,
              access.created AS shared
              FROM access JOIN user ON user.id = access.user WHERE access.pid = ? ORDER BY user.name`,
          )
          .all(draft)
          .map(({ permission, shared, ...user }) => ({
            user: userRow(user),
            permission: permission as Permission,
            created: formatInstant(shared),
          })),
      ),
  };
}

/** Makes the writer of shares in the open transaction. @param now its instant in microseconds */
export function makeShareWriter(db: Db, now: number): ShareWriter {
  const noteShared = (draft: string): void => {
    const row = db
      .sql<{ id: number; model: string; revision: number }>(
        "SELECT id, model, revision FROM rec WHERE pid = ? AND state = 0",
      )
      .get(draft);
    if (row === undefined) throw new Error(`There is no draft ${draft} to share.`);
    const { id: rec, model: place, revision } = row;
    noteChange(db, now, { kind: "record", action: "shared", place, id: draft, state: "draft", revision, rec });
  };
  return {
    ...makeShareReader(db),
    put: async (draft, user, permission) => {
      db.sql(
        `INSERT INTO access(pid, user, permission, created) VALUES(?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET permission = excluded.permission`,
      ).run(draft, Number(user), permission, now);
      noteShared(draft);
    },
    delete: async (draft, user) => {
      const { changes } = db.sql("DELETE FROM access WHERE pid = ? AND user = ?").run(draft, Number(user));
      if (changes > 0) noteShared(draft);
      return changes > 0;
    },
  };
}
