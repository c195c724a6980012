/** Entry of a process that answers HTTP beside others: all of a server but its writer, which the first process has. */
import { Registry } from "prom-client";
import type { ServiceState } from "../../core/background.js";
import { LIMITS } from "../../core/limits.js";
import { makeReporter, type ReportSink } from "../monitoring/background-reports.js";
import { makeLog } from "../monitoring/logger.js";
import { measureProcess } from "../monitoring/metrics.js";
import { makeCaller } from "../rpc/caller.js";
import { makeAnswerer, packError, runHandlers } from "../rpc/rpc.js";
import { type Setup, startReaders } from "../threads/start-threads.js";
import type { ThreadData } from "../threads/thread-data.js";
import { onMessages, sendMessage } from "./process-channel.js";
import { serveHttp } from "./serve-http.js";
import { ignoreEndSignals } from "./signals.js";
import { ALL_METRICS, type FromProcess, SERVICE_STATE, type ToProcess } from "./start-processes.js";

/** How long the first process may take to say how the service is, in milliseconds. */
const STATE_MS = 10_000;

const closers: (() => unknown)[] = [];
const say = (message: FromProcess, done?: () => void): void => sendMessage(process, message, done);
const registry = new Registry();
const handlers = { metrics: () => registry.getMetricsAsJSON() };
const answerer = makeAnswerer(runHandlers(handlers), (answer) => say({ kind: "answer", answer }));
const writer = makeCaller((request) => say({ kind: "write", request }), {
  name: "the writer",
  // The first process ends a write earlier.
  callMs: (name) => (name === SERVICE_STATE ? STATE_MS : LIMITS.writeMsMax + STATE_MS),
});

const receive = (message: ToProcess): void => {
  if (message.kind === "start") void start(message.data);
  else if (message.kind === "written") writer.receive(message.answer);
  else if (message.kind === "request") answerer.receive(message.request);
  else if (message.kind === "close") void end();
};
const onUnread = (): void => {
  say({ kind: "unread" });
  writer.probe();
};
onMessages(process, receive, onUnread);

// What was sent before nobody has heard.
say({ kind: "listening" });

// Signals go to the first process, which tells the others when it is their time.
ignoreEndSignals();

async function start({ config, catalog }: ThreadData): Promise<void> {
  const log = makeLog(config.logLevel);
  closers.push(() => log.close());
  process.on("uncaughtException", (error) => {
    log.logger.fatal({ err: error }, `A process of Bindery stops: ${error.message}`);
    log.flushNow();
    process.exit(1);
  });
  const reports: ReportSink = (source, report) => say({ kind: "background", source, report });
  log.reportTo(
    makeReporter((report) => reports("http", report)),
    registry,
  );
  const setup: Setup = { config, catalog, logger: log.logger, reports, closers };
  try {
    const { local, search, loader, pages } = await startReaders(setup);
    const remotes = { search, loader, writer, pages };
    measureProcess(registry, config, remotes, local);
    const metricsText = (): Promise<string> => writer.call(ALL_METRICS, []) as Promise<string>;
    const state = (): Promise<ServiceState> => writer.call(SERVICE_STATE, []) as Promise<ServiceState>;
    await serveHttp(setup, { local, remotes, registry, state, metricsText });
    say({ kind: "ready" });
  } catch (error) {
    say({ kind: "failed", error: packError(error) }, () => void end());
  }
}

/** Without its channel a process of a cluster ends. */
async function end(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
  process.disconnect();
}
