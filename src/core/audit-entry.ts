import type { Actor } from "./actor.js";
import type { ErrorCode } from "./errors.js";

/** What was done, or was refused. A line of the log is for ever: names are not reused. */
export const AUDIT_ACTIONS = [
  "draft.create",
  "draft.replace",
  "draft.delete",
  "draft.publish",
  "draft.share",
  "draft.unshare",
  "record.edit",
  "record.version",
  "record.retract",
  "record.import",
  "record.refresh",
  "record.transfer",
  "term.put",
  "term.merge",
  "term.confirm",
  "term.delete",
  "term.import",
  "term.lookup",
  "token.create",
  "token.revoke",
  "user.add",
  "user.role",
  "user.disable",
  "user.enable",
  "user.rename",
  "user.delete",
  "webhook.add",
  "webhook.remove",
  "webhook.replay",
  "webhook.secret",
  "store.repair",
  "request",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What it was done to. Never content: ids, and where they stand. */
export interface AuditTarget {
  readonly kind: "record" | "term" | "token" | "user" | "webhook" | "store" | "path";
  /** Model or vocabulary; of a user the new role, `old -> new` name, or a deleted one's name; of a path its route. */
  readonly place?: string;
  readonly id?: string;
  readonly revision?: number;
}

/** One line, without who and when. */
export interface AuditEntry extends AuditTarget {
  readonly action: AuditAction;
  /** Id of the user to whom it was given, or from whom it was taken. */
  readonly whom?: string;
  /** Why it was refused. Absent: it was done. */
  readonly refused?: ErrorCode;
  /** How often in a row; absent: once. */
  readonly times?: number;
}

/** A request that was refused, and whose it was. */
export interface Refusal {
  readonly actor: Actor;
  readonly entry: AuditEntry;
}

/** One line as it was kept. */
export interface AuditRow {
  readonly id: number;
  /** ISO 8601 UTC. */
  readonly time: string;
  /** Name of the user; `operator` for the command line, `anonymous` for nobody. */
  readonly who: string;
  /** Ids; absent for the command line and for nobody. */
  readonly user?: string;
  readonly token?: string;
  readonly action: string;
  readonly kind: string;
  readonly place?: string;
  readonly target?: string;
  readonly revision?: number;
  /** Id of the user to whom it was given, or from whom it was taken. */
  readonly whom?: string;
  /** `done`, or the code of the error. */
  readonly outcome: string;
  readonly times: number;
}

/** Which lines; each absent one means any. */
export interface AuditFilter {
  /** Name as it was written: of a user, `operator` or `anonymous`. */
  readonly who?: string;
  /** Id of the user who did it. */
  readonly user?: string;
  readonly token?: string;
  readonly action?: string;
  readonly target?: string;
  readonly outcome?: "done" | "refused";
  /** ISO 8601 instants: from this one on, and before this one. */
  readonly since?: string;
  readonly until?: string;
  /** Only lines before this one, for reading on. */
  readonly before?: number;
  readonly limit: number;
}
