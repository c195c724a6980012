import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import type { Registry } from "prom-client";
import type { Config } from "../../config/schema.js";
import type { ServiceState } from "../../core/background.js";
import { joinMetrics } from "../monitoring/metrics.js";
import { type AnswerMessage, makeAnswerer, type RequestMessage } from "../rpc/rpc.js";
import type { ThreadData } from "../threads/serve-thread.js";
import type { Setup } from "../threads/start-threads.js";
import { supervise } from "../threads/supervise.js";
import type { FromWorker, SupervisedWorker, ToWorker, WorkerHandle } from "../threads/workers.js";
import { DRAIN_MS, findFreePort } from "./serve-http.js";

/** Messages of a process that answers HTTP: those of a worker, a notice that it listens, and calls to the writer. */
export type FromProcess =
  | FromWorker
  | { readonly kind: "listening" }
  | { readonly kind: "write"; readonly request: RequestMessage }
  /** An unreadable message arrived. */
  | { readonly kind: "unread" };

/** Messages to a process that answers HTTP: those to a worker, its start, and replies of the writer. */
export type ToProcess =
  | ToWorker
  | { readonly kind: "start"; readonly data: ThreadData }
  | { readonly kind: "written"; readonly answer: AnswerMessage };

/** Name of the call that returns the metrics of all processes. */
export const ALL_METRICS = "all metrics";

/** Name of the call that returns the state of the whole service. */
export const SERVICE_STATE = "service state";

/** Time for a process to close, in milliseconds. It closes its other parts after its last connection is cut. */
const CLOSE_MS = DRAIN_MS + 10_000;

/**
 * Starts the processes that answer HTTP, all on one port. This process has the only writer, to which the others send
 * their writes. A process that ends is replaced.
 *
 * @returns the port
 * @throws the error of the first process that cannot start
 */
export async function startProcesses(setup: Setup, first: FirstProcess): Promise<number> {
  const { config, catalog, logger, reports, closers } = setup;
  const { writer, registry, state } = first;
  const port = config.port === 0 ? await findFreePort(config.host) : config.port;
  const data: ThreadData = { config: processConfig(config, port), catalog };
  // Each process accepts its own connections, because a connection that is passed to an ended process would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: fileURLToPath(new URL("./serving-process.js", import.meta.url)),
    args: [],
    serialization: "advanced",
  });
  const metrics = async (): Promise<string> => {
    const readyProcesses = processes.filter((worker) => worker.isReady());
    // The metrics of a process that does not answer are missing. Its late call is counted.
    const answers = await Promise.allSettled(readyProcesses.map((worker) => worker.call("metrics", [])));
    const metricsOfProcesses = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    return joinMetrics([...metricsOfProcesses, await registry.getMetricsAsJSON()] as Parameters<typeof joinMetrics>[0]);
  };
  const processes: readonly SupervisedWorker[] = Array.from({ length: config.workers }, (_, i) =>
    supervise({
      name: `process ${i + 1}`,
      logger,
      reports,
      closeMs: CLOSE_MS,
      callMs: () => METRICS_MS,
      spawn: () => runProcess(data, { writer, metrics, state }),
    }),
  );
  closers.push(() => Promise.all(processes.map((worker) => worker.close())));
  await Promise.all(processes.map(({ started }) => started));
  return port;
}

/** Time limit for a process to return its metrics, in milliseconds. */
const METRICS_MS = 5_000;

/** The parts of the first process. */
interface FirstProcess {
  readonly writer: SupervisedWorker;
  /** The metrics of the first process. */
  readonly registry: Registry;
  state(): ServiceState;
}

/** Targets of the calls that the other processes make. */
interface CallTargets extends Pick<FirstProcess, "writer" | "state"> {
  /** Returns the metrics of all processes. */
  metrics(): Promise<string>;
}

/** Returns the settings of one process. Its share of the cache is such that all processes respect the total. */
function processConfig(config: Config, port: number): Config {
  return { ...config, port, cacheMb: Math.floor(config.cacheMb / config.workers), workers: 1 };
}

function runProcess(data: ThreadData, targets: CallTargets): WorkerHandle {
  const worker = cluster.fork();
  const send = (message: ToProcess): void => void (worker.isConnected() && sendMessage(worker, message));
  const answerer = makeAnswerer(
    (name, args) => runCall(targets, name, args),
    (answer) => send({ kind: "written", answer }),
  );
  let isListening = false;
  const unreadListeners: (() => void)[] = [];
  const onUnread = (): void => {
    answerer.noteUnread();
    for (const listener of unreadListeners) listener();
  };
  return {
    // A process that does not listen yet has nothing to close.
    post: (message) => void (message.kind === "close" && !isListening ? kill(worker) : send(message)),
    onMessage: (listener) => {
      const receive = (message: FromProcess): void => {
        if (message.kind === "listening") {
          isListening = true;
          send({ kind: "start", data });
        } else if (message.kind === "unread") onUnread();
        else if (message.kind === "write") answerer.receive(message.request);
        else listener(message);
      };
      onMessages(worker, receive, onUnread);
    },
    onUnread: (listener) => void unreadListeners.push(listener),
    onError: (listener) => void worker.on("error", listener),
    onExit: (listener) => void worker.on("exit", listener),
    kill: () => void kill(worker),
  };
}

const kill = (worker: Worker): boolean => worker.process.kill("SIGKILL");

async function runCall(
  { writer, metrics, state }: CallTargets,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  if (name === ALL_METRICS) return metrics();
  if (name === SERVICE_STATE) return state();
  return writer.call(name, args);
}

/**
 * The process at the other end of a channel. Messages are sent as bytes, which can always be read: Node ends a process
 * that receives an unreadable message (one that nests too deep).
 */
interface Peer {
  send?(bytes: Buffer, done: (error: Error | null) => void): unknown;
  on(event: "message", listener: (bytes: Uint8Array) => void): unknown;
}

/**
 * Sends a message. A message to a process that has just ended is lost.
 *
 * @param done called once the message is sent
 * @throws if the message cannot be cloned
 */
export function sendMessage<Message>(peer: Peer, message: Message, done: () => void = () => undefined): void {
  peer.send?.(serialize(message), done);
}

/** Calls `listener` for each message. @param onUnread called when an unreadable message arrives */
export function onMessages<Message>(peer: Peer, listener: (message: Message) => void, onUnread: () => void): void {
  peer.on("message", (bytes) => {
    let message: Message;
    try {
      message = deserialize(bytes) as Message;
    } catch {
      return onUnread();
    }
    listener(message);
  });
}
