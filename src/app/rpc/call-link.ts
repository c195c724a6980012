/** Calls from one thread to another over a separate channel (see `linkThreads`). */
import type { MessagePort } from "node:worker_threads";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { type Caller, makeCaller } from "./caller.js";
import { type AnswerMessage, type Handlers, makeAnswerer, type RequestMessage, runHandlers } from "./rpc.js";

/** The calling side. */
interface CallLink {
  /** Uses this port for all further calls. */
  connect(port: MessagePort): void;
  /** @throws the error of the function; STORE_UNAVAILABLE if the other thread is not connected or disconnects */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
}

/** @param name name of the other thread, for messages: "the writer" */
export function makeCallLink(name: string): CallLink {
  let caller: Caller | undefined;
  const unavailable = fail("STORE_UNAVAILABLE", { reason: `${name} is not available` });
  return {
    connect(port) {
      const callMs = (): number => LIMITS.writeMsMax;
      const newCaller = makeCaller((message) => port.postMessage(message), { name, callMs });
      port.on("message", (message: AnswerMessage) => newCaller.receive(message));
      port.on("messageerror", newCaller.probe);
      port.on("close", () => {
        if (caller === newCaller) caller = undefined;
        newCaller.dropAll(unavailable);
      });
      // Only the port to its parent keeps a thread alive.
      port.unref();
      caller?.dropAll(unavailable);
      caller = newCaller;
    },
    call: (fn, args) => (caller === undefined ? Promise.reject(unavailable) : caller.call(fn, args)),
  };
}

/** Answers the calls that arrive on a port. */
export function answerCalls(port: MessagePort, handlers: Handlers): void {
  const answerer = makeAnswerer(runHandlers(handlers), (answer, transfer) => port.postMessage(answer, transfer));
  port.on("message", (message: RequestMessage) => answerer.receive(message));
  port.on("messageerror", answerer.noteUnread);
  port.unref();
}
