/** The worker's side of `workers.ts`. */
import { type MessagePort, parentPort } from "node:worker_threads";
import type { BackgroundReporter } from "../../core/background.js";
import { makeReporter } from "../monitoring/background-reports.js";
import { answer, type Handlers, packError } from "../rpc/rpc.js";
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
  port.on("message", async (message: ToWorker) => {
    if (message.kind === "close") {
      await served.close();
      return port.close();
    }
    if (message.kind === "connect") return served.connect?.(message.port);
    await answer(served.handlers, message.call, (reply, transfer) => say({ kind: "reply", reply }, transfer));
  });
  say({ kind: "ready" });
}
