import type { BackgroundReporter, LookupOutcome } from "../../core/background.js";
import { type Cache, makeSingleFlight } from "../../core/caches.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import {
  AuthorityUnavailableError,
  type LiveAuthority,
  type LiveItem,
  type LivePage,
  UNAVAILABLE_REASONS,
  type UnavailableReason,
} from "../../ports/authorities.js";
import { PassingFailure, requestJson } from "./get-json.js";
import { type GetJson, type Introduction, type JsonAnswer, type LiveSource, WrongAnswer } from "./live-source.js";
import { CrowdedError, makeBreaker, makeGate, makePace, OpenCircuitError, retry } from "./patience.js";

/** Patience of the service with an authority. Times are in milliseconds. */
export interface Patience {
  /** Limit of one question with all of its attempts. */
  readonly timeoutMs: number;
  /** Pause before the first retry; it grows and varies at random. */
  readonly retryMs: number;
  /** Time without questions after an outage. */
  readonly openMs: number;
}

export const PATIENCE: Omit<Patience, "timeoutMs"> = { retryMs: 200, openMs: 30_000 };

interface AskOptions extends Introduction {
  /** Base address for `GetJson`, without a final slash. */
  readonly url: string;
  readonly patience: Patience;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly background: BackgroundReporter;
  /** Keeps answers until they expire. */
  readonly cache: Cache;
}

/** Maximum number of retries of a question that failed quickly. */
const RETRIES = 2;

/** Number of consecutive failures that opens the circuit breaker. */
const FAILURES = 3;

/** Maximum numbers of concurrent and of waiting questions. */
const CONCURRENT_MAX = 4;
const WAITING_MAX = 40;

/** Default time before the next attempt, in seconds. */
const RETRY_SECONDS = 30;

/**
 * Makes an authority for live look-ups: requests are paced, quick failures are retried, nothing is sent for a while
 * after several failures, answers are cached, and concurrent identical look-ups are sent once.
 */
export function askAuthority(source: LiveSource, options: AskOptions): LiveAuthority {
  const { name, title, ids } = source;
  const { background, cache } = options;
  const ask = makeAsk(source, options);
  const once = makeSingleFlight();

  /** Asks, unless the answer is cached or the same question is being asked. */
  const askOnce = async <T extends LiveItem | LivePage>(
    question: string,
    send: (get: GetJson) => Promise<T>,
    describeAnswer: (answer: T) => { readonly outcome: LookupOutcome; readonly seconds: number },
  ): Promise<T> => {
    const key = `${name} ${question}`;
    const cached = cache.get<T>(key);
    if (cached !== undefined) return cached;
    return once(key, () =>
      ask(send).then(
        (answer) => {
          const { outcome, seconds } = describeAnswer(answer);
          cache.set(key, answer, 2 * JSON.stringify(answer).length, seconds * 1000);
          background.onLookup(name, outcome);
          background.onBackgroundSuccess(`lookup-${name}`);
          return answer;
        },
        (error: AuthorityUnavailableError) => {
          background.onLookup(name, "away");
          const why = { authority: title, reason: UNAVAILABLE_REASONS[error.reason], seconds: error.retrySeconds };
          background.onBackgroundError(`lookup-${name}`, fail("LOOKUP_UNAVAILABLE", why, error));
          throw error;
        },
      ),
    );
  };

  return {
    name,
    title,
    hasForm: (id) => ids.test(id),
    find: (id) =>
      askOnce(
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
      askOnce(
        `search ${page} ${text}`,
        (get) => source.search(get, text, page, options),
        () => ({ outcome: "searched", seconds: LIMITS.lookupFoundSeconds }),
      ),
  };
}

type Ask = <T>(question: (get: GetJson) => Promise<T>) => Promise<T>;

/** Makes a function that asks questions. @throws AuthorityUnavailableError for every failure */
function makeAsk({ perSecond }: LiveSource, { url, headers, patience }: AskOptions): Ask {
  const { timeoutMs, retryMs, openMs } = patience;
  const pace = makePace(perSecond);
  const gate = makeGate(CONCURRENT_MAX, WAITING_MAX);
  const breaker = makeBreaker(FAILURES, openMs, isFailure);
  const retries = { max: RETRIES, firstMs: retryMs, isWorth: (error: unknown) => error instanceof PassingFailure };
  let pausedUntil = 0;

  return async (question) => {
    const pause = Math.ceil((pausedUntil - performance.now()) / 1000);
    if (pause > 0) throw new AuthorityUnavailableError("paused", pause, `${url} asked for a pause of ${pause} s more`);
    const signal = AbortSignal.timeout(timeoutMs);
    const get: GetJson = async (path, query = {}) => {
      const address = makeAddress(url, path, query);
      const request = async (): Promise<JsonAnswer> => {
        await pace(signal);
        return requestJson({ url: address, headers, signal });
      };
      return retry(request, retries, signal);
    };
    try {
      return await gate(() => breaker(() => question(get)), signal);
    } catch (error) {
      const unavailable = toUnavailable(error, openMs);
      if (unavailable.reason === "paused") pausedUntil = performance.now() + unavailable.retrySeconds * 1000;
      throw unavailable;
    }
  };
}

/**
 * Returns whether the error is a failure of the authority. Too many waiting questions, or a requested pause, are not.
 */
const isFailure = (error: unknown): boolean =>
  !(error instanceof AuthorityUnavailableError) && !(error instanceof CrowdedError);

function toUnavailable(error: unknown, openMs: number): AuthorityUnavailableError {
  if (error instanceof AuthorityUnavailableError) return error;
  const unavailable = (reason: UnavailableReason, detail: string, seconds = RETRY_SECONDS): AuthorityUnavailableError =>
    new AuthorityUnavailableError(reason, seconds, detail, { cause: error });
  if (error instanceof OpenCircuitError) return unavailable("silent", error.message, Math.ceil(openMs / 1000));
  if (error instanceof CrowdedError) return unavailable("crowded", error.message);
  if (error instanceof PassingFailure) return unavailable(error.isSilent ? "silent" : "failing", error.message);
  // A fault of Bindery in reading an answer must not refuse a draft; it is logged.
  return unavailable("unreadable", error instanceof Error ? error.message : String(error));
}

/** Returns an address. Steps and values are encoded, so that no text leads to another place. */
function makeAddress(base: string, path: readonly string[], query: Readonly<Record<string, string | number>>): URL {
  // These lead upwards, encoded or not.
  if (path.some((step) => step === "." || step === "..")) throw new TypeError("a step of a path cannot be dots");
  const address = new URL(base + path.map((step) => `/${encodeURIComponent(step)}`).join(""));
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
  return address;
}
