/** The worker's side of `workers.ts`. */
import { type MessagePort, parentPort } from "node:worker_threads";
import type { BackgroundReporter } from "../../core/background.js";
import { makeReporter } from "../monitoring/background-reports.js";
import { type Handlers, makeAnswerer, packError, runHandlers } from "../rpc/rpc.js";
import type { FromWorker, ToWorker } from "./workers.js";

/** What a thread holds open, and what it offers. */
export interface Served {
  readonly handlers: Handlers;
  /** Takes a channel to another thread. */
  connect?(port: MessagePort): void;
  close(): Promise<void>;
}

/**
 * Opens what this worker thread serves, says that it is ready (or why it cannot be), and answers calls until told.
 *
 * @param open gets what to tell of background work
 */
export async function serveThread(open: (background: BackgroundReporter) => Promise<Served>): Promise<void> {
  const port = parentPort as MessagePort;
  const say = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
  let served: Served;
  try {
    served = await open(makeReporter((report) => say({ kind: "background", report })));
  } catch (error) {
    say({ kind: "failed", error: packError(error) });
    return port.close();
  }
  const answerer = makeAnswerer(runHandlers(served.handlers), (answer, transfer) =>
    say({ kind: "answer", answer }, transfer),
  );
  port.on("messageerror", answerer.noteUnread);
  port.on("message", async (message: ToWorker) => {
    if (message.kind === "close") {
      await served.close();
      return port.close();
    }
    if (message.kind === "connect") return served.connect?.(message.port);
    answerer.receive(message.request);
  });
  say({ kind: "ready" });
}
