/**
 * Withdrawal of rights that were withdrawn after the backup was made: a restore takes it over from the store that it
 * replaces. No process has either file open.
 */
import type { Database } from "better-sqlite3";
import { ROLES } from "../../../core/actor.js";
import { formatInstant } from "../../../core/time.js";
import { Sqlite } from "../connection/database.js";

/** Withdrawn rights that a restore carried over, and those that it could not carry over. */
export interface CarriedOver {
  /** Names of users that are disabled, because they were disabled or deleted after the backup. */
  readonly disabledUsers: readonly string[];
  readonly loweredRoles: number;
  readonly revokedTokens: number;
  readonly removedShares: number;
  readonly removedWebhooks: number;
  /** Users and valid tokens of the replaced store that the backup does not have. */
  readonly lostUsers: number;
  readonly lostTokens: number;
  /** Ids of records that were retracted after the backup and are published in it. */
  readonly republished: readonly string[];
  /** Ids of records that have another owner in the backup, because they were transferred after it. */
  readonly otherOwners: readonly string[];
  /** Whether the replaced store is a later state of the backup. Only then are deletions known. */
  readonly isLater: boolean;
}

type Row = Readonly<Record<string, string | number | null>>;

/** Tables whose last row number must not be reused, because receivers and the audit log identify rows by them. */
const AUTOINCREMENT_TABLES = ["user", "token", "webhook", "delivery", "audit"] as const;

/** A store that is being restored and the store that it replaces. */
interface Stores {
  readonly restored: Database;
  readonly replaced: Database;
  /** Whether the replaced store is a later state of the restored one, so that missing rows were removed. */
  readonly isLater: boolean;
  /** Instant for removals whose instant is unknown. */
  readonly now: string;
}

/**
 * Carries withdrawn rights over from the replaced store into the copy that will take its place.
 * @returns undefined if the replaced file is not a store of Bindery
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
    lostUsers: missingRows(replaced, restored, "user", "id").length,
    lostTokens: missingRows(replaced, restored, "token", "digest").filter(({ revoked }) => revoked === null).length,
    republished: findRepublished(stores),
    otherOwners: findOtherOwners(stores),
    isLater,
  };
  if (isLater) for (const table of AUTOINCREMENT_TABLES) keepNumber(stores, table);
  return carried;
}

function hasTable(raw: Database, name: string): boolean {
  return raw.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

/** Returns all rows of a table, none if it does not exist. Stores of older versions lack some tables and columns. */
function allRows(raw: Database, table: string): readonly Row[] {
  return hasTable(raw, table) ? raw.prepare<[], Row>(`SELECT * FROM "${table}"`).all() : [];
}

/** Returns whether the replaced store contains the last change of the restored one. */
function isLaterState(restored: Database, replaced: Database): boolean {
  const last = restored.prepare<[], Row>("SELECT * FROM change ORDER BY seq DESC LIMIT 1").get();
  if (last === undefined) return false;
  const matchingChange = replaced.prepare(
    "SELECT 1 FROM change WHERE seq = ? AND time = ? AND kind = ? AND action = ?",
  );
  return matchingChange.get(last.seq, last.time, last.kind, last.action) !== undefined;
}

/** Returns the rows of a table that the other store does not have. */
function missingRows(owner: Database, other: Database, table: string, key: string): readonly Row[] {
  const keys = new Set(allRows(other, table).map((row) => row[key]));
  return allRows(owner, table).filter((row) => !keys.has(row[key]!));
}

/** Disables users who were disabled or deleted, and lowers roles that were lowered. */
function carryUsers({ restored, replaced, isLater, now }: Stores) {
  const replacedRows = new Map(allRows(replaced, "user").map((row) => [row.id, row]));
  const disabledNames: string[] = [];
  let loweredRoles = 0;
  for (const user of allRows(restored, "user")) {
    const replacedRow = replacedRows.get(user.id!);
    const isSame = replacedRow !== undefined && replacedRow.created === user.created;
    const since = isSame ? replacedRow.disabled : isLater ? now : null;
    if (since != null && user.disabled == null) {
      disable(restored, user, String(since));
      disabledNames.push(String(user.name));
    }
    if (isSame && roleRank(replacedRow) < roleRank(user)) {
      restored.prepare("UPDATE user SET role = ? WHERE id = ?").run(replacedRow.role, user.id);
      loweredRoles += 1;
    }
  }
  return { disabledUsers: disabledNames, loweredRoles };
}

const roleRank = ({ role }: Row): number => (ROLES as readonly unknown[]).indexOf(role);

function disable(restored: Database, { id, disabled }: Row, since: string): void {
  // A store of a version without disabled users has no column for it.
  if (disabled === undefined) {
    restored.prepare("UPDATE token SET revoked = ? WHERE user = ? AND revoked IS NULL").run(since, id);
  } else restored.prepare("UPDATE user SET disabled = ? WHERE id = ?").run(since, id);
}

