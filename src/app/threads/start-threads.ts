import type { Logger } from "pino";
import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";
import { BinderyError } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { SearchAnswers } from "../../http/answers/search-answers.js";
import type { StreamAnswers } from "../../http/answers/stream-answers.js";
import type { Thread } from "../../services/context/use-case.js";
import { threadOfTerms } from "../../services/search/search-terms.js";
import { type Services, USE_CASES } from "../../services/use-cases.js";
import { type Composition, compose } from "../composition/compose.js";
import { makeReporter, type ReportSink } from "../monitoring/background-reports.js";
import { type PackedError, packError, unpackError } from "../rpc/rpc.js";
import { startDrawing } from "./start-drawing.js";
import { linkThreads, type SupervisedWorker, startOnDemand, startWorker, type WorkerOptions } from "./workers.js";

/**
 * Size of the young generation of the loader thread, in megabytes. It holds a page of ten thousand terms. With a
 * smaller size, garbage collection took half of the time of such a page.
 */
const SLOW_YOUNG_MEGABYTES = 192;

/**
 * Size of the young generation of the writer, in megabytes. V8's default of 48 is filled while the validators are
 * compiled after the start, and stays: the idle service then has 20 MB more, and deposits are no faster.
 */
const WRITER_YOUNG_MEGABYTES = 12;

/** Everything that the parts of a server need to start. */
export interface Setup {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly logger: Logger;
  /** Receives the reports of background work. */
  readonly reports: ReportSink;
  /** Functions that end the parts, in the order of their starts. Each part adds its own. */
  readonly closers: (() => unknown)[];
}

/** The parts that read: the services of this thread, and other threads. */
export interface Readers {
  readonly local: Composition;
  readonly search: SupervisedWorker;
  readonly loader: SupervisedWorker;
  readonly pages: WorkerThreads["pages"];
}

/** The writer after its start. */
export interface StartedWriter {
  readonly writer: SupervisedWorker;
  /** Why the store refuses writes at present. */
  readonly refusal?: Error | undefined;
}

/**
 * Starts the writer.
 * @throws the error of a failed start, except STORE_UNAVAILABLE, which is returned as `refusal`
 */
export async function startWriter(setup: Setup): Promise<StartedWriter> {
  const writer = startThread(setup, WRITER, "./writer-thread.js", WRITER_YOUNG_MEGABYTES);
  try {
    await writer.started;
    return { writer };
  } catch (error) {
    // A disk that cannot be written can still be read; any other error stops the start.
    if (!isRefusal(error)) throw error;
    return { writer, refusal: error };
  }
}

const WRITER = "writer";

/** Time limit of the calls in `STATS`, in milliseconds. */
const STATS_MS = 5_000;

/** Calls that only read numbers for metrics. */
const STATS: ReadonlySet<string> = new Set(["searchStats", "storeStats", "relayState"]);

/** Returns the time limits of calls and silence for a thread, both longer than the time limit of a query. */
export function workerTimeLimits({ searchTimeoutMs }: Config, callMsMax: number): Partial<WorkerOptions> {
  return {
    callMs: (name) => (STATS.has(name) ? STATS_MS : callMsMax + 2 * searchTimeoutMs),
    silentMs: LIMITS.threadSilentMsMax + searchTimeoutMs,
  };
}

/**
 * Reports each failed start of the writer as an error of the task `writes`, until a start succeeds. Call it once the
 * service answers, because the start fails if the data cannot be read either.
 */
export function reportWriterRefusals({ reports }: Setup, { writer, refusal }: StartedWriter): void {
  const report = (error: Error): void => {
    if (isRefusal(error)) reports(WRITER, { kind: "error", task: "writes", error: packError(error), times: 1 });
  };
  writer.onRefused(report);
  writer.onReady(() => reports(WRITER, { kind: "success", task: "writes" }));
  if (refusal !== undefined && !writer.isReady()) report(refusal);
}

/** Returns whether a start failed because the store refuses access for now. */
const isRefusal = (error: unknown): error is BinderyError =>
  error instanceof BinderyError && error.code === "STORE_UNAVAILABLE";

