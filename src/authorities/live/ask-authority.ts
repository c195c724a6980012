import { LRUCache } from "lru-cache";
import type { BackgroundReporter, LookupOutcome } from "../../core/background.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import {
  AuthorityAwayError,
  AWAY_REASONS,
  type AwayReason,
  type LiveAuthority,
  type LiveItem,
  type LivePage,
} from "../../ports/live-authorities.js";
import { PassingFailure, requestJson } from "./get-json.js";
import { type GetJson, type Introduction, type JsonAnswer, type LiveSource, WrongAnswer } from "./live-source.js";
import { CrowdedError, makeBreaker, makeGate, makePace, OpenCircuitError, tryAgain } from "./patience.js";

/** How patient the service is with an authority, in milliseconds where nothing else is said. */
export interface Patience {
  /** Of one question, with all of its attempts. */
  readonly timeoutMs: number;
  /** Before the first further attempt; it grows, and differs at random. */
  readonly retryMs: number;
  /** How long nothing is asked after an outage. */
  readonly openMs: number;
}

export const PATIENCE: Omit<Patience, "timeoutMs"> = { retryMs: 200, openMs: 30_000 };

interface AskOptions extends Introduction {
  /** Address that `GetJson` begins at, without a slash at its end. */
  readonly url: string;
  readonly patience: Patience;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly background: BackgroundReporter;
}

/** Attempts of one question after the first one, where it failed quickly. */
const RETRIES = 2;

/** Failed questions in a row after which nothing is asked for a while (a circuit breaker). */
const FAILURES = 3;

/** Questions that are asked at once, and that wait. */
const AT_ONCE = 4;
const WAITING = 40;

/** Answers that are remembered: how many, and of how many UTF-16 units. */
const REMEMBERED = { max: 5_000, maxSize: 8 * 1024 * 1024 } as const;

/** When to ask again where the authority says nothing of it, in seconds. */
const RETRY_SECONDS = 30;

/**
 * One authority as the service asks it: each request paced, what failed quickly tried again, nothing asked for a while
 * after several failures, answers remembered, and the same question asked once for all who wait for it.
 */
export function askAuthority(source: LiveSource, options: AskOptions): LiveAuthority {
  const { name, title, ids } = source;
  const { background } = options;
  const ask = makeAsk(source, options);
  const remembered = new LRUCache<string, LiveItem | LivePage>({ ...REMEMBERED, sizeCalculation: lengthOf });
  const flying = new Map<string, Promise<LiveItem | LivePage>>();

  /** Asks, unless the answer is known or somebody asks already. */
  const once = <T extends LiveItem | LivePage>(
    key: string,
    question: (get: GetJson) => Promise<T>,
    said: (answer: T) => { readonly outcome: LookupOutcome; readonly seconds: number },
  ): Promise<T> => {
    const known = remembered.get(key) ?? flying.get(key);
    if (known !== undefined) return Promise.resolve(known as T | Promise<T>);
    const flight = ask(question).then(
      (answer) => {
        const { outcome, seconds } = said(answer);
        remembered.set(key, answer, { ttl: seconds * 1000 });
        background.onLookup(name, outcome);
        background.onBackgroundSuccess(`lookup-${name}`);
        return answer;
      },
      (error: AuthorityAwayError) => {
        background.onLookup(name, "away");
        const why = { authority: title, reason: AWAY_REASONS[error.reason], seconds: error.retrySeconds };
        background.onBackgroundError(`lookup-${name}`, fail("LOOKUP_UNAVAILABLE", why, error));
        throw error;
      },
    );
    flying.set(key, flight);
    const land = (): void => void flying.delete(key);
    flight.then(land, land);
    return flight;
  };

  return {
    name,
    title,
    hasForm: (id) => ids.test(id),
    find: (id) =>
      once(
        `id ${id}`,
        async (get) => {
          const found = await source.find(get, id, options);
          if (found.kind === "missing" || found.item.id === id) return found;
          throw new WrongAnswer(`asked for ${id}, it answered with ${String(found.item.id)}`);
        },
        ({ kind }) =>
          kind === "found"
            ? { outcome: "found", seconds: LIMITS.lookupFoundSeconds }
            : { outcome: "missing", seconds: LIMITS.lookupMissingSeconds },
      ),
    search: (text, page) =>
      once(
        `search ${page} ${text}`,
        (get) => source.search(get, text, page, options),
        () => ({ outcome: "searched", seconds: LIMITS.lookupFoundSeconds }),
      ),
  };
}

const lengthOf = (value: object): number => JSON.stringify(value).length;

type Ask = <T>(question: (get: GetJson) => Promise<T>) => Promise<T>;

/** @throws AuthorityAwayError, whatever happened */
function makeAsk({ perSecond }: LiveSource, { url, headers, patience }: AskOptions): Ask {
  const { timeoutMs, retryMs, openMs } = patience;
  const pace = makePace(perSecond);
  const gate = makeGate(AT_ONCE, WAITING);
  const breaker = makeBreaker(FAILURES, openMs, isFailure);
  const retries = { max: RETRIES, firstMs: retryMs, isWorth: (error: unknown) => error instanceof PassingFailure };
  let pausedUntil = 0;

  return async (question) => {
    const pause = Math.ceil((pausedUntil - performance.now()) / 1000);
    if (pause > 0) throw new AuthorityAwayError("paused", pause, `${url} asked for a pause of ${pause} s more`);
    const signal = AbortSignal.timeout(timeoutMs);
    const get: GetJson = async (path, query = {}) => {
      const address = addressOf(url, path, query);
      const request = async (): Promise<JsonAnswer> => {
        await pace(signal);
        return requestJson({ url: address, headers, signal });
      };
      return tryAgain(request, retries, signal);
    };
    try {
      return await gate(() => breaker(() => question(get)), signal);
    } catch (error) {
      const away = awayOf(error, openMs);
      if (away.reason === "paused") pausedUntil = performance.now() + away.retrySeconds * 1000;
      throw away;
    }
  };
}

/** That too many wait, or that it asks for a pause, is no fault of an authority. */
const isFailure = (error: unknown): boolean =>
  !(error instanceof AuthorityAwayError) && !(error instanceof CrowdedError);

function awayOf(error: unknown, openMs: number): AuthorityAwayError {
  if (error instanceof AuthorityAwayError) return error;
  const away = (reason: AwayReason, detail: string, seconds = RETRY_SECONDS): AuthorityAwayError =>
    new AuthorityAwayError(reason, seconds, detail, { cause: error });
  if (error instanceof OpenCircuitError) return away("silent", error.message, Math.ceil(openMs / 1000));
  if (error instanceof CrowdedError) return away("crowded", error.message);
  if (error instanceof PassingFailure) return away(error.isSilent ? "silent" : "failing", error.message);
  // What our own reading of an answer stumbles over is no reason to refuse a draft; the log has it.
  return away("unreadable", error instanceof Error ? error.message : String(error));
}

/** Steps and values are encoded, so that no text that was sent leads anywhere else. */
function addressOf(base: string, path: readonly string[], query: Readonly<Record<string, string | number>>): URL {
  // Encoded or not, these lead upwards.
  if (path.some((step) => step === "." || step === "..")) throw new TypeError("a step of a path cannot be dots");
  const address = new URL(base + path.map((step) => `/${encodeURIComponent(step)}`).join(""));
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
  return address;
}
