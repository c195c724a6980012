/** Calls from one thread to another over a separate channel (see `linkThreads`). */
import type { MessagePort } from "node:worker_threads";
import { fail } from "../../core/errors.js";
import { type Caller, makeCaller } from "./caller.js";
import { type AnswerMessage, type Handlers, makeAnswerer, type RequestMessage, runHandlers } from "./rpc.js";

/** The calling side. */
interface CallLink {
  /** Uses this port for all further calls. Calls without an answer are repeated if they have attempts left. */
  connect(port: MessagePort): void;
  /** @throws the error of the function; STORE_UNAVAILABLE if the other thread is not connected or disconnects */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
}

interface LinkOptions {
  /** Time limit of an answer, in milliseconds. */
  readonly callMs: number;
  /** Time that a call waits while no thread is connected, in milliseconds. By default it fails at once. */
  readonly connectMs?: number;
  /**
   * Maximum number of times that a call is sent if the other thread ends before it answers. More than 1 is only for
   * functions that change nothing.
   */
  readonly attempts?: number;
}

/**
 * Makes the calling side of a channel that is replaced when the other thread is replaced.
 * @param name name of the other thread, for messages: "the writer"
 */
export function makeCallLink(name: string, { callMs, connectMs = 0, attempts = 1 }: LinkOptions): CallLink {
  let caller: Caller | undefined;
  let connectListeners: (() => void)[] = [];
  const unavailable = fail("STORE_UNAVAILABLE", { reason: `${name} is not available` });

  const call = async (fn: string, args: readonly unknown[], attemptsLeft: number): Promise<unknown> => {
    if (caller === undefined) await waitUntil(connectMs, (done) => connectListeners.push(done));
    // Do not await anything between this check and the call: the connection may be lost meanwhile.
    if (caller === undefined) throw unavailable;
    try {
      return await caller.call(fn, args);
    } catch (error) {
      if (error !== unavailable || attemptsLeft === 1) throw error;
      return await call(fn, args, attemptsLeft - 1);
    }
  };
  return {
    connect(port) {
      const previousCaller = caller;
      const newCaller = makeCaller((message) => port.postMessage(message), { name, callMs: () => callMs });
      port.on("message", (message: AnswerMessage) => newCaller.receive(message));
      port.on("messageerror", newCaller.probe);
      port.on("close", () => {
        if (caller === newCaller) caller = undefined;
        newCaller.dropAll(unavailable);
      });
      // Only the port to its parent keeps a thread alive.
      port.unref();
      caller = newCaller;
      previousCaller?.dropAll(unavailable);
      for (const done of connectListeners) done();
      connectListeners = [];
    },
    call: (fn, args) => call(fn, args, attempts),
  };
}

/** Waits until `done` is called, for at most `limitMs` milliseconds. */
function waitUntil(limitMs: number, begin: (done: () => void) => void): Promise<void> {
  if (limitMs === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Answers the calls that arrive on a port. Typed arrays in answers are transferred, not copied. */
export function answerCalls(port: MessagePort, handlers: Handlers): void {
  const answerer = makeAnswerer(runHandlers(handlers), (answer, transfer) => port.postMessage(answer, transfer));
  port.on("message", (message: RequestMessage) => answerer.receive(message));
  port.on("messageerror", answerer.noteUnread);
  port.unref();
}
