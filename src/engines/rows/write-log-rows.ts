/** Rows of the audit log and of answers to idempotency keys, whose columns are the same in every engine. */
import type { Actor } from "../../core/actor.js";
import type { AuditEntry, AuditFilter, AuditRow } from "../../core/audit-entry.js";
import { type JsonObject, storedDamaged, storedObject } from "../../core/json.js";
import { formatInstant, parseInstant } from "../../core/time.js";
import type { AnswerSubject, KeptAnswer } from "../../ports/store.js";
import { isRowId } from "./user-rows.js";

/** Columns of the row of a line of the audit log. */
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

/** Converts a row to a line of the audit log. */
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

/**
 * The expression of the index `answer_about`, which statements must repeat. It is valid in both engines. The text of an
 * answer about a record begins with the record: an index over the first characters finds the answers about it, and a
 * store dump needs no further column.
 */
export const ABOUT = "substr(outcome, 1, 64)";

const SUBJECT = "The kept answer of the Idempotency-Key";

const ABOUT_PREFIX = '{"about":';

const aboutText = ({ id, state }: AnswerSubject): string => `${state}:${id}`;

/** Returns the text of an outcome. If it is about no record, the outcome is the whole text, as in earlier versions. */
export function outcomeText({ about, outcome }: Omit<KeptAnswer, "request">): string {
  return JSON.stringify(about === undefined ? outcome : { about: aboutText(about), outcome });
}

/**
 * Parses a row. @throws BinderyError STORE_DAMAGED. A damaged answer is kept, because otherwise the write would be
 * repeated.
 */
export function keptAnswer(
  { request, outcome }: { readonly request: string; readonly outcome: string },
  key: string,
): KeptAnswer {
  const value = storedObject<JsonObject>(outcome, SUBJECT, key);
  if (!outcome.startsWith(ABOUT_PREFIX)) return { request, outcome: value };
  const { about, outcome: kept } = value;
  if (typeof about !== "string" || kept === undefined) throw storedDamaged(SUBJECT, key, "it names no record");
  const [state, id] = about.split(":") as [AnswerSubject["state"], string];
  return { request, about: { id, state }, outcome: kept };
}

/** Returns the least value of `ABOUT` for answers about a record, and the least value greater than all of them. */
export function aboutRange(about: AnswerSubject): readonly [from: string, below: string] {
  const start = `${ABOUT_PREFIX}${JSON.stringify(aboutText(about))}`;
  return [`${start},`, `${start}-`];
}
