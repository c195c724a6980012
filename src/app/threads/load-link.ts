/**
 * How the search thread has questions answered by the loader thread: over a channel of their own, so that large answers
 * do not pass through the thread that answers HTTP.
 */
import type { MessagePort } from "node:worker_threads";
import { fail } from "../../core/errors.js";
import type { ScanLoader } from "../composition/open-engines.js";
import { type Caller, makeCaller } from "../rpc/caller.js";
import { type AnswerMessage, makeAnswerer, type RequestMessage, runHandlers } from "../rpc/rpc.js";

/** The asking side. */
interface LoadLink {
  /** Answers come over this port from now on; what waits for another one is asked again here. */
  connect(port: MessagePort): void;
  /** @throws what the other side threw; STORE_UNAVAILABLE when it is gone */
  readonly load: ScanLoader;
}

/** A question that was being answered when the other side died is asked this often. */
const ATTEMPTS = 2;

/** How long a question waits for another side. */
const CONNECT_MS = 5_000;

/** How long an answer may take: searches wait less, and values that are read for them are kept. */
const LOAD_MS = 15 * 60_000;

/** @param connectMs how long a question waits while nobody is there to answer it */
export function makeLoadLink(connectMs = CONNECT_MS): LoadLink {
  let caller: Caller | undefined;
  let waiting: (() => void)[] = [];
  const lost = fail("STORE_UNAVAILABLE", { reason: "the loader thread stopped" });

  const call = async (args: Parameters<ScanLoader>, attempts: number): ReturnType<ScanLoader> => {
    if (caller === undefined) await until(connectMs, (done) => waiting.push(done));
    // Nothing may be awaited between this look and the call: the side that is there may be gone then.
    if (caller === undefined) throw fail("STORE_UNAVAILABLE", { reason: "the loader thread is restarting" });
    try {
      return (await caller.call("answer", args)) as Awaited<ReturnType<ScanLoader>>;
    } catch (error) {
      if (error !== lost || attempts === 1) throw error;
      return await call(args, attempts - 1);
    }
  };
  return {
    connect(port) {
      const before = caller;
      const now = makeCaller((message) => port.postMessage(message), {
        name: "the loader thread",
        callMs: () => LOAD_MS,
      });
      port.on("message", (message: AnswerMessage) => now.receive(message));
      port.on("messageerror", now.probe);
      port.on("close", () => {
        if (caller === now) caller = undefined;
        now.dropAll(lost);
      });
      // What keeps a thread alive is the port to its parent.
      port.unref();
      caller = now;
      before?.dropAll(lost);
      for (const done of waiting) done();
      waiting = [];
    },
    load: (...args) => call(args, ATTEMPTS),
  };
}

/** Waits until `done` is called, at most so long. */
function until(limitMs: number, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The answering side: what it sends is handed over, not copied. */
export function answerLoads(port: MessagePort, load: ScanLoader): void {
  const answerer = makeAnswerer(runHandlers({ answer: load }), (answer, transfer) =>
    port.postMessage(answer, transfer),
  );
  port.on("message", (message: RequestMessage) => answerer.receive(message));
  port.on("messageerror", answerer.noteUnread);
  port.unref();
}
