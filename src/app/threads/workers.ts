/** Workers (threads and processes): what they send and get, and how threads are started and linked. */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { BackgroundReport, ReportSink } from "../monitoring/background-reports.js";
import type { Backlog } from "../rpc/caller.js";
import type { AnswerMessage, PackedError, RequestMessage } from "../rpc/rpc.js";
import { supervise } from "./supervise.js";

/** What a worker sends: first that it is ready (or why it cannot be), then replies. */
export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly error: PackedError }
  | { readonly kind: "answer"; readonly answer: AnswerMessage }
  /** `source`: the thread of a process. */
  | { readonly kind: "background"; readonly report: BackgroundReport; readonly source?: string };

export type ToWorker =
  | { readonly kind: "request"; readonly request: RequestMessage }
  /** A channel to another thread. */
  | { readonly kind: "connect"; readonly port: MessagePort }
  | { readonly kind: "close" };

/** A thread, or a process, that runs. */
export interface Running {
  post(message: ToWorker, ports: MessagePort[]): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** `listener` is called when a message arrives that cannot be read. */
  onUnread(listener: () => void): void;
  onError(listener: (error: Error) => void): void;
  /** `code` is null after a signal. */
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

export interface SuperviseOptions {
  /** For messages: "The writer ..." */
  readonly name: string;
  readonly logger: Logger;
  readonly backlog?: Backlog | undefined;
  /** Gets what it reports of its background work, and its own ends. */
  readonly reports: ReportSink;
  /** How long it may take to close what it holds before it is killed. */
  readonly closeMs: number;
  /** How long a call of a function may take, in milliseconds; then it fails with STORE_UNAVAILABLE. */
  callMs?(name: string): number;
  /** True: a call that takes longer ends the worker, which is replaced; all calls that wait for it fail. */
  readonly endsWhenLate?: boolean;
  /** How long it may show no sign of life (its event loop is blocked) before it is replaced, in milliseconds. */
  readonly silentMs?: number;
  /** How long it may take until it is ready before it is replaced, in milliseconds. */
  readonly startMs?: number;
  spawn(): Running;
}

export interface WorkerOptions
  extends Omit<SuperviseOptions, "closeMs" | "spawn">,
    Partial<Pick<SuperviseOptions, "closeMs">> {
  /** The compiled entry file. Node cannot start a `.ts` worker, so workers run from dist only. */
  readonly file: URL;
  /** What the thread gets as `workerData`; must be fit to be cloned. */
  readonly data: unknown;
  /** How much that was just made it may hold before it looks what is still needed; absent: as Node has it. */
  readonly youngMegabytes?: number;
  /** How much it may hold for long: one that needs more ends, and is replaced. Absent: as Node has it. */
  readonly oldMegabytes?: number;
}

export interface Remote {
  /** Fulfilled when the first thread is ready; rejected with what stopped its start. */
  readonly started: Promise<void>;
  /**
   * @throws what the function threw; STORE_UNAVAILABLE while no thread is ready. If the thread ended meanwhile, or the
   *   call took too long, the cause of that error is a `CallEnd`.
   */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  isReady(): boolean;
  /** Calls that wait for their answer. */
  waiting(): number;
  /** `listener` is called whenever a thread becomes ready: the first one, and each that replaces another. */
  onReady(listener: () => void): void;
  /** `listener` is called whenever a thread cannot start, with the reason. */
  onRefused(listener: (error: Error) => void): void;
  /** Hands a channel to the thread that is ready. */
  connect(port: MessagePort): void;
  /** Ends it once it has closed what it holds, or kills it. */
  close(): Promise<void>;
}

const CLOSE_MS = 10_000;

/** Starts a thread and keeps one running, see `supervise`. */
export function startWorker({ file, data, youngMegabytes, oldMegabytes, ...options }: WorkerOptions): Remote {
  const { name } = options;
  const resourceLimits = {
    ...(youngMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: youngMegabytes }),
    ...(oldMegabytes === undefined ? {} : { maxOldGenerationSizeMb: oldMegabytes }),
  };
  return supervise({
    closeMs: CLOSE_MS,
    ...options,
    spawn: () => runThread(new Worker(file, { workerData: data, name, resourceLimits })),
  });
}

function runThread(worker: Worker): Running {
  return {
    post: (message, ports) => worker.postMessage(message, ports),
    onMessage: (listener) => void worker.on("message", listener),
    onUnread: (listener) => void worker.on("messageerror", listener),
    onError: (listener) => void worker.on("error", listener),
    onExit: (listener) => void worker.on("exit", listener),
    kill: () => void worker.terminate(),
  };
}

/** Gives two threads a channel of their own, and another one whenever one of them starts again. */
export function linkThreads(one: Remote, other: Remote): void {
  const connect = (): void => {
    if (!one.isReady() || !other.isReady()) return;
    const { port1, port2 } = new MessageChannel();
    one.connect(port1);
    other.connect(port2);
  };
  one.onReady(connect);
  other.onReady(connect);
}
