/** Requests of the client: sending, retries, and errors. */
import type { Issue, Tombstone } from "./answers.js";

/** Options of a client. */
export interface ClientOptions {
  /** Address of the service: `https://records.example.org`, with its path if it has one. */
  readonly url: string | URL;
  /** Token, which drafts, own records and all writes need. */
  readonly token?: string;
  /** Function that sends requests; default: `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
  /** Maximum number of retries after a temporary failure; default 3. */
  readonly retries?: number;
  /** Maximum pause before a retry that the service may request, in seconds; default 60. */
  readonly retryWaitMax?: number;
}

/** Options of a call. */
export interface CallOptions {
  /** Ends the call, including pauses between retries: `AbortSignal.timeout(5_000)`. */
  readonly signal?: AbortSignal | undefined;
}

/** Parts of a request, except its method and path. */
export interface Request extends CallOptions {
  /** Parameters; undefined values are left out, each element of a list is sent. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Body, sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Value of a parameter. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

/**
 * Sends one request and returns the JSON of the answer; undefined if it has none.
 *
 * @param path below the service's address: `/api/records/mst`
 * @throws BinderyError
 */
export type Send = <Body>(method: string, path: string, request?: Request) => Promise<Body>;

/**
 * Requests an answer that is read as it arrives.
 *
 * @throws BinderyError
 */
export type Open = (path: string, request?: Request) => Promise<Response>;

/** Functions that send requests, with the same token, retries and errors. */
export interface Transport {
  readonly send: Send;
  readonly open: Open;
}

/** Creates the functions that send requests. @throws TypeError if `url` is not a URL */
export function makeTransport(options: ClientOptions): Transport {
  const { token, retries = 3, retryWaitMax = 60 } = options;
  const base = String(new URL(options.url)).replace(/\/+$/, "");
  // Called without an object: browsers refuse their fetch as a method of another object.
  const fetch = options.fetch ?? ((...args: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...args));

  const sendWithRetries = async <Answer>(
    [method, path, request]: readonly [string, string, Request],
    read: (response: Response) => Promise<Answer | BinderyError>,
  ): Promise<Answer> => {
    const url = `${base}${path}${queryText(request.query)}`;
    const headers = new Headers(request.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    // A POST whose answer was lost can be repeated: the service recognizes its key, and executes it once.
    if (method === "POST" && !headers.has("idempotency-key")) headers.set("idempotency-key", randomKey());
    const init: RequestInit = { method, headers, signal: request.signal ?? null };
    if (request.body !== undefined) {
      headers.set("content-type", "application/json");
      init.body = JSON.stringify(request.body);
    }
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(fetch, url, init, read);
      if (!(outcome instanceof BinderyError)) return outcome;
      const pause = pauseBefore(method, outcome, tries);
      if (pause === undefined || tries > retries || pause > retryWaitMax) throw outcome;
      await wait(pause, request.signal);
    }
  };
  return {
    send: async <Body>(method: string, path: string, request: Request = {}) =>
      (await sendWithRetries([method, path, request], readAnswer)).body as Body,
    open: (path, request = {}) =>
      sendWithRetries(["GET", path, request], async (response) =>
        response.ok ? response : toError(response, await response.text()),
      ),
  };
}

async function attempt<Answer>(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  read: (response: Response) => Promise<Answer | BinderyError>,
): Promise<Answer | BinderyError> {
  try {
    return await read(await fetch(url, init));
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    const message = `No answer came from ${url}: ${error instanceof Error ? error.message : error}.`;
    return new BinderyError({ status: 0, code: "UNREACHABLE", message }, { cause: error });
  }
}

async function readAnswer(response: Response): Promise<{ readonly body: unknown } | BinderyError> {
  const text = await response.text();
  if (!response.ok) return toError(response, text);
  if (text === "") return { body: undefined };
  const body = parseJson(text);
  return body === undefined ? toError(response, text) : { body: body.json };
}

/** Returns the error for a failed request. @param text body of the answer */
function toError({ ok, status, headers, url }: Response, text: string): BinderyError {
  const problem = ok ? undefined : parseJson(text)?.json;
  const retryAfter = readSeconds(headers.get("retry-after"));
  if (isProblem(problem)) {
    const { request_id, ...failure } = problem;
    return new BinderyError({ ...failure, status, retryAfter, requestId: request_id });
  }
  const requestId = headers.get("x-request-id") ?? undefined;
  const message = `${url} answered ${status}, but not with an answer of Bindery.`;
  return new BinderyError({ status, code: "UNEXPECTED_ANSWER", message, retryAfter, requestId });
}

function parseJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is Failure & { readonly request_id: string } {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

/** Reads Retry-After: a number of seconds, or a date if a proxy wrote it. */
function readSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function queryText(query: Request["query"] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) if (each !== undefined) parameters.append(name, String(each));
  }
  const text = String(parameters);
  return text === "" ? "" : `?${text}`;
}

/** Creates a random key. Browsers have `randomUUID` on secure pages only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Seconds before the first retry, if the service names none; each further pause is twice as long. */
const FIRST_PAUSE_SECONDS = 0.5;

/**
 * Returns the seconds to wait before a failed request is repeated; undefined if a retry could do harm or is useless. A
 * request over the rate limit had no effect. Other requests may have had one: a GET can be repeated, and a POST has a
 * key.
 *
 * @param tries number of attempts
 */
function pauseBefore(method: string, error: BinderyError, tries: number): number | undefined {
  const { status, code, retryAfter } = error;
  const isHarmless = method === "GET" || method === "POST";
  const isPassing = status === 503 || code === "UNREACHABLE" || code === "IDEMPOTENCY_KEY_BUSY";
  if (status !== 429 && !(isHarmless && isPassing)) return undefined;
  return retryAfter ?? FIRST_PAUSE_SECONDS * 2 ** (tries - 1);
}

/** Waits. @throws the reason of the signal */
function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1_000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Data of a failure. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly Issue[];
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly tombstone?: Tombstone | undefined;
}

/** Error of all methods, except that an aborted call throws the reason of its signal. Programs should use `code`. */
export class BinderyError extends Error {
  override readonly name = "BinderyError";
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /**
   * A code of docs/errors.md, `UNREACHABLE` if there was no complete answer, or `UNEXPECTED_ANSWER` if the answer was
   * not one of Bindery.
   */
  readonly code: string;
  /** Problems of the body or the parameters by place; often empty. */
  readonly errors: readonly Issue[];
  /** Id of the request, for questions to the operator. */
  readonly requestId: string | undefined;
  /** Seconds until the request may be repeated. */
  readonly retryAfter: number | undefined;
  /** Tombstone of a retracted record (`RECORD_GONE`). */
  readonly tombstone: Tombstone | undefined;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.status = failure.status;
    this.code = failure.code;
    this.errors = failure.errors ?? [];
    this.requestId = failure.requestId;
    this.retryAfter = failure.retryAfter;
    this.tombstone = failure.tombstone;
  }
}
