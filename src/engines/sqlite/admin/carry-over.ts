/**
 * What a restore takes over from the store that it replaces: rights that were withdrawn after the backup was made stay
 * withdrawn. Both files lie beside the service, and nobody else has them open.
 */
import type { Database } from "better-sqlite3";
import { ROLES } from "../../../core/actor.js";
import { formatInstant } from "../../../core/time.js";
import { Sqlite } from "../connection/driver.js";

/** What a restore took over, and what it could not take over. */
export interface CarriedOver {
  /** Names of users that are disabled: they were disabled or deleted after the backup. */
  readonly disabledUsers: readonly string[];
  readonly loweredRoles: number;
  readonly revokedTokens: number;
  readonly removedShares: number;
  readonly removedWebhooks: number;
  /** Users, and tokens that were valid, of the replaced store that the backup does not have. */
  readonly lostUsers: number;
  readonly lostTokens: number;
  /** Ids of records that were retracted after the backup and are published in it. */
  readonly shownAgain: readonly string[];
  /** Ids of records that have another owner in the backup: they were transferred after it. */
  readonly otherOwners: readonly string[];
  /** Is the replaced store a later state of the backup? Only then is known what was deleted. */
  readonly isLater: boolean;
}

type Row = Readonly<Record<string, string | number | null>>;

/** Tables whose last numbers must not be given twice: receivers and the audit log know rows by them. */
const NUMBERED = ["user", "token", "webhook", "delivery", "audit"] as const;

/** A store that is being restored, and the one that it replaces. */
interface Stores {
  readonly restored: Database;
  readonly replaced: Database;
  /** Is the replaced store a later state of the restored one? Then what it lacks was removed. */
  readonly isLater: boolean;
  /** An instant, for what was removed without one. */
  readonly now: string;
}

/**
 * Carries withdrawn rights from the replaced store over into the copy that will take its place.
 * @returns undefined if the replaced file is not a store of Bindery: nothing can be carried over
 * @throws SqliteError if the replaced store cannot be read
 */
export function carryOver(copy: string, replacedFile: string, now: Date): CarriedOver | undefined {
  const replaced = new Sqlite(replacedFile, { readonly: true, fileMustExist: true });
  try {
    if (!hasTable(replaced, "token") || !hasTable(replaced, "change")) return undefined;
    const restored = new Sqlite(copy, { fileMustExist: true });
    try {
      const stores = {
        restored,
        replaced,
        isLater: isLaterState(restored, replaced),
        now: formatInstant(now.getTime() * 1_000),
      };
      return restored.transaction(() => carryAll(stores)).immediate();
    } finally {
      restored.close();
    }
  } finally {
    replaced.close();
  }
}

function carryAll(stores: Stores): CarriedOver {
  const { restored, replaced, isLater } = stores;
  const users = carryUsers(stores);
  const carried = {
    ...users,
    revokedTokens: carryTokens(stores),
    removedShares: carryShares(stores),
    removedWebhooks: carryWebhooks(stores),
    lostUsers: missing(replaced, restored, "user", "id").length,
    lostTokens: missing(replaced, restored, "token", "digest").filter(({ revoked }) => revoked === null).length,
    shownAgain: shownAgain(stores),
    otherOwners: otherOwners(stores),
    isLater,
  };
  if (isLater) for (const table of NUMBERED) keepNumber(stores, table);
  return carried;
}

