import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { callerOf, isSearch } from "./request-context.js";

type Release = () => void;

/** A search that waits for its turn. */
interface Waiting {
  readonly textLength: number;
  start(): void;
}

interface Queue {
  running: number;
  readonly waiting: Set<Waiting>;
}

export interface Turns {
  /**
   * Fulfilled when the caller's next search may run; call what it returns when that has ended.
   * @param textLength of the request's body, which is kept in memory meanwhile, in UTF-16 units
   * @param client where it has to wait, it may go away meanwhile
   * @throws SEARCHES_TOO_MANY; REQUEST_MALFORMED when the client went away
   */
  take(caller: string, textLength: number, client: Client): Promise<Release>;
}

/** Who asks: the response closes when it goes away. (A signal for each request would cost as much as its routing.) */
type Client = Pick<ServerResponse, "destroyed" | "once" | "off">;

/**
 * Searches of one caller run a few at a time, the rest wait in the order in which they came: so one caller, however
 * many connections it has, puts a few searches before those of all others, and not all that it sends.
 */
export function makeTurns(): Turns {
  const queues = new Map<string, Queue>();
  const releaseOf = (caller: string, queue: Queue): Release => {
    return () => {
      const [next] = queue.waiting;
      if (next !== undefined) return next.start();
      queue.running -= 1;
      if (queue.running === 0) queues.delete(caller);
    };
  };
  return {
    async take(caller, textLength, client) {
      const queue = queues.get(caller) ?? { running: 0, waiting: new Set() };
      queues.set(caller, queue);
      const release = releaseOf(caller, queue);
      if (queue.running < LIMITS.searchesRunningPerCallerMax) queue.running += 1;
      else await waitFor(queue, textLength, client);
      return release;
    },
  };
}

/** Who starts takes over the place of the search that ended. */
function waitFor({ waiting }: Queue, textLength: number, client: Client): Promise<void> {
  if (!hasRoom(waiting, textLength)) return Promise.reject(tooMany());
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(late);
      client.off("close", leave);
      waiting.delete(entry);
      settle();
    };
    const leave = (): void => end(() => reject(fail("REQUEST_MALFORMED", { reason: "it ended too early" })));
    const late = setTimeout(() => end(() => reject(tooMany())), LIMITS.searchWaitMsMax);
    const entry: Waiting = { textLength, start: () => end(resolve) };
    client.once("close", leave);
    waiting.add(entry);
    if (client.destroyed) leave();
  });
}

function hasRoom(waiting: ReadonlySet<Waiting>, textLength: number): boolean {
  if (waiting.size >= LIMITS.searchesWaitingPerCallerMax) return false;
  if (textLength === 0) return true;
  let sum = textLength;
  for (const one of waiting) sum += one.textLength;
  return waiting.size === 0 || sum <= LIMITS.searchesWaitingTextMax;
}

const tooMany = () =>
  fail("SEARCHES_TOO_MANY", { max: LIMITS.searchesWaitingPerCallerMax, seconds: LIMITS.searchRetrySeconds });

/** Lets every search of the routes that are added from now on wait for its caller's turn. */
export function addSearchTurns(app: FastifyInstance): void {
  const turns = makeTurns();
  // A route's HEAD is made of the route itself, whose handler waits already.
  const known = new WeakSet<object>();
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    const { effort } = route.config ?? {};
    if (effort === undefined || effort === "none" || known.has(handler)) return;
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
    known.add(inTurn);
    route.handler = inTurn;
  });
}
