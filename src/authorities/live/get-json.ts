import type { Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { AuthorityUnavailableError } from "../../ports/authorities.js";
import { type JsonAnswer, WrongAnswer } from "./live-source.js";

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
export async function requestJson({ url, headers, signal }: JsonRequest): Promise<JsonAnswer> {
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
