import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import type { Registry } from "prom-client";
import type { Config } from "../../config/schema.js";
import type { ServiceState } from "../../core/background.js";
import { joinMetrics } from "../monitoring/metrics.js";
import { type CallMessage, packError, type ReplyMessage } from "../rpc/rpc.js";
import { BACKLOG, type Setup } from "../threads/start-threads.js";
import type { ThreadData } from "../threads/thread-data.js";
import { type FromWorker, type Remote, type Running, supervise, type ToWorker } from "../threads/workers.js";
import { DRAIN_MS, findFreePort } from "./serve-http.js";

/** What a process that answers HTTP sends: also that it listens to messages, and what it wants to have written. */
export type FromProcess =
  | FromWorker
  | { readonly kind: "listening" }
  | { readonly kind: "write"; readonly call: CallMessage };

export type ToProcess =
  | ToWorker
  | { readonly kind: "start"; readonly data: ThreadData }
  | { readonly kind: "written"; readonly reply: ReplyMessage };

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
    const all = await Promise.all(running.map((remote) => remote.call("metrics", [])));
    return joinMetrics([...all, await registry.getMetricsAsJSON()] as Parameters<typeof joinMetrics>[0]);
  };
  const remotes: readonly Remote[] = Array.from({ length: config.workers }, (_, i) =>
    supervise({
      name: `process ${i + 1}`,
      logger,
      backlog: BACKLOG,
      reports,
      closeMs: CLOSE_MS,
      spawn: () => runProcess(data, { writer, metrics, state }),
    }),
  );
  closers.push(() => Promise.all(remotes.map((remote) => remote.close())));
  await Promise.all(remotes.map(({ started }) => started));
  return port;
}

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
  // What is sent to a process that has just died is lost with it.
  const send = (message: ToProcess): void => void (worker.isConnected() && worker.send(message, () => undefined));
  let isListening = false;
  return {
    // Who does not listen yet holds nothing that it must close.
    post: (message) => void (message.kind === "close" && !isListening ? kill(worker) : send(message)),
    onMessage: (listener) =>
      void worker.on("message", (message: FromProcess) => {
        if (message.kind === "listening") {
          isListening = true;
          send({ kind: "start", data });
        } else if (message.kind !== "write") listener(message);
        else void answerFor(message.call, first).then((reply) => send({ kind: "written", reply }));
      }),
    onError: (listener) => void worker.on("error", listener),
    onExit: (listener) => void worker.on("exit", listener),
    kill: () => void kill(worker),
  };
}

const kill = (worker: Worker): boolean => worker.process.kill("SIGKILL");

async function answerFor({ id, name, args }: CallMessage, first: First): Promise<ReplyMessage> {
  try {
    return { id, result: await callOf(first, name, args) };
  } catch (error) {
    return { id, error: packError(error) };
  }
}

async function callOf({ writer, metrics, state }: First, name: string, args: readonly unknown[]): Promise<unknown> {
  if (name === ALL_METRICS) return metrics();
  if (name === SERVICE_STATE) return state();
  return writer.call(name, args);
}