function hasTable(raw: Database, name: string): boolean {
  return raw.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

/** Stores of older versions lack some tables and columns. */
function rowsOf(raw: Database, table: string): readonly Row[] {
  return hasTable(raw, table) ? raw.prepare<[], Row>(`SELECT * FROM "${table}"`).all() : [];
}

/** Does the replaced store have the last change of the restored one? */
function isLaterState(restored: Database, replaced: Database): boolean {
  const last = restored.prepare<[], Row>("SELECT * FROM change ORDER BY seq DESC LIMIT 1").get();
  if (last === undefined) return false;
  const same = replaced.prepare("SELECT 1 FROM change WHERE seq = ? AND time = ? AND kind = ? AND action = ?");
  return same.get(last.seq, last.time, last.kind, last.action) !== undefined;
}

/** Returns the rows of a table that the other store does not have. */
function missing(of: Database, other: Database, table: string, key: string): readonly Row[] {
  const keys = new Set(rowsOf(other, table).map((row) => row[key]));
  return rowsOf(of, table).filter((row) => !keys.has(row[key]!));
}

/** Users who were disabled or deleted are disabled; a role that was lowered stays lower. */
function carryUsers({ restored, replaced, isLater, now }: Stores) {
  const others = new Map(rowsOf(replaced, "user").map((row) => [row.id, row]));
  const disabled: string[] = [];
  let loweredRoles = 0;
  for (const user of rowsOf(restored, "user")) {
    const other = others.get(user.id!);
    const isSame = other !== undefined && other.created === user.created;
    const since = isSame ? other.disabled : isLater ? now : null;
    if (since != null && user.disabled == null) {
      disable(restored, user, String(since));
      disabled.push(String(user.name));
    }
    if (isSame && rankOf(other) < rankOf(user)) {
      restored.prepare("UPDATE user SET role = ? WHERE id = ?").run(other.role, user.id);
      loweredRoles += 1;
    }
  }
  return { disabledUsers: disabled, loweredRoles };
}

const rankOf = ({ role }: Row): number => (ROLES as readonly unknown[]).indexOf(role);

function disable(restored: Database, { id, disabled }: Row, since: string): void {
  // A store that was written before users could be disabled has no column for it.
  if (disabled === undefined) {
    restored.prepare("UPDATE token SET revoked = ? WHERE user = ? AND revoked IS NULL").run(since, id);
  } else restored.prepare("UPDATE user SET disabled = ? WHERE id = ?").run(since, id);
}

/** Tokens that were revoked, or whose user was deleted, are revoked. @returns how many */
function carryTokens({ restored, replaced, isLater, now }: Stores): number {
  const others = new Map(rowsOf(replaced, "token").map((row) => [row.digest, row]));
  const revoke = restored.prepare("UPDATE token SET revoked = ? WHERE id = ?");
  const use = restored.prepare("UPDATE token SET last_used = ? WHERE id = ?");
  let count = 0;
  for (const { id, digest, revoked, last_used: used } of rowsOf(restored, "token")) {
    const other = others.get(digest!);
    const since = other === undefined ? (isLater ? now : null) : other.revoked;
    if (since != null && revoked === null) {
      revoke.run(since, id);
      count += 1;
    }
    if (other?.last_used != null && String(other.last_used) > String(used ?? "")) use.run(other.last_used, id);
  }
  return count;
}

/** Shares that ended, and rights to write that became rights to read. @returns how many */
function carryShares({ restored, replaced, isLater }: Stores): number {
  if (!isLater) return 0;
  const keyOf = ({ pid, user }: Row): string => `${user} ${pid}`;
  const others = new Map(rowsOf(replaced, "access").map((row) => [keyOf(row), row]));
  let count = 0;
  for (const share of rowsOf(restored, "access")) {
    const other = others.get(keyOf(share));
    if (other !== undefined && (other.permission === share.permission || other.permission === "write")) continue;
    const sql = other === undefined ? "DELETE FROM access" : "UPDATE access SET permission = 'read'";
    restored.prepare(`${sql} WHERE pid = ? AND user = ?`).run(share.pid, share.user);
    count += 1;
  }
  return count;
}

/** Webhooks that were removed send nothing; the others have their last secret. @returns how many were removed */
function carryWebhooks({ restored, replaced, isLater }: Stores): number {
  if (!isLater) return 0;
  const others = new Map(rowsOf(replaced, "webhook").map((row) => [row.id, row]));
  let count = 0;
  for (const { id, url, secret } of rowsOf(restored, "webhook")) {
    const other = others.get(id!);
    if (other === undefined) {
      for (const sql of ["DELETE FROM webhook WHERE id = ?", "DELETE FROM delivery WHERE webhook = ?"]) {
        restored.prepare(sql).run(id);
      }
      count += 1;
    } else if (other.secret !== secret && other.url === url) {
      restored.prepare("UPDATE webhook SET secret = ? WHERE id = ?").run(other.secret, id);
    }
  }
  return count;
}

/** Returns the ids of records that were retracted after the backup and are public in it. */
function shownAgain({ restored, replaced }: Stores): readonly string[] {
  const isPublished = restored.prepare("SELECT 1 FROM rec WHERE pid = ? AND state = 1");
  const ids = rowsOf(replaced, "tombstone").map(({ id }) => String(id));
  return ids.filter((id) => isPublished.get(id) !== undefined);
}

/** Returns the ids of records that have another owner in the replaced store. Bodies and indexes name the owner too. */
function otherOwners({ restored, replaced, isLater }: Stores): readonly string[] {
  if (!isLater) return [];
  const owners = replaced.prepare<[], { pid: string; owner: string }>("SELECT DISTINCT pid, owner FROM rec").iterate();
  const isOther = restored.prepare("SELECT 1 FROM rec WHERE pid = ? AND owner <> ?");
  const ids: string[] = [];
  for (const { pid, owner } of owners) if (isOther.get(pid, owner) !== undefined) ids.push(pid);
  return ids;
}

/** Rights that a store gives: users who are not disabled, and their tokens that are not revoked. */
export interface LiveRights {
  readonly users: number;
  readonly tokens: number;
}

/** Counts the rights that a store without a replaced one brings back. */
export function liveRights(file: string): LiveRights {
  const raw = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const users = rowsOf(raw, "user").filter(({ disabled }) => disabled == null);
    const ids = new Set(users.map(({ id }) => id));
    const now = formatInstant(Date.now() * 1_000);
    const isLive = ({ user, revoked, expires }: Row): boolean =>
      ids.has(user!) && revoked === null && (expires === null || String(expires) > now);
    return { users: users.length, tokens: rowsOf(raw, "token").filter(isLive).length };
  } finally {
    raw.close();
  }
}

function keepNumber({ restored, replaced }: Stores, table: string): void {
  const read = "SELECT seq FROM sqlite_sequence WHERE name = ?";
  const last = replaced.prepare<[string], number>(read).pluck().get(table) ?? 0;
  const own = restored.prepare<[string], number>(read).pluck().get(table) ?? 0;
  if (last <= own || !hasTable(restored, table)) return;
  restored.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
  restored.prepare("INSERT INTO sqlite_sequence(name, seq) VALUES(?, ?)").run(table, last);
}
