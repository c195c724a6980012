/** Entry of a process that answers HTTP beside others: all of a server but its writer, which the first process has. */
import { Registry } from "prom-client";
import type { ServiceState } from "../../core/background.js";
import type { ReportSink } from "../monitoring/background-reports.js";
import { makeLog } from "../monitoring/logger.js";
import { measureProcess } from "../monitoring/metrics.js";
import { answer, makeCaller, packError } from "../rpc/rpc.js";
import { BACKLOG, type Setup, startReaders } from "../threads/start-threads.js";
import type { ThreadData } from "../threads/thread-data.js";
import { serveHttp } from "./serve-http.js";
import { ALL_METRICS, type FromProcess, SERVICE_STATE, type ToProcess } from "./start-processes.js";

const closers: (() => unknown)[] = [];
const say = (message: FromProcess): void => void process.send?.(message);
const registry = new Registry();
const handlers = { metrics: () => registry.getMetricsAsJSON() };
const writer = makeCaller((call) => say({ kind: "write", call }), BACKLOG);

process.on("message", (message: ToProcess) => {
  if (message.kind === "start") void start(message.data);
  else if (message.kind === "written") writer.receive(message.reply);
  else if (message.kind === "call") void answer(handlers, message.call, (reply) => say({ kind: "reply", reply }));
  else if (message.kind === "close") void end();
});

// What was sent before nobody has heard.
say({ kind: "listening" });

// Signals go to the first process, which tells the others when it is their time.
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => undefined);

async function start({ config, catalog }: ThreadData): Promise<void> {
  const log = makeLog(config.logLevel);
  closers.push(() => log.flush());
  process.on("uncaughtException", (error) => {
    log.logger.fatal({ err: error }, `A process of Bindery stops: ${error.message}`);
    log.flush();
    process.exit(1);
  });
  const reports: ReportSink = (source, report) => say({ kind: "background", source, report });
  const setup: Setup = { config, catalog, logger: log.logger, reports, closers };
  try {
    const { local, search, loader } = await startReaders(setup);
    const remotes = { search, loader, writer };
    measureProcess(registry, config, remotes, local);
    const metricsText = (): Promise<string> => writer.call(ALL_METRICS, []) as Promise<string>;
    const state = (): Promise<ServiceState> => writer.call(SERVICE_STATE, []) as Promise<ServiceState>;
    await serveHttp(setup, { local, remotes, registry, state, metricsText });
    say({ kind: "ready" });
  } catch (error) {
    const message: FromProcess = { kind: "failed", error: packError(error) };
    process.send?.(message, undefined, undefined, () => void end());
  }
}

/** Without its channel a process of a cluster ends. */
async function end(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
  process.disconnect();
}
