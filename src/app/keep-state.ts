import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";
import { BACKGROUND_TASKS, type BackgroundFailure, type ServiceState } from "../core/background.js";
import { BinderyError } from "../core/errors.js";
import type { ReportSink } from "./background-reports.js";
import { unpackError } from "./rpc.js";

/** Equal errors of a task are logged again at most so often, with their number. */
const LOG_AGAIN_MS = 60_000;

/** What is known of the service as a whole; the first process keeps it. */
export interface StateKeeper {
  /** Logs and counts an outcome of background work, and keeps it until the task succeeds. */
  readonly report: ReportSink;
  state(): ServiceState;
}

interface Kept extends BackgroundFailure {
  /** Errors that the log does not have yet. */
  readonly unlogged: number;
  readonly loggedAt: number;
}

/** @param registry gets `bindery_background_errors_total` */
export function keepState(logger: Logger, registry: Registry, now: () => number = Date.now): StateKeeper {
  const failures = new Map<string, Kept>();
  const counter = new Counter({
    name: "bindery_background_errors_total",
    help: "Errors of work that no request waits for, by task.",
    labelNames: ["task"],
    registers: [registry],
  });
  // From the start, so that an alert on its growth sees the first one.
  for (const task of Object.keys(BACKGROUND_TASKS)) counter.labels(task).inc(0);

  const report: ReportSink = (source, said) => {
    const { task } = said;
    const key = `${source} ${task}`;
    const known = failures.get(key);
    if (said.kind === "success") {
      failures.delete(key);
      if (known !== undefined) logger.info({ task, source }, `${BACKGROUND_TASKS[task]} works again.`);
      return;
    }
    const { times } = said;
    const error = unpackError(said.error);
    counter.labels(task).inc(times);
    const last = new Date(now()).toISOString();
    const message = messageOf(error);
    const isNew = known?.message !== message;
    const unlogged = (known?.unlogged ?? 0) + times;
    const isLogged = isNew || now() - known.loggedAt >= LOG_AGAIN_MS;
    if (isLogged) {
      const repeated = unlogged === 1 ? {} : { times: unlogged };
      logger.error({ err: error, task, source, ...repeated }, `${BACKGROUND_TASKS[task]} failed: ${error.message}`);
    }
    failures.set(key, {
      task,
      source,
      message,
      first: known?.first ?? last,
      last,
      times: (known?.times ?? 0) + times,
      unlogged: isLogged ? 0 : unlogged,
      loggedAt: isLogged || known === undefined ? now() : known.loggedAt,
    });
  };
  return {
    report,
    state: () => ({
      failures: [...failures.values()].map(({ unlogged: _, loggedAt: __, ...failure }) => failure),
    }),
  };
}

/** What everybody may read: errors outside of the catalogue can name anything. */
const messageOf = (error: Error): string =>
  error instanceof BinderyError && error.status !== 500 ? error.message : "An unexpected error; the log has it.";
