import type { Actor } from "../../core/actor.js";
import type { AuditEntry } from "../../core/audit-entry.js";
import { BinderyError, type ErrorCode, fail } from "../../core/errors.js";
import { isObject, type Json } from "../../core/json.js";
import type { LifeAction } from "../../core/lifecycle.js";
import { requireStanding, standingOf, type User } from "../../core/may.js";
import { parseRecordId, type StoredRecord } from "../../core/record.js";
import type { AnswerSubject, Extent, KeptAnswer, Store, WriteTransaction } from "../../ports/store.js";
import type { Conditions, IdempotencyKey } from "../api/records.js";

/** The actor and size of a write, and whether its answer is kept. */
interface Cause extends Extent {
  readonly actor: Actor;
  readonly once?: IdempotencyKey | undefined;
  /** Set if the answer has the content of a record. Absent: a replay needs only the rights of the request. */
  readonly replay?: ReplayRight;
}

/** The right to a record that a caller needs for a replay of a kept answer. */
interface ReplayRight {
  readonly action: LifeAction;
  /** The id of the draft that the request names; absent if the write makes it. */
  readonly id?: string;
}

/** A function that writes inside one transaction. `note` adds an entry to the audit log. */
export type Work<T> = (tx: WriteTransaction, note: (entry: AuditEntry) => Promise<void>) => Promise<T>;

/** An answer in the form in which it is kept for an Idempotency-Key. */
type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly params: Readonly<Record<string, unknown>> };

/**
 * Runs a write in one transaction. With an Idempotency-Key, the transaction keeps the answer of the first request with
 * it, and later requests get that answer without another write. Errors of the client are kept too, except
 * QUOTA_EXCEEDED: the same request may succeed once the user has room. An answer with the content of a record is
 * replayed only if the caller still has the right to it.
 *
 * @param keep returns the part of the answer that is kept, without secrets; by default all of it
 * @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_BUSY; what `work` throws
 */
export type RunWrite = <T>(cause: Cause, work: Work<T>, keep?: (value: T) => T) => Promise<T>;

/** Makes the function that runs the writes of a store. */
export function makeRunWrite(store: Store): RunWrite {
  const running = new Set<string>();
  return async ({ actor, once, replay, ...extent }, work, keep = (value) => value) => {
    const run = <T>(tx: WriteTransaction, inside: Work<T>): Promise<T> => inside(tx, (entry) => tx.audit(actor, entry));
    if (once === undefined || actor.kind !== "user") return store.transaction((tx) => run(tx, work), extent);

    const { token } = actor;
    const name = `${token} ${once.key}`;
    if (running.has(name)) throw fail("IDEMPOTENCY_KEY_BUSY");
    running.add(name);
    const keepOutcome = (tx: WriteTransaction, outcome: Outcome<unknown>): Promise<void> =>
      tx.answers.keep(token, once.key, {
        request: once.request,
        ...aboutRecord(outcome, replay),
        outcome: outcome as unknown as Json,
      });
    let isKept = false;
    try {
      return await store.transaction(async (tx) => {
        const kept = await tx.answers.find(token, once.key);
        isKept = kept !== undefined;
        if (kept !== undefined) {
          if (kept.request !== once.request) throw fail("IDEMPOTENCY_KEY_REUSED");
          if (kept.about !== undefined && replay !== undefined) await checkReplay(tx, actor, replay, kept.about);
          return replayed(kept.outcome as unknown as Outcome<never>);
        }
        const value = await run(tx, work);
        await keepOutcome(tx, { kind: "done", value: keep(value) });
        return value;
      }, extent);
    } catch (error) {
      if (!isKept && error instanceof BinderyError && error.status < 500 && error.code !== "QUOTA_EXCEEDED") {
        const { code, params } = error;
        await store.transaction(async (tx) => {
          // The same request may have succeeded on another node meanwhile: its answer stays.
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

function replayed<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "done") return outcome.value;
  throw (fail as (code: ErrorCode, params: unknown) => BinderyError)(outcome.code, outcome.params);
}

/** Replaces the kept answers with the content of a deleted record or draft by the error that a request now gets. */
export async function forgetAnswers(tx: WriteTransaction, about: AnswerSubject, error: BinderyError): Promise<void> {
  const { code, params } = error;
  const outcome: Outcome<never> = { kind: "failed", code, params };
  await tx.answers.replaceAbout(about, outcome as unknown as Json);
}

/** Returns the record whose content an outcome has: the one that was written, or a draft whose problems are listed. */
function aboutRecord(outcome: Outcome<unknown>, replay: ReplayRight | undefined): Pick<KeptAnswer, "about"> {
  if (replay === undefined) return {};
  if (outcome.kind === "done" && isObject(outcome.value) && isObject(outcome.value.record)) {
    const { id, state } = outcome.value.record as unknown as StoredRecord;
    return { about: { id, state } };
  }
  const hasContent = outcome.kind === "done" || Object.hasOwn(outcome.params, "issues");
  const id = replay.id === undefined ? undefined : parseRecordId(replay.id);
  return hasContent && id !== undefined ? { about: { id, state: "draft" } } : {};
}

/**
 * Checks the current rights of the caller to the record of a kept answer.
 * @throws DRAFT_NOT_FOUND, ACCESS_DENIED
 */
async function checkReplay(
  { records, shares }: WriteTransaction,
  user: User,
  { action }: ReplayRight,
  { id }: AnswerSubject,
): Promise<void> {
  const published = await records.get(id, "published");
  const stored = (await records.get(id, "draft")) ?? published;
  const standing = stored && standingOf(user, stored, await shares.permissionOf(id, user.user));
  if (standing === undefined || (standing === "stranger" && published === undefined))
    throw fail("DRAFT_NOT_FOUND", { id });
  requireStanding(standing, action);
}

/**
 * Returns undefined for a refusal; for the `catch` of a check that runs before the transaction. The transaction decides
 * again, because the request may be allowed in the meantime, or its Idempotency-Key may have an answer.
 * @throws any error that is not a refusal
 */
export function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof BinderyError) || error.status >= 500) throw error;
  return undefined;
}

/**
 * Parses a body before its transaction, so that the write lock is not held meanwhile. An error is thrown only when the
 * result is used: a kept answer of an Idempotency-Key, missing rights and missing objects have precedence.
 *
 * @returns a function that returns the parsed value, or throws the error
 */
export function parseEarly<T>(read: () => T): () => T {
  try {
    const value = read();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Checks the revision that a client expects. @throws REVISION_STALE if it is not the current one */
export function checkRevision({ revision }: Pick<StoredRecord, "revision">, expected: Conditions["revision"]): void {
  if (expected === undefined || [expected].flat().includes(revision)) return;
  throw fail("REVISION_STALE", { expected, actual: revision });
}
