/** Workers (threads and processes): how one starts, is called, is started again when it dies, and ends. */
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { BinderyError, fail } from "../../core/errors.js";
import type { BackgroundReport, ReportSink } from "../monitoring/background-reports.js";
import {
  type Backlog,
  type CallMessage,
  makeCaller,
  type PackedError,
  type ReplyMessage,
  unpackError,
} from "../rpc/rpc.js";

/** What a worker sends: first that it is ready (or why it cannot be), then replies. */
export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly error: PackedError }
  | { readonly kind: "reply"; readonly reply: ReplyMessage }
  /** `source`: the thread of a process. */
  | { readonly kind: "background"; readonly report: BackgroundReport; readonly source?: string };

export type ToWorker =
  | { readonly kind: "call"; readonly call: CallMessage }
  /** A channel to another thread. */
  | { readonly kind: "connect"; readonly port: MessagePort }
  | { readonly kind: "close" };

/** A thread, or a process, that runs. */
export interface Running {
  post(message: ToWorker, ports: MessagePort[]): void;
  onMessage(listener: (message: FromWorker) => void): void;
  onError(listener: (error: Error) => void): void;
  /** `code` is null after a signal. */
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

interface SuperviseOptions {
  /** For messages: "The writer ..." */
  readonly name: string;
  readonly logger: Logger;
  readonly backlog: Backlog;
  /** Gets what it reports of its background work. */
  readonly reports: ReportSink;
  /** How long it may take to close what it holds before it is killed. */
  readonly closeMs: number;
  spawn(): Running;
}

export interface WorkerOptions extends Pick<SuperviseOptions, "name" | "logger" | "backlog" | "reports"> {
  /** The compiled entry file. Node cannot start a `.ts` worker, so workers run from dist only. */
  readonly file: URL;
  /** What the thread gets as `workerData`; must be fit to be cloned. */
  readonly data: unknown;
  /** How much that was just made it may hold before it looks what is still needed; absent: as Node has it. */
  readonly youngMegabytes?: number;
}

export interface Remote {
  /** Fulfilled when the first thread is ready; rejected with what stopped its start. */
  readonly started: Promise<void>;
  /** @throws what the function threw; STORE_UNAVAILABLE while no thread is ready */
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
const RESTART_FIRST_MS = 100;
const RESTART_LAST_MS = 5_000;

/** Starts a thread and keeps one running, see `supervise`. */
export function startWorker({ file, data, youngMegabytes, ...options }: WorkerOptions): Remote {
  const { name } = options;
  const resourceLimits = youngMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: youngMegabytes };
  return supervise({
    ...options,
    closeMs: CLOSE_MS,
    spawn: () => runThread(new Worker(file, { workerData: data, name, resourceLimits })),
  });
}

function runThread(worker: Worker): Running {
  return {
    post: (message, ports) => worker.postMessage(message, ports),
    onMessage: (listener) => void worker.on("message", listener),
    onError: (listener) => void worker.on("error", listener),
    onExit: (listener) => void worker.on("exit", listener),
    kill: () => void worker.terminate(),
  };
}

/**
 * Starts a worker and keeps one running: one that ends by itself is logged and started again, after a pause that
 * doubles until one becomes ready. Calls that waited for it fail with STORE_UNAVAILABLE.
 */
export function supervise({ name, logger, backlog, reports, closeMs, spawn }: SuperviseOptions): Remote {
  let worker: Running | undefined;
  let isReady = false;
  let isClosing = false;
  let isSettled = false;
  let reason = `the ${name} is starting`;
  let pauseMs = RESTART_FIRST_MS;
  const restart = new AbortController();
  const gate = makeGate();
  const post = (message: ToWorker, ports: MessagePort[] = []): void => worker?.post(message, ports);
  const caller = makeCaller((call) => post({ kind: "call", call }), backlog);
  const onMessage = (message: FromWorker): void => {
    if (message.kind === "reply") caller.receive(message.reply);
    else if (message.kind === "background") reports([name, message.source].filter(Boolean).join(": "), message.report);
    else if (message.kind === "ready") {
      isReady = true;
      pauseMs = RESTART_FIRST_MS;
      if (isSettled) logger.info(`The ${name} is running again.`);
      isSettled = true;
      gate.open();
    } else {
      const error = unpackError(message.error);
      const known = reason;
      reason = reasonOf(error) ?? `the ${name} cannot start`;
      // The first refusal belongs to whoever awaits `started`; of later ones each reason is logged once.
      if (isSettled && reason !== known) logger.error({ err: error }, `The ${name} cannot start: ${error.message}`);
      isSettled = true;
      gate.refuse(error);
    }
  };

  const onExit = (code: number | null): void => {
    const wasReady = isReady;
    isReady = false;
    worker = undefined;
    caller.dropAll(fail("STORE_UNAVAILABLE", { reason: `the ${name} stopped` }));
    gate.refuse(new Error(`The ${name} stopped at its start with code ${code}.`));
    if (isClosing) return;
    if (wasReady) {
      reason = `the ${name} is restarting`;
      logger.error({ code }, `The ${name} stopped; it restarts in ${pauseMs} ms.`);
    }
    sleep(pauseMs, undefined, { signal: restart.signal }).then(start, () => undefined);
    pauseMs = Math.min(pauseMs * 2, RESTART_LAST_MS);
  };

  const start = (): void => {
    if (isClosing) return;
    worker = spawn();
    worker.onMessage(onMessage);
    worker.onError((error) => logger.error({ err: error }, `The ${name} failed: ${error.message}`));
    worker.onExit(onExit);
  };

  start();
  return {
    started: gate.passed,
    call: (fn, args) => (isReady ? caller.call(fn, args) : Promise.reject(fail("STORE_UNAVAILABLE", { reason }))),
    isReady: () => isReady,
    waiting: caller.waiting,
    ...{ onReady: gate.onOpen, onRefused: gate.onRefused },
    connect: (port) => post({ kind: "connect", port }, [port]),
    async close() {
      isClosing = true;
      isReady = false;
      restart.abort();
      if (worker !== undefined) await endWorker(worker, closeMs);
    },
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

async function endWorker(worker: Running, closeMs: number): Promise<void> {
  const gone = new Promise<void>((resolve) => worker.onExit(() => resolve()));
  worker.post({ kind: "close" }, []);
  const timer = setTimeout(() => worker.kill(), closeMs);
  await gone;
  clearTimeout(timer);
}

interface Gate {
  /** Settled once: by the first call of `open` or `refuse`. That nobody awaits it is no fault. */
  readonly passed: Promise<void>;
  open(): void;
  refuse(error: Error): void;
  /** `listener` is called each time the gate opens. */
  onOpen(listener: () => void): void;
  /** `listener` is called each time `refuse` is. */
  onRefused(listener: (error: Error) => void): void;
}

function makeGate(): Gate {
  const listeners: (() => void)[] = [];
  const refusedListeners: ((error: Error) => void)[] = [];
  let settle = (): void => undefined;
  let reject = (_: Error): void => undefined;
  const passed = new Promise<void>((resolve, refuse) => {
    settle = resolve;
    reject = refuse;
  });
  passed.catch(() => undefined);
  const open = (): void => {
    settle();
    for (const listener of listeners) listener();
  };
  const refuse = (error: Error): void => {
    reject(error);
    for (const listener of refusedListeners) listener(error);
  };
  return {
    ...{ passed, open, refuse },
    onOpen: (listener) => void listeners.push(listener),
    onRefused: (listener) => void refusedListeners.push(listener),
  };
}

/** What a client may know of a failed start: the reason of a STORE_UNAVAILABLE. */
function reasonOf(error: Error): string | undefined {
  const params = error instanceof BinderyError && error.code === "STORE_UNAVAILABLE" ? error.params : undefined;
  return typeof params?.reason === "string" ? params.reason : undefined;
}
