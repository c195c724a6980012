/** Calls from one thread to another over a channel of their own (see `linkThreads`). */
import type { MessagePort } from "node:worker_threads";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { type Caller, makeCaller } from "./caller.js";
import { type AnswerMessage, type Handlers, makeAnswerer, type RequestMessage, runHandlers } from "./rpc.js";

/** The calling side. */
interface CallLink {
  /** Calls go over this port from now on. */
  connect(port: MessagePort): void;
  /** @throws what the function threw; STORE_UNAVAILABLE while nobody is there, or when it went meanwhile */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
}

/** @param name of the other side, for messages: "the writer" */
export function makeCallLink(name: string): CallLink {
  let caller: Caller | undefined;
  const gone = fail("STORE_UNAVAILABLE", { reason: `${name} is not available` });
  return {
    connect(port) {
      const callMs = (): number => LIMITS.writeMsMax;
      const now = makeCaller((message) => port.postMessage(message), { name, callMs });
      port.on("message", (message: AnswerMessage) => now.receive(message));
      port.on("messageerror", now.probe);
      port.on("close", () => {
        if (caller === now) caller = undefined;
        now.dropAll(gone);
      });
      // What keeps a thread alive is the port to its parent.
      port.unref();
      caller?.dropAll(gone);
      caller = now;
    },
    call: (fn, args) => (caller === undefined ? Promise.reject(gone) : caller.call(fn, args)),
  };
}

/** The answering side. */
export function answerCalls(port: MessagePort, handlers: Handlers): void {
  const answerer = makeAnswerer(runHandlers(handlers), (answer, transfer) => port.postMessage(answer, transfer));
  port.on("message", (message: RequestMessage) => answerer.receive(message));
  port.on("messageerror", answerer.noteUnread);
  port.unref();
}
