/** Calls from one thread to another over a channel of their own (see `linkThreads`). */
import type { MessagePort } from "node:worker_threads";
import { fail } from "../../core/errors.js";
import {
  answer,
  type Backlog,
  type Caller,
  type CallMessage,
  type Handlers,
  makeCaller,
  type ReplyMessage,
} from "./rpc.js";

/** The calling side. */
export interface CallLink {
  /** Calls go over this port from now on. */
  connect(port: MessagePort): void;
  /** @throws what the function threw; STORE_UNAVAILABLE while nobody is there, or when it went meanwhile */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
}

const BACKLOG: Backlog = { calls: 1_000, textLength: 64 * 1024 * 1024 };

/** @param name of the other side, for messages: "the writer" */
export function makeCallLink(name: string): CallLink {
  let caller: Caller | undefined;
  const gone = fail("STORE_UNAVAILABLE", { reason: `${name} is not available` });
  return {
    connect(port) {
      const now = makeCaller((message) => port.postMessage(message), BACKLOG);
      port.on("message", (reply: ReplyMessage) => now.receive(reply));
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
  port.on("message", (call: CallMessage) =>
    answer(handlers, call, (reply, transfer) => port.postMessage(reply, transfer)),
  );
  port.unref();
}
