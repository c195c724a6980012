/** Entry of a process that answers HTTP with others: a whole server except the writer, which the first process has. */
import { Registry } from "prom-client";
import type { ServiceState } from "../../core/background.js";
import { LIMITS } from "../../core/limits.js";
import { makeReporter, type ReportSink } from "../monitoring/background-reports.js";
import { makeLog } from "../monitoring/logger.js";
import { measureProcess } from "../monitoring/metrics.js";
import { makeCaller } from "../rpc/caller.js";
import { makeAnswerer, packError, runHandlers } from "../rpc/rpc.js";
import type { ThreadData } from "../threads/serve-thread.js";
import { type Setup, startReaders } from "../threads/start-threads.js";
import { serveHttp } from "./serve-http.js";
import { ignoreEndSignals } from "./signals.js";
import {
  ALL_METRICS,
  type FromProcess,
  onMessages,
  SERVICE_STATE,
  sendMessage,
  type ToProcess,
} from "./start-processes.js";

/** Time limit for the first process to return the state of the service, in milliseconds. */
const STATE_MS = 10_000;

const closers: (() => unknown)[] = [];
const send = (message: FromProcess, done?: () => void): void => sendMessage(process, message, done);
const registry = new Registry();
const handlers = { metrics: () => registry.getMetricsAsJSON() };
const answerer = makeAnswerer(runHandlers(handlers), (answer) => send({ kind: "answer", answer }));
const writer = makeCaller((request) => send({ kind: "write", request }), {
  name: "the writer",
  // Longer than in the first process, which ends a write earlier.
  callMs: (name) => (name === SERVICE_STATE ? STATE_MS : LIMITS.writeMsMax + STATE_MS),
});

const receive = (message: ToProcess): void => {
  if (message.kind === "start") void start(message.data);
  else if (message.kind === "written") writer.receive(message.answer);
  else if (message.kind === "request") answerer.receive(message.request);
  else if (message.kind === "close") void end();
};
const onUnread = (): void => {
  send({ kind: "unread" });
  writer.probe();
};
onMessages(process, receive, onUnread);

// The first process sends nothing before this message, because it would be lost.
send({ kind: "listening" });

// The first process handles signals, and closes this process.
ignoreEndSignals();

async function start({ config, catalog }: ThreadData): Promise<void> {
  const log = makeLog(config.logLevel);
  closers.push(() => log.close());
  process.on("uncaughtException", (error) => {
    log.logger.fatal({ err: error }, `A process of Bindery stops: ${error.message}`);
    log.flushNow();
    process.exit(1);
  });
  const reports: ReportSink = (source, report) => send({ kind: "background", source, report });
  log.reportTo(
    makeReporter((report) => reports("http", report)),
    registry,
  );
  const setup: Setup = { config, catalog, logger: log.logger, reports, closers };
  try {
    const { local, search, loader, pages } = await startReaders(setup);
    const threads = { search, loader, writer, pages };
    measureProcess(registry, config, threads, local);
    const metricsText = (): Promise<string> => writer.call(ALL_METRICS, []) as Promise<string>;
    const state = (): Promise<ServiceState> => writer.call(SERVICE_STATE, []) as Promise<ServiceState>;
    await serveHttp(setup, { local, threads, registry, state, metricsText });
    send({ kind: "ready" });
  } catch (error) {
    send({ kind: "failed", error: packError(error) }, () => void end());
  }
}

/** Closes all parts, then the channel to the first process, which ends this process. */
async function end(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
  process.disconnect();
}
