/** Workers (threads and processes): their messages, and the start and links of threads. */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { BackgroundReport, ReportSink } from "../monitoring/background-reports.js";
import type { Backlog } from "../rpc/caller.js";
import type { AnswerMessage, PackedError, RequestMessage } from "../rpc/rpc.js";
import { supervise } from "./supervise.js";

/** Messages of a worker: first that it is ready (or why it cannot start), then replies and reports. */
export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly error: PackedError }
  | { readonly kind: "answer"; readonly answer: AnswerMessage }
  /** A report of background work. `source`: the thread of a process. */
  | { readonly kind: "background"; readonly report: BackgroundReport; readonly source?: string };

/** Messages to a worker. */
export type ToWorker =
  | { readonly kind: "request"; readonly request: RequestMessage }
  /** A channel to another thread. */
  | { readonly kind: "connect"; readonly port: MessagePort }
  | { readonly kind: "close" };

/** A running thread or process. */
export interface WorkerHandle {
  post(message: ToWorker, ports: MessagePort[]): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Calls `listener` when an unreadable message arrives. */
  onUnread(listener: () => void): void;
  onError(listener: (error: Error) => void): void;
  /** Calls `listener` when the worker has ended. `code` is null after a signal. */
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

/** Options of the supervision of a worker. */
export interface SuperviseOptions {
  /** Name in messages: "The writer ..." */
  readonly name: string;
  readonly logger: Logger;
  readonly backlog?: Backlog | undefined;
  /** Receives the reports of its background work, and its events. */
  readonly reports: ReportSink;
  /** Time to close its resources before it is killed, in milliseconds. */
  readonly closeMs: number;
  /** Returns the time limit for a call of a function, in milliseconds; then it fails with STORE_UNAVAILABLE. */
  callMs?(name: string): number;
  /** True: if a call exceeds its time limit, the worker is ended and replaced, and all its waiting calls fail. */
  readonly endsWhenLate?: boolean;
  /** Time without a sign of life (its event loop is blocked) after which it is replaced, in milliseconds. */
  readonly silentMs?: number;
  /** Time limit of its start, after which it is replaced, in milliseconds. */
  readonly startMs?: number;
  spawn(): WorkerHandle;
}

/** Options of a supervised thread. */
export interface WorkerOptions
  extends Omit<SuperviseOptions, "closeMs" | "spawn">,
    Partial<Pick<SuperviseOptions, "closeMs">> {
  /** The compiled entry file. Node cannot start a `.ts` worker, so workers run from dist only. */
  readonly file: URL;
  /** The `workerData` of the thread, which must be cloneable. */
  readonly data: unknown;
  /** Size of its young generation of memory, in megabytes; absent: the default of Node. */
  readonly youngMegabytes?: number;
  /** Size of its old generation, in megabytes. A thread that needs more is replaced. Absent: the default of Node. */
  readonly oldMegabytes?: number;
}

/** A worker that is replaced whenever it ends. */
export interface SupervisedWorker {
  /** Fulfilled when the first worker is ready; rejected with the error that stopped its start. */
  readonly started: Promise<void>;
  /**
   * @throws the error of the function; STORE_UNAVAILABLE while no worker is ready. If the worker ended during the call,
   *   or the call exceeded its time limit, the cause of that error is a `CallEnd`.
   */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  isReady(): boolean;
  /** Returns the number of calls that wait for an answer. */
  waiting(): number;
  /** Calls `listener` whenever a worker becomes ready: the first one and each replacement. */
  onReady(listener: () => void): void;
  /** Calls `listener` with the reason whenever a worker cannot start. */
  onRefused(listener: (error: Error) => void): void;
  /** Transfers a channel to the current worker. */
  connect(port: MessagePort): void;
  /** Ends the worker once it has closed its resources, or kills it. */
  close(): Promise<void>;
}

const CLOSE_MS = 10_000;

/** Starts a thread and keeps one running, see `supervise`. */
export function startWorker({ file, data, youngMegabytes, oldMegabytes, ...options }: WorkerOptions): SupervisedWorker {
  const { name } = options;
  const resourceLimits = {
    maxYoungGenerationSizeMb: youngMegabytes,
    maxOldGenerationSizeMb: oldMegabytes,
  };
  return supervise({
    closeMs: CLOSE_MS,
    ...options,
    spawn: () => runThread(new Worker(file, { workerData: data, name, resourceLimits })),
  });
}

function runThread(worker: Worker): WorkerHandle {
  return {
    post: (message, ports) => worker.postMessage(message, ports),
    onMessage: (listener) => void worker.on("message", listener),
    onUnread: (listener) => void worker.on("messageerror", listener),
    onError: (listener) => void worker.on("error", listener),
    onExit: (listener) => void worker.on("exit", listener),
    kill: () => void worker.terminate(),
  };
}

/** Returns a worker that its first call starts, because many services never need it. */
export function startOnDemand(start: () => SupervisedWorker): Pick<SupervisedWorker, "call" | "waiting" | "close"> {
  let worker: SupervisedWorker | undefined;
  return {
    async call(name, args) {
      worker ??= start();
      if (!worker.isReady()) await worker.started;
      return worker.call(name, args);
    },
    waiting: () => worker?.waiting() ?? 0,
    close: async () => worker?.close(),
  };
}

/** Connects two threads by a separate channel, and by a new one whenever either of them is replaced. */
export function linkThreads(first: SupervisedWorker, second: SupervisedWorker): void {
  const connect = (): void => {
    if (!first.isReady() || !second.isReady()) return;
    const { port1, port2 } = new MessageChannel();
    first.connect(port1);
    second.connect(port2);
  };
  first.onReady(connect);
  second.onReady(connect);
}
