import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, Gauge, type Registry } from "prom-client";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { RunLarge } from "../answers/reply.js";
import { callerOf, isSearch } from "./request-context.js";

type Release = () => void;

/** Search that waits for its turn. */
interface WaitingSearch {
  readonly textLength: number;
  start(): void;
}

/** Search that runs. */
interface Turn {
  /** Number of sweeps until the turn expires. */
  sweepsLeft: number;
  release(): void;
}

interface Queue {
  running: number;
  readonly waiting: Set<WaitingSearch>;
}

/** Interval of the checks for expired turns, in milliseconds. */
const SWEEP_MS = 5_000;

/** Turns of callers, see `makeTurns`. */
export interface Turns {
  /**
   * Waits until the next search of the caller may run.
   * @param textLength length of the request's body, which is kept in memory meanwhile, in UTF-16 units
   * @param client the client, which may disconnect while it waits
   * @returns a function to call when the search has ended
   * @throws SEARCHES_TOO_MANY; REQUEST_MALFORMED if the client disconnected
   */
  take(caller: string, textLength: number, client: Client): Promise<Release>;
  /** Returns the numbers of searches that run and that wait, and of turns that expired since the start. */
  count(): { readonly running: number; readonly waiting: number; readonly expired: number };
}

/** Response, which closes when the client disconnects. (A signal for each request would cost as much as routing.) */
type Client = Pick<ServerResponse, "destroyed" | "once" | "off">;

/**
 * Creates the turns of callers. A few searches of one caller run at a time, the rest wait in the order of their
 * arrival: with any number of connections, only a few searches of a caller run before those of other callers. A turn
 * that is not released within `LIMITS.searchTurnMsMax` expires.
 *
 * @param runningMax maximum number of searches of one caller that run at once
 * @param waitingTextMax maximum total length of the waiting bodies of one caller
 */
export function makeTurns(runningMax: number, waitingTextMax: number = LIMITS.searchesWaitingTextMax): Turns {
  const queues = new Map<string, Queue>();
  const turns = new Set<Turn>();
  let expired = 0;
  let sweeping: NodeJS.Timeout | undefined;
  const sweep = (): void => {
    for (const turn of turns) {
      if (--turn.sweepsLeft >= 0) continue;
      expired += 1;
      turn.release();
    }
    if (turns.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  };
  const begin = (caller: string, queue: Queue): Release => {
    const release = (): void => {
      if (!turns.delete(turn)) return;
      const [next] = queue.waiting;
      if (next !== undefined) {
        next.start();
        return;
      }
      queue.running -= 1;
      if (queue.running === 0) queues.delete(caller);
    };
    const turn: Turn = { sweepsLeft: LIMITS.searchTurnMsMax / SWEEP_MS, release };
    turns.add(turn);
    sweeping ??= setInterval(sweep, SWEEP_MS).unref();
    return release;
  };
  return {
    async take(caller, textLength, client) {
      const queue = queues.get(caller) ?? { running: 0, waiting: new Set() };
      queues.set(caller, queue);
      if (queue.running < runningMax) queue.running += 1;
      else if (hasRoom(queue.waiting, textLength, waitingTextMax)) await waitFor(queue, textLength, client);
      else throw tooMany();
      return begin(caller, queue);
    },
    count: () => ({
      running: turns.size,
      waiting: [...queues.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
      expired,
    }),
  };
}

/** Waits for the turn of a search that ended; the waiting search takes over its place. */
function waitFor({ waiting }: Queue, textLength: number, client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(late);
      client.off("close", leave);
      waiting.delete(entry);
      settle();
    };
    const leave = (): void => end(() => reject(fail("REQUEST_MALFORMED", { reason: "it ended too early" })));
    const late = setTimeout(() => end(() => reject(tooMany())), LIMITS.searchWaitMsMax);
    const entry: WaitingSearch = { textLength, start: () => end(resolve) };
    client.once("close", leave);
    waiting.add(entry);
    if (client.destroyed) leave();
  });
}