/** Revokes tokens that were revoked or whose user was deleted. @returns their number */
function carryTokens({ restored, replaced, isLater, now }: Stores): number {
  const replacedRows = new Map(allRows(replaced, "token").map((row) => [row.digest, row]));
  const revoke = restored.prepare("UPDATE token SET revoked = ? WHERE id = ?");
  const setLastUse = restored.prepare("UPDATE token SET last_used = ? WHERE id = ?");
  let count = 0;
  for (const { id, digest, revoked, last_used: used } of allRows(restored, "token")) {
    const replacedRow = replacedRows.get(digest!);
    const since = replacedRow === undefined ? (isLater ? now : null) : replacedRow.revoked;
    if (since != null && revoked === null) {
      revoke.run(since, id);
      count += 1;
    }
    if (replacedRow?.last_used != null && String(replacedRow.last_used) > String(used ?? ""))
      setLastUse.run(replacedRow.last_used, id);
  }
  return count;
}

/** Ends shares that ended, and reduces write shares that became read shares. @returns their number */
function carryShares({ restored, replaced, isLater }: Stores): number {
  if (!isLater) return 0;
  const shareKey = ({ pid, user }: Row): string => `${user} ${pid}`;
  const replacedRows = new Map(allRows(replaced, "access").map((row) => [shareKey(row), row]));
  let count = 0;
  for (const share of allRows(restored, "access")) {
    const replacedRow = replacedRows.get(shareKey(share));
    if (
      replacedRow !== undefined &&
      (replacedRow.permission === share.permission || replacedRow.permission === "write")
    )
      continue;
    const sql = replacedRow === undefined ? "DELETE FROM access" : "UPDATE access SET permission = 'read'";
    restored.prepare(`${sql} WHERE pid = ? AND user = ?`).run(share.pid, share.user);
    count += 1;
  }
  return count;
}

/** Removes webhooks that were removed, and updates the secrets of the others. @returns the number of removed ones */
function carryWebhooks({ restored, replaced, isLater }: Stores): number {
  if (!isLater) return 0;
  const replacedRows = new Map(allRows(replaced, "webhook").map((row) => [row.id, row]));
  let count = 0;
  for (const { id, url, secret } of allRows(restored, "webhook")) {
    const replacedRow = replacedRows.get(id!);
    if (replacedRow === undefined) {
      for (const sql of ["DELETE FROM webhook WHERE id = ?", "DELETE FROM delivery WHERE webhook = ?"]) {
        restored.prepare(sql).run(id);
      }
      count += 1;
    } else if (replacedRow.secret !== secret && replacedRow.url === url) {
      restored.prepare("UPDATE webhook SET secret = ? WHERE id = ?").run(replacedRow.secret, id);
    }
  }
  return count;
}

/** Returns the ids of records that were retracted after the backup and are public in it. */
function findRepublished({ restored, replaced }: Stores): readonly string[] {
  const isPublished = restored.prepare("SELECT 1 FROM rec WHERE pid = ? AND state = 1");
  const ids = allRows(replaced, "tombstone").map(({ id }) => String(id));
  return ids.filter((id) => isPublished.get(id) !== undefined);
}

/** Returns the ids of records that have another owner in the replaced store. Bodies and indexes name the owner too. */
function findOtherOwners({ restored, replaced, isLater }: Stores): readonly string[] {
  if (!isLater) return [];
  const owners = replaced.prepare<[], { pid: string; owner: string }>("SELECT DISTINCT pid, owner FROM rec").iterate();
  const differentOwner = restored.prepare("SELECT 1 FROM rec WHERE pid = ? AND owner <> ?");
  const ids: string[] = [];
  for (const { pid, owner } of owners) if (differentOwner.get(pid, owner) !== undefined) ids.push(pid);
  return ids;
}

/** Rights of a store: users who are not disabled, and their tokens that are not revoked. */
export interface LiveRights {
  readonly users: number;
  readonly tokens: number;
}

/** Counts the rights that a restore without a replaced store brings back. */
export function liveRights(file: string): LiveRights {
  const raw = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const users = allRows(raw, "user").filter(({ disabled }) => disabled == null);
    const ids = new Set(users.map(({ id }) => id));
    const now = formatInstant(Date.now() * 1_000);
    const isLive = ({ user, revoked, expires }: Row): boolean =>
      ids.has(user!) && revoked === null && (expires === null || String(expires) > now);
    return { users: users.length, tokens: allRows(raw, "token").filter(isLive).length };
  } finally {
    raw.close();
  }
}

/** Raises the last row number of a table to that of the replaced store. */
function keepNumber({ restored, replaced }: Stores, table: string): void {
  const read = "SELECT seq FROM sqlite_sequence WHERE name = ?";
  const lastNumber = replaced.prepare<[string], number>(read).pluck().get(table) ?? 0;
  const ownNumber = restored.prepare<[string], number>(read).pluck().get(table) ?? 0;
  if (lastNumber <= ownNumber || !hasTable(restored, table)) return;
  restored.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
  restored.prepare("INSERT INTO sqlite_sequence(name, seq) VALUES(?, ?)").run(table, lastNumber);
}