/** Starts the parts that read. @throws the error that stopped the start of a thread */
export async function startReaders(setup: Setup): Promise<Readers> {
  const search = startThread(setup, "search thread", "./search-thread.js");
  const loader = startThread(setup, "loader thread", "./loader-thread.js", SLOW_YOUNG_MEGABYTES);
  linkThreads(search, loader);
  const background = makeReporter((report) => setup.reports("http", report));
  const { draw, close } = startDrawing(setup);
  setup.closers.push(close);
  const local = await compose(setup.config, setup.catalog, { role: "http", background, draw });
  setup.closers.push(() => local.close());
  await Promise.all([search.started, loader.started]);
  const pages = startOnDemand(() => startThread(setup, "page thread", "./page-thread.js"));
  return { local, search, loader, pages };
}

function startThread(setup: Setup, name: string, file: string, youngMegabytes?: number): SupervisedWorker {
  const { config, catalog, logger, reports, closers } = setup;
  const isWriter = name === WRITER;
  const young = youngMegabytes === undefined ? {} : { youngMegabytes };
  const url = new URL(file, import.meta.url);
  const worker = startWorker({
    name,
    file: url,
    data: { config, catalog },
    logger,
    reports,
    ...workerTimeLimits(config, isWriter ? LIMITS.writeMsMax : LIMITS.callMsMax),
    // The writer may have to migrate or fill a store.
    ...(isWriter && { startMs: Number.POSITIVE_INFINITY }),
    ...young,
  });
  closers.push(() => worker.close());
  return worker;
}

/** The threads that run services for the one that answers HTTP. */
export type WorkerThreads = Readonly<
  Record<Exclude<Thread, "http">, { call(name: string, args: readonly unknown[]): Promise<unknown>; waiting(): number }>
>;

/** The functions that are dispatched to threads: services, and searches that return the text of answers and streams. */
export type DispatchedServices = Services & SearchAnswers & StreamAnswers;

type Table = {
  readonly [K in keyof DispatchedServices]: Thread | ((...args: Parameters<DispatchedServices[K]>) => Thread);
};

const threadsOfUseCases = Object.fromEntries(
  Object.entries(USE_CASES).flatMap(([name, useCase]) => (useCase.kind === "request" ? [[name, useCase.thread]] : [])),
) as unknown as Pick<Table, keyof Services>;

/** The thread of each service. Use cases declare theirs, and answers run on the thread of their search. */
export const THREADS: Table = {
  ...threadsOfUseCases,
  answerRecordSearch: "search",
  answerTermSearch: (_actor, { parameters: { ids, request } }) => (ids === undefined ? threadOfTerms(request) : "http"),
  // A stream is read in slices, as fast as its client takes them.
  openRecordStream: "loader",
  openTermStream: "loader",
  readStream: "loader",
  closeStream: "loader",
};

/** Returns STORE_DAMAGED if a damaged value may have caused an error, else the error itself. */
async function explainError(error: unknown, { loader }: WorkerThreads): Promise<unknown> {
  try {
    const damage = (await loader.call("findDamage", [packError(error)])) as PackedError | undefined;
    return damage === undefined ? error : unpackError(damage);
  } catch {
    return error;
  }
}

/** Returns all services, each of which runs on its thread of `THREADS`. @param onDamage receives each STORE_DAMAGED */
export function dispatchServices(
  local: DispatchedServices,
  threads: WorkerThreads,
  onDamage: (error: BinderyError) => void = () => undefined,
): DispatchedServices {
  const services = Object.entries(THREADS).map(([name, thread]) => {
    const method = local[name as keyof DispatchedServices] as (...args: unknown[]) => Promise<unknown>;
    const chooseThread = (typeof thread === "function" ? thread : () => thread) as (...args: unknown[]) => Thread;
    const run = async (...args: unknown[]): Promise<unknown> => {
      const target = chooseThread(...args);
      try {
        return await (target === "http" ? method(...args) : threads[target].call(name, args));
      } catch (error) {
        const cause = error instanceof BinderyError ? error : await explainError(error, threads);
        if (cause instanceof BinderyError && cause.code === "STORE_DAMAGED") onDamage(cause);
        throw cause;
      }
    };
    return [name, run];
  });
  return Object.fromEntries(services) as DispatchedServices;
}
