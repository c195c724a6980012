/** The side of `workers.ts` that runs in the worker thread. */
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { Config } from "../../config/schema.js";
import type { BackgroundReporter } from "../../core/background.js";
import type { Catalog } from "../../core/catalog/types.js";
import { makeReporter } from "../monitoring/background-reports.js";
import { type Handlers, makeAnswerer, packError, runHandlers } from "../rpc/rpc.js";
import type { FromWorker, ToWorker } from "./workers.js";

/** Data with which a thread starts. All threads have the catalog that the server read at its start. */
export interface ThreadData {
  readonly config: Config;
  readonly catalog: Catalog;
}

/**
 * Nice value of threads with long work. The kernel gives a thread of the default priority about three times as much
 * processor time, so that threads which answer requests do not wait for long work if all processors are busy.
 */
const LONG_WORK_NICE = 5;

/**
 * Lowers the priority of the calling thread on Linux, where each thread has its own priority. If the system denies this
 * (by a filter of system calls), the priority stays unchanged.
 */
export function yieldToRequests(): void {
  try {
    const thread = Number(basename(readlinkSync("/proc/thread-self")));
    setPriority(thread, LONG_WORK_NICE);
  } catch {
    // The threads then share the processors equally.
  }
}

/** The functions that a thread offers, and how it closes its resources. */
interface ThreadServices {
  readonly handlers: Handlers;
  /** Takes a channel to another thread. */
  readonly connect?: ((port: MessagePort) => void) | undefined;
  close(): Promise<void>;
}

/**
 * Opens the services of this worker thread, reports that it is ready (or why it cannot start), and answers calls until
 * it receives `close`.
 *
 * @param open opens the services; its argument receives the outcomes of background work
 */
export async function serveThread(open: (background: BackgroundReporter) => Promise<ThreadServices>): Promise<void> {
  const port = parentPort as MessagePort;
  const post = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
  let services: ThreadServices;
  try {
    services = await open(makeReporter((report) => post({ kind: "background", report })));
  } catch (error) {
    post({ kind: "failed", error: packError(error) });
    return port.close();
  }
  const answerer = makeAnswerer(runHandlers(services.handlers), (answer, transfer) =>
    post({ kind: "answer", answer }, transfer),
  );
  port.on("messageerror", answerer.noteUnread);
  port.on("message", async (message: ToWorker) => {
    if (message.kind === "close") {
      await services.close();
      return port.close();
    }
    if (message.kind === "connect") return services.connect?.(message.port);
    answerer.receive(message.request);
  });
  post({ kind: "ready" });
}
