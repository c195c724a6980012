import { crc32 } from "../../core/crc32.js";
import { fail } from "../../core/errors.js";
import { type ChangePlace, FIRST_PLACE } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import type { ChangesAnswer, ChangesRequest, ChangeWait } from "../api/changes.js";
import type { Deps } from "../context/deps.js";
import { useCase } from "../context/use-case.js";
import { makeIssue } from "../input/issues.js";

/**
 * Reads one page of the change feed. The feed is public, because all its records and terms are or were public.
 * @throws CHANGE_CURSOR_INVALID, CHANGE_CURSOR_GONE
 */
export const readChanges = useCase(
  { thread: "http" },
  ({ store }) =>
    async ({ since, size, until }: ChangesRequest): Promise<ChangesAnswer> => {
      const end = until === undefined ? {} : { until: decodePlace(until) };
      const { changes, next, isEnd } = await store.changes.page({ after: decodePlace(since), limit: size, ...end });
      return { changes, next: encodePlace(next), isEnd };
    },
);

/** Returns the cursor after the last public change. */
export const readChangeHead = useCase(
  { thread: "http" },
  ({ store }) =>
    async (): Promise<string> =>
      encodePlace(await store.changes.head()),
);

/** Interval of the check for changes while requests wait. One check serves all of them. */
const CHECK_MS = 100;

interface Waiter {
  readonly seq: number;
  readonly caller: string;
  wake(): void;
}

/**
 * Waits until there is a change after the cursor, or `waitMs` have passed, or the signal is aborted, and returns true.
 * Returns false at once if too many requests wait, in total or from this caller. It runs in the calling thread, because
 * a signal cannot be posted. If no request waits, nothing is checked.
 * @throws CHANGE_CURSOR_INVALID
 */
export const awaitChange = useCase({ thread: "http" }, ({ store, background }: Pick<Deps, "store" | "background">) => {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;

  const checkHead = async (): Promise<void> => {
    const last = await store.changes.head().then(
      ({ seq }) => {
        background.onBackgroundSuccess("change-feed");
        return seq;
      },
      (error: unknown) => {
        // Ends all waits; the next read of a client reports the error.
        background.onBackgroundError("change-feed", error);
        return Number.MAX_SAFE_INTEGER;
      },
    );
    for (const waiter of [...waiters]) if (last > waiter.seq) waiter.wake();
  };
  const leave = (waiter: Waiter): void => {
    waiters.delete(waiter);
    if (waiters.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const mayWait = (caller: string): boolean => {
    if (waiters.size >= LIMITS.changeWaitersMax) return false;
    const own = [...waiters].filter((waiter) => waiter.caller === caller);
    return own.length < LIMITS.changeWaitersPerCallerMax;
  };

  return async ({ since, waitMs, caller }: ChangeWait, signal: AbortSignal): Promise<boolean> => {
    const { seq } = decodePlace(since);
    if (signal.aborted || waitMs === 0) return true;
    if (!mayWait(caller)) return false;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(late);
        signal.removeEventListener("abort", wake);
        leave(waiter);
        resolve();
      };
      const waiter = { seq, caller, wake };
      const late = setTimeout(wake, waitMs);
      signal.addEventListener("abort", wake);
      waiters.add(waiter);
      timer ??= setInterval(() => void checkHead(), CHECK_MS);
    });
    return true;
  };
});

/** Version of the cursor format. Mirrors keep cursors for years, so this version must stay readable. */
const VERSION = 1;
const ORDER = "changes";

/**
 * Returns the cursor of a place in the change feed; `0` is before all changes. A cursor is stateless and valid for this
 * store only. It contains only public data: the public number and the time of a change. The checksum only detects
 * truncated and mistyped cursors.
 */
export function encodePlace({ seq, time, entry }: ChangePlace): string {
  if (seq === FIRST_PLACE.seq) return "0";
  const text = JSON.stringify(entry === undefined ? [VERSION, ORDER, seq, time] : [VERSION, ORDER, seq, time, entry]);
  return Buffer.from(`${crc32(text).toString(36)}${text}`).toString("base64url");
}

/** Returns the place of a cursor. @throws CHANGE_CURSOR_INVALID */
export function decodePlace(cursor: string): ChangePlace {
  if (cursor === "0") return FIRST_PLACE;
  const text = Buffer.from(cursor, "base64url").toString();
  const start = text.indexOf("[");
  const json = text.slice(start);
  if (start < 0 || text.slice(0, start) !== crc32(json).toString(36)) throw invalid(cursor);
  const [version, order, seq, time, entry, ...rest] = parse(json) ?? [];
  if (version !== VERSION || order !== ORDER || rest.length > 0) throw invalid(cursor);
  if (!isCount(seq) || !isCount(time)) throw invalid(cursor);
  if (entry === undefined) return { seq, time };
  if (!isCount(entry)) throw invalid(cursor);
  return { seq, time, entry };
}

function parse(json: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function invalid(cursor: string): Error {
  const messages = ["Start with since=0 and continue with `next` of the previous response."];
  const issues = [makeIssue(["since"], "PARAMETER_INVALID", messages, { value: cursor.slice(0, 200) })];
  return fail("CHANGE_CURSOR_INVALID", { issues });
}
