import type { RefusedRequest } from "../../core/audit-entry.js";
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type AuditRow,
} from "../../core/audit-entry.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { parseRecordId } from "../../core/record.js";
import { DAY_MICROS, formatInstant, readWhen } from "../../core/time.js";
import type { RecordReader, UserReader } from "../../ports/store.js";
import type { AuditLine, AuditRequest } from "../api/admin.js";
import { operatorUseCase, useCase } from "../context/use-case.js";
import { userByName } from "../context/user-names.js";
import { badParameter } from "../input/issues.js";

/** Lists the newest matching lines of the audit log, oldest first. @throws PARAMETER_INVALID */
export const listAudit = operatorUseCase(
  ({ store, clock }) =>
    async ({ who, action, target, since, until, limit, ...filter }: AuditRequest): Promise<readonly AuditLine[]> => {
      if (action !== undefined && !AUDIT_ACTIONS.includes(action as AuditAction)) throw unknownAction(action);
      const from = since === undefined ? undefined : instantOf("since", since, clock.nowMicros());
      const to = until === undefined ? undefined : instantOf("until", until, clock.nowMicros());
      const rows = await store.audit.list({
        ...filter,
        ...(await readActor(store.users, who)),
        action,
        target: target && (parseRecordId(target) ?? target),
        since: from,
        until: to,
        limit,
      });
      const names = await userNames(store.users, rows);
      return rows.toReversed().map((row): AuditLine => {
        const whom = row.whom === undefined ? undefined : names.get(row.whom);
        const currentName = row.user === undefined ? undefined : names.get(row.user);
        return {
          ...row,
          whom_name: whom,
          who_now: currentName === undefined || currentName === row.who ? undefined : currentName,
        };
      });
    },
);

/** Returns an instant. A span is counted back from now; the day of `until` is included. */
function instantOf(name: "since" | "until", text: string, now: number): string {
  const when = readWhen(text);
  if (when === undefined) {
    const forms = "a duration before now (2h, 7d), a date (2026-11-21) or an instant (2026-11-21T10:00:00Z)";
    throw badParameter(name, `${name} must be ${forms}.`, text);
  }
  if (when.kind === "span") return formatInstant(now - when.micros);
  return formatInstant(when.kind === "day" && name === "until" ? when.micros + DAY_MICROS : when.micros);
}

function unknownAction(action: string): Error {
  const [near] = nearestNames(action, AUDIT_ACTIONS, LIMITS.nearestMax);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return badParameter("action", `The action must be one of ${AUDIT_ACTIONS.join(", ")}.${hint}`, action, AUDIT_ACTIONS);
}

/** Filters by the id of a user, which finds lines under earlier names, or by the text, for deleted users and others. */
async function readActor(users: UserReader, who: string | undefined): Promise<Pick<AuditFilter, "who" | "user">> {
  if (who === undefined) return {};
  const user = await userByName(users, who);
  return user === undefined ? { who } : { user: user.id };
}

/** Returns the current names of users by id. */
async function userNames(users: UserReader, rows: readonly Pick<AuditRow, "user" | "whom">[]) {
  const names = new Map<string, string>();
  for (const id of new Set(rows.flatMap(({ user, whom }) => [user ?? [], whom ?? []].flat()))) {
    const user = await users.getUser(id);
    if (user !== undefined) names.set(id, user.name);
  }
  return names;
}

/** Number of new lines between two deletions of old ones. */
const LINES_BETWEEN_DROPS = 1_000;

/** Writes refused requests into the audit log, which keeps a bounded number of them. */
export const noteRefusals = useCase({ thread: "writer" }, ({ store }) => {
  let sinceDrop = 0;
  return async (refusals: readonly RefusedRequest[]): Promise<void> => {
    const relevant: (typeof refusals)[number][] = [];
    for (const refusal of refusals) if (await isRelevant(store.records, refusal.entry)) relevant.push(refusal);
    if (relevant.length === 0) return;
    await store.transaction(async (tx) => {
      for (const { actor, entry } of relevant) await tx.audit(actor, entry);
      if (sinceDrop + relevant.length >= LINES_BETWEEN_DROPS) await tx.dropRefusals(LIMITS.refusalsKeptMax);
    });
    sinceDrop = (sinceDrop + relevant.length) % LINES_BETWEEN_DROPS;
  };
});

/**
 * Returns whether a refusal is logged. A missing record is logged only if its id was given to a record: otherwise it is
 * a typing error.
 */
async function isRelevant(records: RecordReader, { refused, id }: AuditEntry): Promise<boolean> {
  if (refused !== "RECORD_NOT_FOUND") return true;
  const recordId = id === undefined ? undefined : parseRecordId(id);
  return recordId !== undefined && records.isTaken(recordId);
}