function hasRoom(waiting: ReadonlySet<WaitingSearch>, textLength: number, textMax: number): boolean {
  if (waiting.size >= LIMITS.searchesWaitingPerCallerMax) return false;
  if (textLength === 0) return true;
  let sum = textLength;
  for (const search of waiting) sum += search.textLength;
  return waiting.size === 0 || sum <= textMax;
}

const tooMany = () =>
  fail("SEARCHES_TOO_MANY", { max: LIMITS.searchesWaitingPerCallerMax, seconds: LIMITS.searchRetrySeconds });

/** Makes every search of the routes that are added after this call wait for a turn of its caller. */
export function addSearchTurns(app: FastifyInstance, registry: Registry | undefined): void {
  const turns = makeTurns(LIMITS.searchesRunningPerCallerMax);
  if (registry !== undefined) measureTurns(registry, turns, { name: "search", work: "searches" });
  // The HEAD route has the handler of its GET route, which waits already.
  const wrapped = new WeakSet<object>();
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    const { effort, waitsElsewhere } = route.config ?? {};
    if (effort === undefined || effort === "none" || waitsElsewhere || wrapped.has(handler)) return;
    const inTurn = async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      if (!isSearch(request)) return handler.call(this, request, reply);
      const { body } = request;
      const length = typeof body === "string" ? body.length : 0;
      const release = await turns.take(callerOf(request), length, reply.raw);
      try {
        return await handler.call(this, request, reply);
      } finally {
        release();
      }
    };
    wrapped.add(inTurn);
    route.handler = inTurn;
  });
}

/** Creates the turns of large work: one piece of work of each caller runs at a time, over all connections. */
export function makeLargeTurns(registry: Registry | undefined): RunLarge {
  const turns = makeTurns(LIMITS.largeWorksPerCallerMax, LIMITS.largeBodiesWaitingTextMax);
  if (registry !== undefined) measureTurns(registry, turns, { name: "large", work: "pages, exports and large bodies" });
  return async (request, reply, work, textLength = 0) => {
    const release = await turns.take(callerOf(request), textLength, reply.raw);
    try {
      const answer = await work();
      if (answer.madeMs !== undefined) request.madeMs = answer.madeMs;
      return answer;
    } finally {
      release();
    }
  };
}

function measureTurns(
  registry: Registry,
  turns: Turns,
  { name, work }: { readonly name: string; readonly work: string },
): void {
  new Gauge({
    name: `bindery_${name}_turns`,
    help: `Work of all callers that runs, and that waits for its turn: ${work}.`,
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { running, waiting } = turns.count();
      this.labels("running").set(running);
      this.labels("waiting").set(waiting);
    },
  });
  new Counter({
    name: `bindery_${name}_turns_expired_total`,
    help: `Turns that ended by themselves, because the work did not end: ${work}.`,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(turns.count().expired);
    },
  });
}

/** Limits on streams of results: each one keeps a snapshot of the store open and a thread busy. */
export interface StreamPlaces {
  /** Takes a place. @returns a function that releases it. @throws STREAMS_TOO_MANY */
  take(caller: string): () => void;
}

/** Creates the places of streams, limited per caller and in total. */
export function makeStreamPlaces(): StreamPlaces {
  const countByCaller = new Map<string, number>();
  let total = 0;
  return {
    take(caller) {
      const count = countByCaller.get(caller) ?? 0;
      if (count >= LIMITS.streamsPerCallerMax || total >= LIMITS.streamsMax) {
        const max = count >= LIMITS.streamsPerCallerMax ? LIMITS.streamsPerCallerMax : LIMITS.streamsMax;
        throw fail("STREAMS_TOO_MANY", { max, seconds: LIMITS.searchRetrySeconds });
      }
      countByCaller.set(caller, count + 1);
      total += 1;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const count = (countByCaller.get(caller) ?? 1) - 1;
        if (count === 0) countByCaller.delete(caller);
        else countByCaller.set(caller, count);
        total -= 1;
      };
    },
  };
}
