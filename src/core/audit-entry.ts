import type { Actor } from "./actor.js";
import type { ErrorCode } from "./errors.js";

/** Actions in the audit log. Lines are permanent, so a name is never reused. */
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

/** The object of an action: only ids and places, never content. */
export interface AuditTarget {
  readonly kind: "record" | "term" | "token" | "user" | "webhook" | "store" | "path";
  /**
   * Model or vocabulary; for a user the new role, `old -> new` name, or the name of a deleted user; for a path the
   * route.
   */
  readonly place?: string;
  readonly id?: string | undefined;
  readonly revision?: number;
}

/** A line of the audit log, without actor and time. */
export interface AuditEntry extends AuditTarget {
  readonly action: AuditAction;
  /** Id of the other user that the action concerns: of a share or token, or the new owner. */
  readonly whom?: string;
  /** Why the action was refused; absent if it was carried out. */
  readonly refused?: ErrorCode;
  /** Number of consecutive repetitions; absent: 1. */
  readonly times?: number;
}

/** A refused request with its actor. */
export interface RefusedRequest {
  readonly actor: Actor;
  readonly entry: AuditEntry;
}

/** A stored line of the audit log. */
export interface AuditRow {
  readonly id: number;
  /** ISO 8601 UTC. */
  readonly time: string;
  /** Name of the user; `operator` for the command line, `anonymous` for a request without a token. */
  readonly who: string;
  /** Ids; absent for the command line and for requests without a token. */
  readonly user?: string;
  readonly token?: string;
  readonly action: string;
  readonly kind: string;
  readonly place?: string;
  readonly target?: string;
  readonly revision?: number;
  /** Id of the other user that the action concerns: of a share or token, or the new owner. */
  readonly whom?: string;
  /** `done`, or the code of the error. */
  readonly outcome: string;
  readonly times: number;
}

/** A filter of lines. An absent condition matches all lines. */
export interface AuditFilter {
  /** The stored name of the actor: a user, `operator` or `anonymous`. */
  readonly who?: string;
  /** Id of the user who did it. */
  readonly user?: string;
  readonly token?: string;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly outcome?: "done" | "refused";
  /** ISO 8601 instants: `since` is included, `until` is excluded. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only lines with a lower id, to read the next page. */
  readonly before?: number;
  readonly limit: number;
}
