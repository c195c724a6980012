import { AUDIT_ACTIONS, type AuditAction, type AuditFilter, type AuditRow } from "../../core/audit-entry.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { parseRecordId } from "../../core/record-id.js";
import { formatInstant } from "../../core/time.js";
import type { UserReader } from "../../ports/store.js";
import type { AdminOperatorServices, AuditLine } from "../api/admin-services.js";
import type { Deps } from "../context/deps.js";
import { userByName } from "../context/user-names.js";
import { badParameter } from "../input/issues.js";
import { DAY_MICROS, readWhen } from "../input/read-when.js";

/** The newest lines of the audit log that fit, oldest first. @throws PARAMETER_INVALID */
export function makeListAudit({ store, clock }: Deps): AdminOperatorServices["listAudit"] {
  return async ({ who, action, target, since, until, limit, ...same }) => {
    if (action !== undefined && !AUDIT_ACTIONS.includes(action as AuditAction)) throw unknownAction(action);
    const from = since === undefined ? undefined : instantOf("since", since, clock.nowMicros());
    const to = until === undefined ? undefined : instantOf("until", until, clock.nowMicros());
    const rows = await store.audit.list({
      ...same,
      ...(await doneBy(store.users, who)),
      ...(action === undefined ? {} : { action }),
      ...(target === undefined ? {} : { target: parseRecordId(target) ?? target }),
      ...(from === undefined ? {} : { since: from }),
      ...(to === undefined ? {} : { until: to }),
      limit,
    });
    const names = await namesOf(store.users, rows);
    return rows.toReversed().map((row): AuditLine => {
      const whom = row.whom === undefined ? undefined : names.get(row.whom);
      const now = row.user === undefined ? undefined : names.get(row.user);
      return {
        ...row,
        ...(whom === undefined ? {} : { whom_name: whom }),
        ...(now === undefined || now === row.who ? {} : { who_now: now }),
      };
    });
  };
}

/** A span is that long ago; a day is taken whole. */
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

/** A user by id, so that lines under earlier names are found; else by what was written: of deleted users, of nobody. */
async function doneBy(users: UserReader, who: string | undefined): Promise<Pick<AuditFilter, "who" | "user">> {
  if (who === undefined) return {};
  const user = await userByName(users, who);
  return user === undefined ? { who } : { user: user.id };
}

/** Names of users by id, as they are now. */
async function namesOf(users: UserReader, rows: readonly Pick<AuditRow, "user" | "whom">[]) {
  const names = new Map<string, string>();
  for (const id of new Set(rows.flatMap(({ user, whom }) => [user ?? [], whom ?? []].flat()))) {
    const user = await users.getUser(id);
    if (user !== undefined) names.set(id, user.name);
  }
  return names;
}
