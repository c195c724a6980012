import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import type { Registry } from "prom-client";
import type { Config } from "../../config/schema.js";
import type { ServiceState } from "../../core/background.js";
import { joinMetrics } from "../monitoring/metrics.js";
import { type AnswerMessage, makeAnswerer, type RequestMessage } from "../rpc/rpc.js";
import type { Setup } from "../threads/start-threads.js";
import { supervise } from "../threads/supervise.js";
import type { ThreadData } from "../threads/thread-data.js";
import type { FromWorker, Remote, Running, ToWorker } from "../threads/workers.js";
import { onMessages, sendMessage } from "./process-channel.js";
import { DRAIN_MS, findFreePort } from "./serve-http.js";

/** What a process that answers HTTP sends: also that it listens to messages, and what it wants to have written. */
export type FromProcess =
  | FromWorker
  | { readonly kind: "listening" }
  | { readonly kind: "write"; readonly request: RequestMessage }
  /** A message arrived that cannot be read. */
  | { readonly kind: "unread" };

export type ToProcess =
  | ToWorker
  | { readonly kind: "start"; readonly data: ThreadData }
  | { readonly kind: "written"; readonly answer: AnswerMessage };

/** Name of the call that asks for the metrics of all processes. */
export const ALL_METRICS = "all metrics";

/** Name of the call that asks what is known of the whole service. */
export const SERVICE_STATE = "service state";

/** What a process holds is closed after its last connection is cut. */
const CLOSE_MS = DRAIN_MS + 10_000;

/**
 * Starts the processes that answer HTTP, all on one port. This one has the only writer: what is to be written comes
 * here. A process that dies is started again.
 *
 * @returns the port
 * @throws what stopped the start of the first that failed
 */
export async function startProcesses(setup: Setup, first: Kept): Promise<number> {
  const { config, catalog, logger, reports, closers } = setup;
  const { writer, registry, state } = first;
  const port = config.port === 0 ? await findFreePort(config.host) : config.port;
  const data: ThreadData = { config: shareOf(config, port), catalog };
  // Each process accepts for itself: a connection that is handed to one that has just died would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: fileURLToPath(new URL("./serving-process.js", import.meta.url)),
    args: [],
    serialization: "advanced",
  });
  const metrics = async (): Promise<string> => {
    const running = remotes.filter((remote) => remote.isReady());
    // A process that does not answer is missing, and is counted as away.
    const answers = await Promise.allSettled(running.map((remote) => remote.call("metrics", [])));
    const all = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    return joinMetrics([...all, await registry.getMetricsAsJSON()] as Parameters<typeof joinMetrics>[0]);
  };
  const remotes: readonly Remote[] = Array.from({ length: config.workers }, (_, i) =>
    supervise({
      name: `process ${i + 1}`,
      logger,
      reports,
      closeMs: CLOSE_MS,
      callMs: () => METRICS_MS,
      spawn: () => runProcess(data, { writer, metrics, state }),
    }),
  );
  closers.push(() => Promise.all(remotes.map((remote) => remote.close())));
  await Promise.all(remotes.map(({ started }) => started));
  return port;
}

/** How long a process may take to say its metrics, in milliseconds. */
const METRICS_MS = 5_000;

/** What the first process has from its start. */
interface Kept {
  readonly writer: Remote;
  /** Its own metrics. */
  readonly registry: Registry;
  state(): ServiceState;
}

/** What only the first process has. */
interface First extends Pick<Kept, "writer" | "state"> {
  /** The metrics of all processes. */
  metrics(): Promise<string>;
}

/** The settings of one of the processes: together they keep no more in memory than the whole may. */
function shareOf(config: Config, port: number): Config {
  return { ...config, port, cacheMb: Math.floor(config.cacheMb / config.workers), workers: 1 };
}

function runProcess(data: ThreadData, first: First): Running {
  const worker = cluster.fork();
  const send = (message: ToProcess): void => void (worker.isConnected() && sendMessage(worker, message));
  const answerer = makeAnswerer(
    (name, args) => callOf(first, name, args),
    (answer) => send({ kind: "written", answer }),
  );
  let isListening = false;
  const unreadListeners: (() => void)[] = [];
  const onUnread = (): void => {
    answerer.noteUnread();
    for (const listener of unreadListeners) listener();
  };
  return {
    // Who does not listen yet holds nothing that it must close.
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

async function callOf({ writer, metrics, state }: First, name: string, args: readonly unknown[]): Promise<unknown> {
  if (name === ALL_METRICS) return metrics();
  if (name === SERVICE_STATE) return state();
  return writer.call(name, args);
}
