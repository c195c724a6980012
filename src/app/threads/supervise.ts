/** Keeps one worker (a thread or a process) running. If the worker ends, its calls fail. */
import { setTimeout as sleep } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import type { ThreadEnd, ThreadEvent } from "../../core/background.js";
import { BinderyError, fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { threadNamed } from "../monitoring/background-reports.js";
import { CallEnd, type Caller, makeCaller } from "../rpc/caller.js";
import { unpackError } from "../rpc/rpc.js";
import type { FromWorker, SupervisedWorker, SuperviseOptions, WorkerHandle } from "./workers.js";

const RESTART_FIRST_MS = 100;
const RESTART_LAST_MS = 5_000;

/** Maximum interval between probes of a worker, in milliseconds. */
const PROBE_MS = 5_000;

/** Default time limit of a start, in milliseconds. */
const START_MS = 10 * 60_000;

/**
 * Time after which a killed worker is replaced even if it still runs, in milliseconds. A thread in a native call (a
 * statement of SQLite) ends only after that call.
 */
const KILL_MS = 10_000;

/** Maximum number of replaced workers that still run. */
const ENDING_MAX = 2;

/** One worker from its start to its end. */
interface Life {
  readonly worker: WorkerHandle;
  readonly caller: Caller;
  isReady: boolean;
  /** Reason for which the supervisor ends the worker, or for which its memory ran out; otherwise undefined. */
  end: ThreadEnd | undefined;
}

/** Log texts for why a worker ended. */
const END_REASONS = {
  stopped: "it stopped by itself",
  memory: "it needed more memory than it may have",
  silent: "it shows no sign of life",
  late: "one of its calls took too long",
} as const satisfies Record<ThreadEnd, string>;

/**
 * Starts a worker and keeps one running. If a worker ends by itself, or shows no sign of life, this is logged and
 * reported, and the worker is replaced after a pause, which doubles until a worker becomes ready. Its waiting calls
 * fail with STORE_UNAVAILABLE.
 */
export function supervise(options: SuperviseOptions): SupervisedWorker {
  const supervisor = new Supervisor(options);
  supervisor.start();
  const { gate } = supervisor;
  return {
    started: gate.passed,
    call: (name, args) => supervisor.call(name, args),
    isReady: () => supervisor.isReady,
    waiting: () => supervisor.waiting,
    onReady: gate.onOpen,
    onRefused: gate.onRefused,
    connect: (port) => supervisor.connect(port),
    close: () => supervisor.close(),
  };
}

class Supervisor {
  readonly gate = makeGate();
  readonly #options: SuperviseOptions;
  readonly #restart = new AbortController();
  #life: Life | undefined;
  #isClosing = false;
  /** Whether a worker has become ready or reported why it cannot start. */
  #isSettled = false;
  /** Reason for which calls fail while no worker is ready. */
  #unavailableReason: string;
  #pauseMs = RESTART_FIRST_MS;
  /** Number of replaced workers that still run. */
  #endingCount = 0;

  constructor(options: SuperviseOptions) {
    this.#options = options;
    this.#unavailableReason = `the ${options.name} is starting`;
  }

  get isReady(): boolean {
    return this.#life?.isReady === true && this.#life.end === undefined && !this.#isClosing;
  }

  get waiting(): number {
    return this.#life?.caller.waiting() ?? 0;
  }

  call(name: string, args: readonly unknown[]): Promise<unknown> {
    if (this.isReady) return this.#life!.caller.call(name, args);
    return Promise.reject(fail("STORE_UNAVAILABLE", { reason: this.#unavailableReason }));
  }

  connect(port: MessagePort): void {
    this.#life?.worker.post({ kind: "connect", port }, [port]);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#restart.abort();
    if (this.#life !== undefined) await endWorker(this.#life.worker, this.#options.closeMs);
  }

  start(): void {
    if (this.#isClosing) return;
    const { name, logger, backlog, spawn } = this.#options;
    const { callMs = () => LIMITS.callMsMax } = this.#options;
    const worker = spawn();
    const caller = makeCaller((request) => worker.post({ kind: "request", request }, []), {
      name: `the ${name}`,
      backlog,
      callMs,
      onExpired: (call) => this.#onExpired(life, call),
    });
    const life: Life = { worker, caller, isReady: false, end: undefined };
    this.#life = life;
    const signs = this.#watch(life);
    worker.onMessage((message) => {
      signs.note();
      this.#onMessage(life, message);
    });
    worker.onUnread(() => caller.probe());
    worker.onError((error) => {
      if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") life.end ??= "memory";
      logger.error({ err: error }, `The ${name} failed: ${error.message}`);
    });
    worker.onExit((code) => {
      signs.stop();
      this.#onEnd(life, code);
    });
  }

  #watch(life: Life): Signs {
    const { silentMs = LIMITS.threadSilentMsMax, startMs = START_MS } = this.#options;
    return watchSigns({
      everyMs: Math.min(PROBE_MS, silentMs / 4),
      silentMs: () => (life.isReady ? silentMs : startMs),
      probe: () => void (life.isReady && life.caller.probe()),
      onChange: (isSilent) => void (life.isReady && this.#reportEvent({ kind: isSilent ? "silent" : "ready" })),
      onDead: () => this.#replace(life, "silent"),
    });
  }

  #reportEvent(event: ThreadEvent): void {
    const { name, reports } = this.#options;
    reports(name, { kind: "thread", thread: threadNamed(name), event });
  }

  #onMessage(life: Life, message: FromWorker): void {
    const { name, reports } = this.#options;
    if (message.kind === "answer") life.caller.receive(message.answer);
    else if (message.kind === "background") reports([name, message.source].filter(Boolean).join(": "), message.report);
    else if (message.kind === "ready") this.#onReady(life);
    else this.#onRefused(unpackError(message.error));
  }

  #onReady(life: Life): void {
    if (life !== this.#life || life.end !== undefined) return;
    life.isReady = true;
    this.#pauseMs = RESTART_FIRST_MS;
    if (this.#isSettled) this.#options.logger.info(`The ${this.#options.name} is running again.`);
    this.#isSettled = true;
    this.#reportEvent({ kind: "ready" });
    this.gate.open();
  }

  #onRefused(error: Error): void {
    const { name, logger } = this.#options;
    const lastReason = this.#unavailableReason;
    this.#unavailableReason = refusalReason(error) ?? `the ${name} cannot start`;
    // The first refusal rejects `started`; each further reason is logged once.
    if (this.#isSettled && this.#unavailableReason !== lastReason) {
      logger.error({ err: error }, `The ${name} cannot start: ${error.message}`);
    }
    this.#isSettled = true;
    this.gate.refuse(error);
  }

  #onExpired(life: Life, call: string): void {
    const { name, logger, endsWhenLate = false } = this.#options;
    logger.error({ call }, `The ${name} did not answer a call of ${call} in time.`);
    this.#reportEvent({ kind: "expired" });
    if (endsWhenLate) this.#replace(life, "late");
  }

  /** Kills a worker, which is replaced once it has ended, or after `KILL_MS`. */
  #replace(life: Life, end: ThreadEnd): void {
    if (life.end !== undefined || this.#isClosing) return;
    life.end = end;
    this.#unavailableReason = `the ${this.#options.name} is restarting`;
    this.#dropCalls(life);
    life.worker.kill();
    setTimeout(() => {
      if (life !== this.#life || this.#endingCount >= ENDING_MAX) return;
      this.#endingCount += 1;
      life.worker.onExit(() => {
        this.#endingCount -= 1;
      });
      this.#onEnd(life, null);
    }, KILL_MS).unref();
  }

  #dropCalls({ caller, end = "stopped" }: Life): void {
    const reason = `the ${this.#options.name} stopped`;
    caller.dropAll(fail("STORE_UNAVAILABLE", { reason }, new CallEnd(end)));
  }

  #onEnd(life: Life, code: number | null): void {
    if (life !== this.#life) return;
    const { name, logger } = this.#options;
    this.#life = undefined;
    this.#dropCalls(life);
    this.gate.refuse(new Error(`The ${name} stopped at its start with code ${code}.`));
    if (this.#isClosing) return;
    if (life.isReady) {
      const { end = "stopped" } = life;
      this.#unavailableReason = `the ${name} is restarting`;
      logger.error({ code, reason: END_REASONS[end] }, `The ${name} stopped; it restarts in ${this.#pauseMs} ms.`);
      this.#reportEvent({ kind: "ended", reason: end });
    }
    sleep(this.#pauseMs, undefined, { signal: this.#restart.signal }).then(
      () => this.start(),
      () => undefined,
    );
    this.#pauseMs = Math.min(this.#pauseMs * 2, RESTART_LAST_MS);
  }
}

/** Closes a worker, or kills it after `closeMs`. Stops waiting for a thread that still runs (in a native call). */
async function endWorker(worker: WorkerHandle, closeMs: number): Promise<void> {
  const exit = new Promise<void>((resolve) => worker.onExit(() => resolve()));
  worker.post({ kind: "close" }, []);
  const killTimer = setTimeout(() => worker.kill(), closeMs);
  const waitEnd = new AbortController();
  await Promise.race([exit, sleep(closeMs + KILL_MS, undefined, { signal: waitEnd.signal }).catch(() => undefined)]);
  waitEnd.abort();
  clearTimeout(killTimer);
}

/** A promise that is settled once, and listeners that are called each time. */
interface Gate {
  /** Settled by the first call of `open` or `refuse`. A rejection that nobody awaits is ignored. */
  readonly passed: Promise<void>;
  open(): void;
  refuse(error: Error): void;
  /** Calls `listener` at each `open`. */
  onOpen(listener: () => void): void;
  /** Calls `listener` at each `refuse`. */
  onRefused(listener: (error: Error) => void): void;
}

function makeGate(): Gate {
  const openListeners: (() => void)[] = [];
  const refusedListeners: ((error: Error) => void)[] = [];
  let resolvePassed = (): void => undefined;
  let rejectPassed = (_: Error): void => undefined;
  const passed = new Promise<void>((resolve, reject) => {
    resolvePassed = resolve;
    rejectPassed = reject;
  });
  passed.catch(() => undefined);
  const open = (): void => {
    resolvePassed();
    for (const listener of openListeners) listener();
  };
  const refuse = (error: Error): void => {
    rejectPassed(error);
    for (const listener of refusedListeners) listener(error);
  };
  return {
    passed,
    open,
    refuse,
    onOpen: (listener) => void openListeners.push(listener),
    onRefused: (listener) => void refusedListeners.push(listener),
  };
}

/** Returns the reason of a failed start if clients may see it: that of a STORE_UNAVAILABLE. */
function refusalReason(error: Error): string | undefined {
  const params = error instanceof BinderyError && error.code === "STORE_UNAVAILABLE" ? error.params : undefined;
  return typeof params?.reason === "string" ? params.reason : undefined;
}

/** A watch over one worker, which detects that its event loop is blocked, or that its process is stopped. */
interface Signs {
  /** Notes a message of the worker, which is a sign of life. */
  note(): void;
  stop(): void;
}

interface SignOptions {
  /** Interval between probes, in milliseconds. */
  readonly everyMs: number;
  /** Returns the time without a message after which the worker counts as dead, in milliseconds. */
  silentMs(): number;
  /** Asks the worker for a message. */
  probe(): void;
  /** Called when the worker has missed two probes, and when it responds again. */
  onChange(isSilent: boolean): void;
  onDead(): void;
}

/**
 * Watches a worker. Counts probes instead of time, so that a suspended process does not declare its threads dead when
 * it resumes.
 */
function watchSigns({ everyMs, silentMs, probe, onChange, onDead }: SignOptions): Signs {
  let missed = -1;
  const timer = setInterval(() => {
    missed += 1;
    if (missed === 2) onChange(true);
    if (missed * everyMs >= silentMs()) onDead();
    else probe();
  }, everyMs).unref();
  return {
    note: () => {
      if (missed >= 2) onChange(false);
      missed = -1;
    },
    stop: () => clearInterval(timer),
  };
}
