/** The worker's side of `workers.ts`. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { BackgroundReporter } from "../../core/background.js";
import { makeReporter } from "../monitoring/background-reports.js";
import { type Batch, makeBatch } from "../rpc/batch.js";
import { answer, type CallMessage, type Handlers, packError, type ReplyMessage } from "../rpc/rpc.js";
import type { FromWorker, ToWorker } from "./workers.js";

/** What a thread holds open, and what it offers. */
export interface Served {
  readonly handlers: Handlers;
  /** Takes a channel to another thread. */
  connect?(port: MessagePort): void;
  close(): Promise<void>;
}

/** A reply that waits for so long is sent before the next call begins, which may take longer. */
const REPLY_WAIT_MS = 0.5;

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
  const replies = makeReplies(say);
  const reply = (message: ReplyMessage, transfer: readonly ArrayBuffer[]): void => replies.add({ message, transfer });
  const begin = (call: CallMessage): void => {
    replies.flush(REPLY_WAIT_MS);
    void answer(served.handlers, call, reply);
  };
  port.on("message", async (message: ToWorker) => {
    if (message.kind === "close") {
      await nextTurn(); // Calls that came before begin before.
      await served.close();
      replies.flush();
      return port.close();
    }
    if (message.kind === "connect") return served.connect?.(message.port);
    for (const call of message.calls) setImmediate(begin, call);
  });
  say({ kind: "ready" });
}

/** A reply with the memory that is handed over with it. */
interface Reply {
  readonly message: ReplyMessage;
  readonly transfer: readonly ArrayBuffer[];
}

/** What cannot be sent is an error for its caller. */
function makeReplies(say: (message: FromWorker, transfer?: ArrayBuffer[]) => void): Batch<Reply> {
  return makeBatch<Reply>(
    (batch) => {
      const replies = batch.map(({ message }) => message);
      say(
        { kind: "replies", replies },
        batch.flatMap(({ transfer }) => transfer),
      );
    },
    ({ message: { id } }, error) => say({ kind: "replies", replies: [{ id, error: packError(error) }] }),
  );
}
