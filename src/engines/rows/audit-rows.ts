/** Rows of the audit log, whose columns are the same in every engine. */
import type { Actor } from "../../core/actor.js";
import type { AuditEntry, AuditFilter, AuditRow } from "../../core/audit-entry.js";
import { formatInstant, parseInstant } from "../../core/time.js";
import { isRowId } from "./user-rows.js";

export interface AuditColumns {
  readonly id: number;
  /** Microseconds. */
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

/**
 * Returns a new line as values of the columns user, token, who, action, kind, place, target, revision, whom, outcome,
 * times.
 */
export function auditValues(actor: Actor, entry: AuditEntry): readonly (string | number | null)[] {
  const { action, kind, place = null, id = null, revision = null, whom, refused = "done", times = 1 } = entry;
  const who = actor.kind === "user" ? [Number(actor.user), Number(actor.token), actor.name] : [null, null, actor.kind];
  return [...who, action, kind, place, id, revision, whom === undefined ? null : Number(whom), refused, times];
}

/** A condition on a column, whose value follows the operator. */
type AuditCondition = readonly [left: string, value: string | number];

/** Returns the conditions of a filter, which all must hold. */
export function auditConditions(filter: AuditFilter): readonly AuditCondition[] {
  const { who, user, token, action, target, outcome, since, until, before } = filter;
  const conditions: AuditCondition[] = [];
  if (who !== undefined) conditions.push(["who =", who]);
  if (user !== undefined) conditions.push(['"user" =', rowId(user)]);
  if (token !== undefined) conditions.push(["token =", rowId(token)]);
  if (action !== undefined) conditions.push(["action =", action]);
  if (target !== undefined) conditions.push(["target =", target]);
  if (outcome !== undefined) conditions.push([`outcome ${outcome === "done" ? "=" : "<>"}`, "done"]);
  if (since !== undefined) conditions.push(["time >=", parseInstant(since)]);
  if (until !== undefined) conditions.push(["time <", parseInstant(until)]);
  if (before !== undefined) conditions.push(["id <", before]);
  return conditions;
}

/** Returns an id as the column has it. For a text that is not an id, returns a number that no row has. */
const rowId = (id: string): number => (isRowId(id) ? Number(id) : -1);

export function auditRow({ time, user, token, place, target, revision, whom, ...row }: AuditColumns): AuditRow {
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
