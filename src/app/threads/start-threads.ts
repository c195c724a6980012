import type { Logger } from "pino";
import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";
import { BinderyError } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { type Composition, compose } from "../composition/compose.js";
import { makeReporter, type ReportSink } from "../monitoring/background-reports.js";
import { packError } from "../rpc/rpc.js";
import { startDrawing } from "./start-drawing.js";
import type { Remotes } from "./threads.js";
import { linkThreads, type Remote, startWorker, type WorkerOptions } from "./workers.js";

/** A page of ten thousand items is that much for a moment: looking again and again what of it is needed took half. */
const SLOW_YOUNG_MEGABYTES = 192;

/** What a server is started with. */
export interface Setup {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly logger: Logger;
  /** Gets what is reported of background work. */
  readonly reports: ReportSink;
  /** Gets what ends each part, in the order of their starts. */
  readonly closers: (() => unknown)[];
}

/** What reads: in this thread, and the threads beside it. */
export interface Readers {
  readonly local: Composition;
  readonly search: Remote;
  readonly loader: Remote;
  readonly pages: Remotes["pages"];
}

export interface StartedWriter {
  readonly writer: Remote;
  /** Why nothing can be written for now. */
  readonly refused?: Error;
}

/** Starts the writer. @throws what stopped its start, where it is not a disk that cannot be written */
export async function startWriter(setup: Setup): Promise<StartedWriter> {
  const writer = startThread(setup, WRITER, "./writer-thread.js");
  try {
    await writer.started;
    return { writer };
  } catch (error) {
    // A disk that cannot be written still can be read; anything else stops the start.
    if (!isRefusal(error)) throw error;
    return { writer, refused: error };
  }
}

const WRITER = "writer";

/** How long a thread may take to say its numbers for metrics, in milliseconds. */
const STATS_MS = 5_000;

/** Calls that only read numbers for metrics. */
const STATS: ReadonlySet<string> = new Set(["searchStats", "storeStats", "relayState"]);

/** The ends of calls, and of silence, of one of the threads: none is cut off within the time that a query may take. */
export function limitsOf({ searchTimeoutMs }: Config, callMsMax: number): Partial<WorkerOptions> {
  return {
    callMs: (name) => (STATS.has(name) ? STATS_MS : callMsMax + 2 * searchTimeoutMs),
    silentMs: LIMITS.threadSilentMsMax + searchTimeoutMs,
  };
}

/**
 * While the store refuses the writer, nothing can be written: that is told as the writer tells of refused writes.
 * Called once the service answers: what cannot be read either stops its start.
 */
export function tellOfStarts({ reports }: Setup, { writer, refused }: StartedWriter): void {
  const tell = (error: Error): void => {
    if (isRefusal(error)) reports(WRITER, { kind: "error", task: "writes", error: packError(error), times: 1 });
  };
  writer.onRefused(tell);
  writer.onReady(() => reports(WRITER, { kind: "success", task: "writes" }));
  if (refused !== undefined && !writer.isReady()) tell(refused);
}

/** Does the store refuse it for now? */
const isRefusal = (error: unknown): error is BinderyError =>
  error instanceof BinderyError && error.code === "STORE_UNAVAILABLE";

/** Starts what reads. @throws what stopped the start of a thread */
export async function startReaders(setup: Setup): Promise<Readers> {
  const search = startThread(setup, "search", "./search-thread.js");
  const loader = startThread(setup, "loader thread", "./loader-thread.js", SLOW_YOUNG_MEGABYTES);
  linkThreads(search, loader);
  const background = makeReporter((report) => setup.reports("http", report));
  const { draw, close } = startDrawing(setup);
  setup.closers.push(close);
  const local = await compose(setup.config, setup.catalog, { role: "http", background, draw });
  setup.closers.push(() => local.close());
  await Promise.all([search.started, loader.started]);
  return { local, search, loader, pages: startPagesOnDemand(setup) };
}

/** Returns the page thread. Its first call starts it, because many services never have a large record. */
function startPagesOnDemand(setup: Setup): Remotes["pages"] {
  let remote: Remote | undefined;
  return {
    async call(name, args) {
      remote ??= startThread(setup, "page thread", "./page-thread.js");
      if (!remote.isReady()) await remote.started;
      return remote.call(name, args);
    },
    waiting: () => remote?.waiting() ?? 0,
  };
}

function startThread(setup: Setup, name: string, file: string, youngMegabytes?: number): Remote {
  const { config, catalog, logger, reports, closers } = setup;
  const isWriter = name === WRITER;
  const young = youngMegabytes === undefined ? {} : { youngMegabytes };
  const url = new URL(file, import.meta.url);
  const remote = startWorker({
    name,
    file: url,
    data: { config, catalog },
    logger,
    reports,
    ...limitsOf(config, isWriter ? LIMITS.writeMsMax : LIMITS.callMsMax),
    // It may have a store to migrate, or to fill.
    ...(isWriter && { startMs: Number.POSITIVE_INFINITY }),
    ...young,
  });
  closers.push(() => remote.close());
  return remote;
}
