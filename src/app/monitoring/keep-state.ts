import type { Logger } from "pino";
import { Counter, Gauge, type Registry } from "prom-client";
import {
  BACKGROUND_TASKS,
  type BackgroundFailure,
  type BackgroundTask,
  type Damage,
  type IntegrityCheck,
  type LiveAuthorityName,
  type RefusedWrites,
  type ServiceState,
  WARNED_TASKS,
} from "../../core/background.js";
import { BinderyError, type ParamsOf } from "../../core/errors.js";
import { unpackError } from "../rpc/rpc.js";
import type { ReportSink } from "./background-reports.js";
import { makeLookupCounter } from "./lookup-counter.js";
import { keepThreads } from "./thread-keeper.js";

/** Equal errors of a task are logged again at most so often, with their number. */
const LOG_AGAIN_MS = 60_000;

/** Damages that are kept. */
const DAMAGES_MAX = 100;

/** What is known of the service as a whole; the first process keeps it. */
export interface StateKeeper {
  /** Logs and counts an outcome of background work, and keeps it until the task succeeds. */
  readonly report: ReportSink;
  state(): ServiceState;
  noteCheck(check: IntegrityCheck): void;
  /** The first error that said the file itself is damaged. */
  fileDamage(): BinderyError | undefined;
  /** `listener` is called when the file turns out to be damaged, once. */
  onFileDamage(listener: (error: BinderyError) => void): void;
}

interface Kept extends BackgroundFailure {
  /** Of what the store refuses. */
  readonly refused?: RefusedWrites;
  /** Errors that the log does not have yet. */
  readonly unlogged: number;
  readonly loggedAt: number;
}

/**
 * @param registry gets `bindery_background_errors_total`, `bindery_writes_refused`, `bindery_damages` and what
 *   `makeLookupCounter` and `keepThreads` add
 */
export function keepState(logger: Logger, registry: Registry, now: () => number = Date.now): StateKeeper {
  const failures = new Map<string, Kept>();
  const damages = keepDamages(logger, registry, now);
  let integrity: IntegrityCheck | undefined;
  const counter = new Counter({
    name: "bindery_background_errors_total",
    help: "Errors of background tasks, by task.",
    labelNames: ["task"],
    registers: [registry],
  });
  // From the start, so that an alert on its growth sees the first one.
  for (const task of Object.keys(BACKGROUND_TASKS)) counter.labels(task).inc(0);
  const isAway = (authority: LiveAuthorityName): boolean =>
    [...failures.values()].some(({ task }) => task === `lookup-${authority}`);
  measureWrites(registry, () => refusedWrites() !== undefined);
  const countLookup = makeLookupCounter(registry, isAway);
  const threads = keepThreads(registry, now);

  const refusedWrites = (): RefusedWrites | undefined =>
    [...failures.values()].find(({ task }) => task === "writes")?.refused;

  const report: ReportSink = (source, said) => {
    if (said.kind === "damage") return damages.add(unpackError(said.error));
    if (said.kind === "lookup") return countLookup(said.authority, said.outcome);
    if (said.kind === "thread") return threads.note(source, said.thread, said.event);
    const { task } = said;
    const key = `${source} ${task}`;
    const known = failures.get(key);
    if (said.kind === "success") {
      failures.delete(key);
      if (known !== undefined) logger.info({ task, source }, `${BACKGROUND_TASKS[task]} works again.`);
      return;
    }
    const error = unpackError(said.error);
    damages.add(error);
    counter.labels(task).inc(said.times);
    const kept = keptAfter(known, { ...said, source }, error, now());
    failures.set(key, kept);
    if (kept.unlogged > 0) return;
    const times = (known?.unlogged ?? 0) + said.times;
    const cure = kept.refused?.cure === undefined ? "" : ` ${kept.refused.cure}`;
    const text = `${BACKGROUND_TASKS[task]} failed: ${error.message}${cure}`;
    logger.error({ err: error, task, source, ...(times === 1 ? {} : { times }) }, text);
  };
  return {
    report,
    noteCheck: (check) => {
      integrity = check;
    },
    fileDamage: () => damages.ofFile(),
    onFileDamage: damages.onFile,
    state: () => {
      const refused = refusedWrites();
      return {
        damages: damages.all(),
        ...(refused === undefined ? {} : { refusedWrites: refused }),
        ...(integrity === undefined ? {} : { integrity }),
        awayThreads: threads.away(),
        failures: [...failures.values()].map(({ unlogged: _, loggedAt: __, refused: ___, ...failure }) => failure),
      };
    },
  };
}

/** What is kept of a task after errors that are equal. `unlogged` is 0 where the log is to have them now. */
function keptAfter(
  known: Kept | undefined,
  { task, source, times }: Pick<Kept, "task" | "source" | "times">,
  error: Error,
  now: number,
): Kept {
  const last = new Date(now).toISOString();
  const message = messageOf(task, error);
  const refused = refusedBy(error);
  const isLogged = known?.message !== message || now - known.loggedAt >= LOG_AGAIN_MS;
  return {
    ...{ task, source, message, last },
    first: known?.first ?? last,
    times: (known?.times ?? 0) + times,
    ...(refused === undefined ? {} : { refused }),
    unlogged: isLogged ? 0 : known.unlogged + times,
    loggedAt: isLogged ? now : known.loggedAt,
  };
}

/** What is damaged stays so until the service is started on a file that is whole. */
function keepDamages(logger: Logger, registry: Registry, now: () => number) {
  const known = new Map<string, Damage>();
  const listeners: ((error: BinderyError) => void)[] = [];
  let ofFile: BinderyError | undefined;
  new Gauge({
    name: "bindery_damages",
    help: "Damaged parts of the store (the file, or records).",
    registers: [registry],
    collect() {
      this.set(known.size);
    },
  });
  return {
    all: () => [...known.values()],
    ofFile: () => ofFile,
    onFile: (listener: (error: BinderyError) => void) => void listeners.push(listener),
    add(error: Error): void {
      if (!(error instanceof BinderyError) || error.code !== "STORE_DAMAGED") return;
      const { part, reason, record, row } = error.params as unknown as ParamsOf<"STORE_DAMAGED">;
      const isOfFile = record === undefined && row === undefined;
      if (isOfFile && ofFile === undefined) {
        ofFile = error;
        for (const listener of listeners) listener(error);
      }
      if (known.has(part) || known.size >= DAMAGES_MAX) return;
      known.set(part, { part, reason, record, row, since: new Date(now()).toISOString() });
      logger.error({ err: error }, isOfFile ? `${error.message} Writes are refused from now on.` : error.message);
    },
  };
}

function refusedBy(error: Error): RefusedWrites | undefined {
  if (!(error instanceof BinderyError) || error.code !== "STORE_UNAVAILABLE") return undefined;
  return error.params as unknown as RefusedWrites;
}

function measureWrites(registry: Registry, areRefused: () => boolean): void {
  new Gauge({
    name: "bindery_writes_refused",
    help: "1 while nothing can be written into the store, else 0.",
    registers: [registry],
    collect() {
      this.set(areRefused() ? 1 : 0);
    },
  });
}

/** Returns the message that everybody may read: errors outside of the catalogue can name anything. */
function messageOf(task: BackgroundTask, error: Error): string {
  const isFitToShow = WARNED_TASKS.has(task) || (error instanceof BinderyError && error.status !== 500);
  return isFitToShow ? error.message : "An unexpected error; the log has it.";
}
