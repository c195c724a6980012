/** The calling side of a channel to another thread or process: every call ends, whatever becomes of the other side. */
import type { ThreadEnd } from "../../core/background.js";
import { fail } from "../../core/errors.js";
import { type AnswerMessage, type RequestMessage, unpackError } from "./rpc.js";

/** Why a call has no answer: the cause of its STORE_UNAVAILABLE. */
export class CallEnd extends Error {
  constructor(readonly reason: ThreadEnd) {
    super(`The call was ended (${reason}).`);
  }
}

/** How much may wait for one thread. */
export interface Backlog {
  readonly calls: number;
  /** Sum of the lengths of all texts and bytes among the arguments, in UTF-16 units and bytes. */
  readonly textLength: number;
}

/** The usual backlog. Requests above it are answered 503. */
const BACKLOG: Backlog = { calls: 1_000, textLength: 64 * 1024 * 1024 };

export interface Caller {
  /**
   * @returns what the function on the other thread returned
   * @throws what it threw; STORE_UNAVAILABLE when too much waits already, when the call takes longer than it may, or
   *   when the thread ended meanwhile
   */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  receive(message: AnswerMessage): void;
  /** Asks for a sign of life; calls that the other side does not know, and has not answered, then fail as lost. */
  probe(): void;
  /** Calls that wait for their answer. */
  waiting(): number;
  /** Fails all calls that wait. */
  dropAll(error: Error): void;
}

interface CallerOptions {
  /** Name of the other side, for messages: "search". */
  readonly name: string;
  readonly backlog?: Backlog | undefined;
  /** How long a call of a function may take, in milliseconds; infinite for one without an end. */
  callMs(name: string): number;
  /** Hears of each call that took longer. */
  onExpired?(name: string): void;
}

/** How often the ends of calls are looked at, in milliseconds. */
const SWEEP_MS = 250;

interface WaitingCall {
  readonly name: string;
  readonly textLength: number;
  /** Sweeps until the call expires. */
  sweepsLeft: number;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** @param post sends a message to the other side */
export function makeCaller(post: (message: RequestMessage) => void, options: CallerOptions): Caller {
  const { name: callee, backlog = BACKLOG, callMs, onExpired } = options;
  const waiting = new Map<number, WaitingCall>();
  let lastId = 0;
  let textLength = 0;
  let sweeping: NodeJS.Timeout | undefined;

  const take = (id: number): WaitingCall | undefined => {
    const call = waiting.get(id);
    if (call !== undefined) textLength -= call.textLength;
    waiting.delete(id);
    return call;
  };
  // Counts sweeps and not time: a thread that was stopped itself must not blame the other side for it.
  const sweep = (): void => {
    for (const [id, call] of waiting) {
      if (--call.sweepsLeft >= 0) continue;
      take(id);
      const reason = `${callee} did not answer in time`;
      call.reject(fail("STORE_UNAVAILABLE", { reason }, new CallEnd("late")));
      onExpired?.(call.name);
    }
    if (waiting.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  };
  const failLost = (lastProbed: number, running: readonly number[]): void => {
    const known = new Set(running);
    for (const [id, call] of waiting) {
      if (id > lastProbed || known.has(id)) continue;
      take(id);
      call.reject(new Error(`A call of "${call.name}" of ${callee}, or its answer, cannot be read: too deep?`));
    }
  };
  return {
    call(name, args) {
      const length = args.reduce<number>(
        (sum, arg) => sum + (typeof arg === "string" || arg instanceof Uint8Array ? arg.length : 0),
        0,
      );
      // One call always goes, however large: what it may be is decided at the edge.
      if (waiting.size >= backlog.calls || (waiting.size > 0 && textLength + length > backlog.textLength)) {
        return Promise.reject(fail("STORE_UNAVAILABLE", { reason: "too many requests are waiting" }));
      }
      return new Promise((resolve, reject) => {
        const id = lastId + 1;
        post({ id, name, args });
        lastId = id;
        waiting.set(id, { name, textLength: length, sweepsLeft: Math.ceil(callMs(name) / SWEEP_MS), resolve, reject });
        textLength += length;
        sweeping ??= setInterval(sweep, SWEEP_MS).unref();
      });
    },
    probe: () => post({ probe: lastId }),
    receive(message) {
      if ("isUnread" in message) post({ probe: lastId });
      else if ("running" in message) failLost(message.probe, message.running);
      else {
        const call = take(message.id);
        if ("error" in message) call?.reject(unpackError(message.error));
        else call?.resolve(message.result);
      }
    },
    waiting: () => waiting.size,
    dropAll(error) {
      for (const id of [...waiting.keys()]) take(id)?.reject(error);
    },
  };
}
