/**
 * Questions of the search thread to the loader thread. They have a separate channel, so that large answers do not pass
 * through the thread that answers HTTP.
 */
import type { MessagePort } from "node:worker_threads";
import { fail } from "../../core/errors.js";
import type { ScanLoader } from "../composition/open-engines.js";
import { type Caller, makeCaller } from "../rpc/caller.js";
import { type AnswerMessage, makeAnswerer, type RequestMessage, runHandlers } from "../rpc/rpc.js";

/** The side that asks. */
interface LoadLink {
  /** Uses this port for all further questions, and asks those without an answer again. */
  connect(port: MessagePort): void;
  /** @throws the error of the loader thread; STORE_UNAVAILABLE if it is not connected */
  readonly load: ScanLoader;
}

/** Maximum number of times that a question is asked if the loader thread ends before it answers. */
const ATTEMPTS = 2;

/** Time that a question waits for a connection, in milliseconds. */
const CONNECT_MS = 5_000;

/** Time limit of an answer, in milliseconds. Searches wait less, but a late answer still fills the cache. */
const LOAD_MS = 15 * 60_000;

/** @param connectMs time that a question waits while no loader thread is connected, in milliseconds */
export function makeLoadLink(connectMs = CONNECT_MS): LoadLink {
  let caller: Caller | undefined;
  let connectListeners: (() => void)[] = [];
  const connectionLost = fail("STORE_UNAVAILABLE", { reason: "the loader thread stopped" });

  const call = async (args: Parameters<ScanLoader>, attempts: number): ReturnType<ScanLoader> => {
    if (caller === undefined) await waitUntil(connectMs, (done) => connectListeners.push(done));
    // Do not await anything between this check and the call: the connection may be lost meanwhile.
    if (caller === undefined) throw fail("STORE_UNAVAILABLE", { reason: "the loader thread is restarting" });
    try {
      return (await caller.call("answer", args)) as Awaited<ReturnType<ScanLoader>>;
    } catch (error) {
      if (error !== connectionLost || attempts === 1) throw error;
      return await call(args, attempts - 1);
    }
  };
  return {
    connect(port) {
      const previousCaller = caller;
      const newCaller = makeCaller((message) => port.postMessage(message), {
        name: "the loader thread",
        callMs: () => LOAD_MS,
      });
      port.on("message", (message: AnswerMessage) => newCaller.receive(message));
      port.on("messageerror", newCaller.probe);
      port.on("close", () => {
        if (caller === newCaller) caller = undefined;
        newCaller.dropAll(connectionLost);
      });
      // Only the port to its parent keeps a thread alive.
      port.unref();
      caller = newCaller;
      previousCaller?.dropAll(connectionLost);
      for (const done of connectListeners) done();
      connectListeners = [];
    },
    load: (...args) => call(args, ATTEMPTS),
  };
}

/** Waits until `done` is called, for at most `limitMs` milliseconds. */
function waitUntil(limitMs: number, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Answers the questions that arrive on a port. Typed arrays in answers are transferred, not copied. */
export function answerLoads(port: MessagePort, load: ScanLoader): void {
  const answerer = makeAnswerer(runHandlers({ answer: load }), (answer, transfer) =>
    port.postMessage(answer, transfer),
  );
  port.on("message", (message: RequestMessage) => answerer.receive(message));
  port.on("messageerror", answerer.noteUnread);
  port.unref();
}
