/** The worker's side of `workers.ts`. */
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { BackgroundReporter } from "../../core/background.js";
import { makeReporter } from "../monitoring/background-reports.js";
import { type Handlers, makeAnswerer, packError, runHandlers } from "../rpc/rpc.js";
import type { FromWorker, ToWorker } from "./workers.js";

/**
 * Nice value of threads with long work. The kernel gives a thread of the default priority about three times as much
 * time, so that the threads which answer requests do not wait for them if all processors are busy.
 */
const LONG_WORK_NICE = 5;

/**
 * Lowers the priority of the calling thread, where the system gives threads their own: on Linux. Without the right to
 * do so (a filter of system calls), the priority stays as it is.
 */
export function yieldToRequests(): void {
  try {
    const thread = Number(basename(readlinkSync("/proc/thread-self")));
    setPriority(thread, LONG_WORK_NICE);
  } catch {
    // Then the threads share the processors equally.
  }
}

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
