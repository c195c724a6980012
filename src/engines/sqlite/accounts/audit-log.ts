import type { Actor } from "../../../core/actor.js";
import type { AuditEntry, AuditFilter, AuditRow } from "../../../core/audit-entry.js";
import { formatInstant, parseInstant } from "../../../core/time.js";
import type { AuditReader } from "../../../ports/store.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";

const INSERT = `INSERT INTO audit(time, user, token, who, action, kind, place, target, revision, whom, outcome, times)
  VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes a line into the open transaction. @param time its instant in microseconds */
export function noteAudit(db: Db, time: number, actor: Actor, entry: AuditEntry): void {
  const { action, kind, place = null, id = null, revision = null, whom, refused = "done", times = 1 } = entry;
  const isUser = actor.kind === "user";
  const who = isUser ? [Number(actor.user), Number(actor.token), actor.name] : [null, null, actor.kind];
  const towards = whom === undefined ? null : Number(whom);
  db.sql(INSERT).run(time, ...who, action, kind, place, id, revision, towards, refused, times);
}

/** Removes the oldest lines about refusals from the open transaction's log, but for this many. */
export function dropRefusals(db: Db, keep: number): void {
  db.sql(
    `DELETE FROM audit WHERE outcome <> 'done' AND id <=
      (SELECT id FROM audit WHERE outcome <> 'done' ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  ).run(keep);
}

interface Columns {
  readonly id: number;
  readonly time: number;
  readonly user: number | null;
  readonly token: number | null;
  readonly who: string;
  readonly action: string;
  readonly kind: string;
  readonly place: string | null;
  readonly target: string | null;
  readonly revision: number | null;
  readonly whom: number | null;
  readonly outcome: string;
  readonly times: number;
}

export function makeAuditReader(db: Db): AuditReader {
  return {
    list: (filter) =>
      reading(() => {
        const { where, params } = conditions(filter);
        const sql = `SELECT * FROM audit ${where} ORDER BY id DESC LIMIT ?`;
        return db
          .sql<Columns>(sql)
          .all(...params, filter.limit)
          .map(auditRow);
      }),
  };
}

function conditions(filter: AuditFilter): { readonly where: string; readonly params: readonly unknown[] } {
  const { who, user, token, action, target, outcome, since, until, before } = filter;
  const all: [sql: string, value: unknown][] = [];
  if (who !== undefined) all.push(["who = ?", who]);
  if (user !== undefined) all.push(["user = ?", Number(user)]);
  if (token !== undefined) all.push(["token = ?", token]);
  if (action !== undefined) all.push(["action = ?", action]);
  if (target !== undefined) all.push(["target = ?", target]);
  if (outcome !== undefined) all.push([`outcome ${outcome === "done" ? "=" : "<>"} ?`, "done"]);
  if (since !== undefined) all.push(["time >= ?", parseInstant(since)]);
  if (until !== undefined) all.push(["time < ?", parseInstant(until)]);
  if (before !== undefined) all.push(["id < ?", before]);
  const where = all.length === 0 ? "" : `WHERE ${all.map(([sql]) => sql).join(" AND ")}`;
  return { where, params: all.map(([, value]) => value) };
}

function auditRow({ time, user, token, place, target, revision, whom, ...row }: Columns): AuditRow {
  return {
    ...row,
    time: formatInstant(time),
    ...(user === null ? {} : { user: String(user) }),
    ...(token === null ? {} : { token: String(token) }),
    ...(place === null ? {} : { place }),
    ...(target === null ? {} : { target }),
    ...(revision === null ? {} : { revision }),
    ...(whom === null ? {} : { whom: String(whom) }),
  };
}
