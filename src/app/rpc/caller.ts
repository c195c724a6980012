/** The calling side of a channel to another thread or process. Every call ends, even if the other side is silent. */
import type { ThreadEnd } from "../../core/background.js";
import { fail } from "../../core/errors.js";
import { type AnswerMessage, type RequestMessage, unpackError } from "./rpc.js";

/** The cause of the STORE_UNAVAILABLE with which a call without an answer fails. */
export class CallEnd extends Error {
  constructor(readonly reason: ThreadEnd) {
    super(`The call was ended (${reason}).`);
  }
}

/** Limits of the calls that wait for one thread. */
export interface Backlog {
  readonly calls: number;
  /** Total length of all strings and byte arrays among the arguments, in UTF-16 units and bytes. */
  readonly textLength: number;
}

/** The default backlog. Requests above it are answered 503. */
const BACKLOG: Backlog = { calls: 1_000, textLength: 64 * 1024 * 1024 };

/** The calling side of a channel to another thread or process. */
export interface Caller {
  /**
   * @returns the result of the function on the other thread
   * @throws the error of the function; STORE_UNAVAILABLE if the backlog is full, if the call exceeds its time limit, or
   *   if the thread ends
   */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  receive(message: AnswerMessage): void;
  /** Probes the other side. Calls that it neither runs nor has answered then fail as lost. */
  probe(): void;
  /** Returns the number of calls that wait for an answer. */
  waiting(): number;
  /** Fails all calls that wait for an answer. */
  dropAll(error: Error): void;
}

interface CallerOptions {
  /** Name of the other side, for messages: "the search thread". */
  readonly name: string;
  readonly backlog?: Backlog | undefined;
  /** Returns the time limit for a call of a function, in milliseconds; infinity for no limit. */
  callMs(name: string): number;
  /** Called for each call that exceeded its time limit. */
  onExpired?(name: string): void;
}

/** Interval at which the time limits of calls are checked, in milliseconds. */
const SWEEP_MS = 250;

interface WaitingCall {
  readonly name: string;
  readonly textLength: number;
  /** Number of sweeps until the call expires. */
  sweepsLeft: number;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** @param post sends a message to the other thread or process */
export function makeCaller(post: (message: RequestMessage) => void, options: CallerOptions): Caller {
  const { name: callee, backlog = BACKLOG, callMs, onExpired } = options;
  const waiting = new Map<number, WaitingCall>();
  let lastId = 0;
  let textLength = 0;
  let sweepTimer: NodeJS.Timeout | undefined;

  const takeCall = (id: number): WaitingCall | undefined => {
    const call = waiting.get(id);
    if (call !== undefined) textLength -= call.textLength;
    waiting.delete(id);
    return call;
  };
  // Counts sweeps and not time: if this thread was stopped, the other side is not to blame for late answers.
  const sweep = (): void => {
    for (const [id, call] of waiting) {
      if (--call.sweepsLeft >= 0) continue;
      takeCall(id);
      const reason = `${callee} did not answer in time`;
      call.reject(fail("STORE_UNAVAILABLE", { reason }, new CallEnd("late")));
      onExpired?.(call.name);
    }
    if (waiting.size > 0) return;
    clearInterval(sweepTimer);
    sweepTimer = undefined;
  };
  const failLost = (lastProbed: number, running: readonly number[]): void => {
    const runningIds = new Set(running);
    for (const [id, call] of waiting) {
      if (id > lastProbed || runningIds.has(id)) continue;
      takeCall(id);
      call.reject(new Error(`A call of "${call.name}" of ${callee}, or its answer, cannot be read: too deep?`));
    }
  };
  return {
    call(name, args) {
      const length = args.reduce<number>(
        (sum, arg) => sum + (typeof arg === "string" || arg instanceof Uint8Array ? arg.length : 0),
        0,
      );
      // A single call is always sent, however large: the edge limits its size.
      if (waiting.size >= backlog.calls || (waiting.size > 0 && textLength + length > backlog.textLength)) {
        return Promise.reject(fail("STORE_UNAVAILABLE", { reason: "too many requests are waiting" }));
      }
      return new Promise((resolve, reject) => {
        const id = lastId + 1;
        post({ id, name, args });
        lastId = id;
        waiting.set(id, { name, textLength: length, sweepsLeft: Math.ceil(callMs(name) / SWEEP_MS), resolve, reject });
        textLength += length;
        sweepTimer ??= setInterval(sweep, SWEEP_MS).unref();
      });
    },
    probe: () => post({ probe: lastId }),
    receive(message) {
      if ("isUnread" in message) post({ probe: lastId });
      else if ("running" in message) failLost(message.probe, message.running);
      else {
        const call = takeCall(message.id);
        if ("error" in message) call?.reject(unpackError(message.error));
        else call?.resolve(message.result);
      }
    },
    waiting: () => waiting.size,
    dropAll(error) {
      for (const id of [...waiting.keys()]) takeCall(id)?.reject(error);
    },
  };
}
