import type { Actor } from "../../core/actor.js";
import type { AuditEntry } from "../../core/audit-entry.js";
import { BinderyError, type ErrorCode, fail } from "../../core/errors.js";
import type { Json } from "../../core/json.js";
import type { Extent, Store, WriteTransaction } from "../../ports/store.js";
import type { Once } from "../api/conditions.js";

/** For whom something is written and how much, and whether its answer is kept. */
export interface Cause extends Extent {
  readonly actor: Actor;
  readonly once?: Once;
}

/** Writes inside one transaction; `note` writes what was done into the audit log. */
export type Work<T> = (tx: WriteTransaction, note: (entry: AuditEntry) => Promise<void>) => Promise<T>;

/** An answer as it is kept for an Idempotency-Key. */
type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly params: Readonly<Record<string, unknown>> };

/**
 * Runs a write in one transaction. With an Idempotency-Key, the answer of the first request with it is kept in that
 * transaction, and later ones get it without anything being done; failures that are the client's are kept too.
 *
 * @param keep what of the answer is kept: all of it, but for secrets
 * @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_BUSY; what `work` throws
 */
export type RunWrite = <T>(cause: Cause, work: Work<T>, keep?: (value: T) => T) => Promise<T>;

export function makeRunWrite(store: Store): RunWrite {
  const running = new Set<string>();
  return async ({ actor, once, ...extent }, work, keep = (value) => value) => {
    const run = <T>(tx: WriteTransaction, inside: Work<T>): Promise<T> => inside(tx, (entry) => tx.audit(actor, entry));
    if (once === undefined || actor.kind !== "user") return store.transaction((tx) => run(tx, work), extent);

    const { token } = actor;
    const name = `${token} ${once.key}`;
    if (running.has(name)) throw fail("IDEMPOTENCY_KEY_BUSY");
    running.add(name);
    const keepOutcome = (tx: WriteTransaction, outcome: Outcome<unknown>): Promise<void> =>
      tx.answers.keep(token, once.key, { request: once.request, outcome: outcome as unknown as Json });
    let isKept = false;
    try {
      return await store.transaction(async (tx) => {
        const kept = await tx.answers.find(token, once.key);
        isKept = kept !== undefined;
        if (kept !== undefined) return replay(kept.outcome as unknown as Outcome<never>, kept.request === once.request);
        const value = await run(tx, work);
        await keepOutcome(tx, { kind: "done", value: keep(value) });
        return value;
      }, extent);
    } catch (error) {
      if (!isKept && error instanceof BinderyError && error.status < 500) {
        const { code, params } = error;
        await store.transaction(async (tx) => {
          // Meanwhile the same request may have succeeded on another node: what it answered stays.
          if ((await tx.answers.find(token, once.key)) !== undefined) return;
          await keepOutcome(tx, { kind: "failed", code, params });
        });
      }
      throw error;
    } finally {
      running.delete(name);
    }
  };
}

function replay<T>(outcome: Outcome<T>, isSame: boolean): T {
  if (!isSame) throw fail("IDEMPOTENCY_KEY_REUSED");
  if (outcome.kind === "done") return outcome.value;
  throw (fail as (code: ErrorCode, params: unknown) => BinderyError)(outcome.code, outcome.params);
}
