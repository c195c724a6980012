/** Keeps one worker (a thread or a process) running, and ends its calls with it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import type { ThreadEnd, ThreadEvent } from "../../core/background.js";
import { BinderyError, fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { threadNamed } from "../monitoring/background-reports.js";
import { CallEnd, type Caller, makeCaller } from "../rpc/caller.js";
import { unpackError } from "../rpc/rpc.js";
import { type Signs, watchSigns } from "./signs-of-life.js";
import type { FromWorker, Remote, Running, SuperviseOptions } from "./workers.js";

const RESTART_FIRST_MS = 100;
const RESTART_LAST_MS = 5_000;

/** How often a worker is asked for a sign of life. */
const PROBE_MS = 5_000;

/** How long a worker may take until it is ready. */
const START_MS = 10 * 60_000;

/** A thread in a native call (a statement of SQLite) ends only after that call; after this time it is replaced ... */
const KILL_MS = 10_000;

/** ... unless so many threads are ending already. */
const ENDING_MAX = 2;

/** One of the workers that run one after another. */
interface Life {
  readonly worker: Running;
  readonly caller: Caller;
  isReady: boolean;
  /** Why it is ended; undefined while nothing but the worker itself ends it. */
  end: ThreadEnd | undefined;
}

/** In words for the log. */
const WORDS = {
  stopped: "it stopped by itself",
  memory: "it needed more memory than it may have",
  silent: "it shows no sign of life",
  late: "one of its calls took too long",
} as const satisfies Record<ThreadEnd, string>;

/**
 * Starts a worker and keeps one running. A worker that ends by itself, or shows no sign of life, is logged, reported
 * and replaced, after a pause that doubles until one becomes ready. Calls that wait for it fail with STORE_UNAVAILABLE.
 */
export function supervise(options: SuperviseOptions): Remote {
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
  /** Has a worker been ready, or said why it cannot be? */
  #isSettled = false;
  #reason: string;
  #pauseMs = RESTART_FIRST_MS;
  /** Workers that were killed and still run. */
  #ending = 0;

  constructor(options: SuperviseOptions) {
    this.#options = options;
    this.#reason = `the ${options.name} is starting`;
  }

  get isReady(): boolean {
    return this.#life?.isReady === true && this.#life.end === undefined && !this.#isClosing;
  }

  get waiting(): number {
    return this.#life?.caller.waiting() ?? 0;
  }

  call(name: string, args: readonly unknown[]): Promise<unknown> {
    if (this.isReady) return this.#life!.caller.call(name, args);
    return Promise.reject(fail("STORE_UNAVAILABLE", { reason: this.#reason }));
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
      onChange: (isSilent) => void (life.isReady && this.#tell({ kind: isSilent ? "silent" : "ready" })),
      onDead: () => this.#replace(life, "silent"),
    });
  }

  #tell(event: ThreadEvent): void {
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
    this.#tell({ kind: "ready" });
    this.gate.open();
  }

  #onRefused(error: Error): void {
    const { name, logger } = this.#options;
    const lastReason = this.#reason;
    this.#reason = reasonOf(error) ?? `the ${name} cannot start`;
    // The first refusal belongs to the caller of `started`; each other reason is logged once.
    if (this.#isSettled && this.#reason !== lastReason) {
      logger.error({ err: error }, `The ${name} cannot start: ${error.message}`);
    }
    this.#isSettled = true;
    this.gate.refuse(error);
  }

  #onExpired(life: Life, call: string): void {
    const { name, logger, endsWhenLate = false } = this.#options;
    logger.error({ call }, `The ${name} did not answer a call of ${call} in time.`);
    this.#tell({ kind: "expired" });
    if (endsWhenLate) this.#replace(life, "late");
  }

  /** Kills a worker; another one replaces it once it has ended, or after `KILL_MS`. */
  #replace(life: Life, end: ThreadEnd): void {
    if (life.end !== undefined || this.#isClosing) return;
    life.end = end;
    this.#reason = `the ${this.#options.name} is restarting`;
    this.#dropCalls(life);
    life.worker.kill();
    setTimeout(() => {
      if (life !== this.#life || this.#ending >= ENDING_MAX) return;
      this.#ending += 1;
      life.worker.onExit(() => {
        this.#ending -= 1;
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
      this.#reason = `the ${name} is restarting`;
      logger.error({ code, reason: WORDS[end] }, `The ${name} stopped; it restarts in ${this.#pauseMs} ms.`);
      this.#tell({ kind: "ended", reason: end });
    }
    sleep(this.#pauseMs, undefined, { signal: this.#restart.signal }).then(
      () => this.start(),
      () => undefined,
    );
    this.#pauseMs = Math.min(this.#pauseMs * 2, RESTART_LAST_MS);
  }
}

/** Closes a worker, or kills it; a thread that even then does not end (a native call runs) is left behind. */
async function endWorker(worker: Running, closeMs: number): Promise<void> {
  const gone = new Promise<void>((resolve) => worker.onExit(() => resolve()));
  worker.post({ kind: "close" }, []);
  const kill = setTimeout(() => worker.kill(), closeMs);
  const leave = new AbortController();
  await Promise.race([gone, sleep(closeMs + KILL_MS, undefined, { signal: leave.signal }).catch(() => undefined)]);
  leave.abort();
  clearTimeout(kill);
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

/** Returns the reason of a failed start that clients may see: that of a STORE_UNAVAILABLE. */
function reasonOf(error: Error): string | undefined {
  const params = error instanceof BinderyError && error.code === "STORE_UNAVAILABLE" ? error.params : undefined;
  return typeof params?.reason === "string" ? params.reason : undefined;
}
