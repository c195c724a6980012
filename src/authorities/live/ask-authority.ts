import type { BackgroundReporter, LookupOutcome } from "../../core/background.js";
import { type Cache, makeSingleFlight } from "../../core/caches.js";
import { fail } from "../../core/errors.js";
import type { Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import {
  AuthorityUnavailableError,
  type LiveAuthority,
  type LivePage,
  type LiveTerm,
  UNAVAILABLE_REASONS,
  type UnavailableReason,
} from "../../ports/authorities.js";
import { type GetJson, type Introduction, type JsonAnswer, type LiveSource, WrongAnswer } from "./live-source.js";
import { CrowdedError, makeBreaker, makeGate, makePace, OpenCircuitError, retry } from "./patience.js";

/** Time limits of requests to an authority, in milliseconds. */
export interface AuthorityTimeLimits {
  /** Limit of one request with all of its attempts. */
  readonly timeoutMs: number;
  /** Pause before the first retry; it grows and varies at random. */
  readonly retryMs: number;
  /** Time after an outage during which no request is sent. */
  readonly openMs: number;
}

/** Default time limits of requests to an authority. */
export const AUTHORITY_TIME_LIMITS: Omit<AuthorityTimeLimits, "timeoutMs"> = { retryMs: 200, openMs: 30_000 };

interface AskOptions extends Introduction {
  /** Base address for `GetJson`, without a final slash. */
  readonly url: string;
  readonly patience: AuthorityTimeLimits;
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
  const askOnce = async <T extends LiveTerm | LivePage>(
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
          background.onLookup(name, "unavailable");
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

/** A temporary failure, which is retried. */
export class PassingFailure extends Error {
  override readonly name = "PassingFailure";
  /** @param isSilent whether nothing arrived at all */
  constructor(
    message: string,
    readonly isSilent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Statuses of answers, which the source of the authority interprets. */
const ANSWERS: ReadonlySet<number> = new Set([200, 400, 404]);

/** Returns whether a status is worth a retry. */
const isPassing = (status: number): boolean => status >= 500 || status === 408;

/** Default pause of an authority that asks for one, and the maximum that is accepted, in seconds. */
const PAUSE_SECONDS = { default: 60, max: 3_600 } as const;

/** A request for JSON. */
interface JsonRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts the request. */
  readonly signal: AbortSignal;
}

/**
 * Reads a JSON answer of at most `LIMITS.lookupAnswerBytesMax` bytes. Redirects are not followed, so that only the
 * configured host is contacted.
 *
 * @throws PassingFailure, WrongAnswer, AuthorityUnavailableError ("paused")
 */
async function requestJson({ url, headers, signal }: JsonRequest): Promise<JsonAnswer> {
  const response = await fetch(url, { headers, signal, redirect: "manual" }).catch((error: unknown) => {
    throw new PassingFailure(`${url.origin} cannot be reached: ${describeCause(error)}`, true, { cause: error });
  });
  const { status } = response;
  if (!ANSWERS.has(status)) {
    await response.body?.cancel();
    throw toRefusal(status, url, response.headers);
  }
  const bytes = await readBounded(response, url);
  return { status: status as JsonAnswer["status"], body: parse(bytes, url) };
}

function toRefusal(status: number, { origin }: URL, headers: Headers): Error {
  if (status === 429) {
    const seconds = parseRetryAfter(headers.get("retry-after"));
    return new AuthorityUnavailableError(
      "paused",
      seconds,
      `${origin} answered 429; it is asked again in ${seconds} s`,
    );
  }
  if (isPassing(status)) return new PassingFailure(`${origin} answered ${status}`, false);
  const isRedirect = status >= 300 && status < 400;
  const detail = isRedirect ? `, a redirect to ${headers.get("location") ?? "nowhere"}, which is not followed` : "";
  return new WrongAnswer(`${origin} answered ${status}${detail}`);
}

/** Parses a `retry-after` header. @param text seconds, or a date */
function parseRetryAfter(text: string | null): number {
  if (text === null || text.trim() === "") return PAUSE_SECONDS.default;
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? PAUSE_SECONDS.default : Math.min(Math.max(1, Math.ceil(seconds)), PAUSE_SECONDS.max);
}

async function readBounded(response: Response, { origin }: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = response.body?.getReader();
    for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
      length += chunk.value.length;
      if (length > LIMITS.lookupAnswerBytesMax) {
        await reader?.cancel();
        break;
      }
      chunks.push(chunk.value);
    }
  } catch (error) {
    throw new PassingFailure(`the answer of ${origin} ended too early: ${describeCause(error)}`, false, {
      cause: error,
    });
  }
  if (length <= LIMITS.lookupAnswerBytesMax) return Buffer.concat(chunks);
  throw new WrongAnswer(`the answer of ${origin} has more than ${LIMITS.lookupAnswerBytesMax} bytes`);
}

function parse(bytes: Buffer, { origin }: URL): Json {
  try {
    return JSON.parse(bytes.toString("utf8")) as Json;
  } catch (error) {
    throw new WrongAnswer(`the answer of ${origin} is no JSON`, { cause: error });
  }
}

/** Returns the cause of an error of fetch. */
function describeCause(error: unknown): string {
  const { cause = error } = error as { readonly cause?: unknown };
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
}
