import type { Permission } from "../../../core/actor.js";
import { formatInstant } from "../../../core/time.js";
import type { Share, ShareReader, ShareWriter } from "../../../ports/store.js";
import { isRowId, type UserColumns, userRow } from "../../rows/user-rows.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

interface ShareColumns extends UserColumns {
  readonly permission: Permission;
  readonly shared: number;
}

const SELECT_SHARES = `SELECT u.id, u.name, u.role, u.created, u.disabled, access.permission, access.created AS shared
  FROM access JOIN "user" u ON u.id = access."user" WHERE access.pid = $1 ORDER BY u.name`;

export function makeShareReader(sql: Sql): ShareReader {
  return {
    permissionOf: async (draft, user) => {
      if (!isRowId(user)) return undefined;
      const text = `SELECT permission FROM access WHERE pid = $1 AND "user" = $2`;
      return (await sql.row<{ readonly permission: Permission }>(text, [draft, Number(user)]))?.permission;
    },
    list: async (draft) => (await sql.rows<ShareColumns>(SELECT_SHARES, [draft])).map(parseShare),
  };
}

function parseShare({ permission, shared, ...user }: ShareColumns): Share {
  return { user: userRow(user), permission, created: formatInstant(shared) };
}

const WRITE_SHARE = `WITH draft AS (SELECT model, revision FROM rec WHERE pid = $1 AND state = 'draft'),
  shared AS (
    INSERT INTO access(pid, "user", permission, created) SELECT $1, $2::bigint, $3, $4::bigint FROM draft
    ON CONFLICT (pid, "user") DO UPDATE SET permission = excluded.permission)
  SELECT model, revision FROM draft`;

const DELETE_SHARE = `WITH ended AS (DELETE FROM access WHERE pid = $1 AND "user" = $2 RETURNING pid)
  SELECT rec.model, rec.revision FROM ended LEFT JOIN rec ON rec.pid = ended.pid AND rec.state = 'draft'`;

interface Draft {
  readonly model: string | null;
  readonly revision: number | null;
}

/** Makes the writer of shares in an open transaction. Each draft is locked first, with its family. */
export function makeShareWriter({ sql, locks, now, note }: OpenTransaction): ShareWriter {
  const reader = makeShareReader(sql);
  const noteShared = (id: string, { model, revision }: Partial<Draft> = {}): void => {
    if (typeof model !== "string" || typeof revision !== "number") throw new Error(`There is no draft ${id} to share.`);
    note({ kind: "record", action: "shared", place: model, id, state: "draft", revision });
  };
  return {
    permissionOf: async (draft, user) => {
      await locks.family(draft);
      return reader.permissionOf(draft, user);
    },
    list: async (draft) => {
      await locks.family(draft);
      return reader.list(draft);
    },
    put: async (draft, user, permission) => {
      await locks.family(draft);
      noteShared(draft, await sql.row<Draft>(WRITE_SHARE, [draft, Number(user), permission, now]));
    },
    delete: async (draft, user) => {
      await locks.family(draft);
      const draftRow = await sql.row<Draft>(DELETE_SHARE, [draft, Number(user)]);
      if (draftRow !== undefined) noteShared(draft, draftRow);
      return draftRow !== undefined;
    },
  };
}
