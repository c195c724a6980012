/** Check that the server at the URL is a supported OpenSearch. */
import { type ApiResponse, errors } from "@opensearch-project/opensearch";
import { isObject } from "../../../core/json.js";
import { isConnectionLost, mapError, unavailable, withoutRequest } from "./map-error.js";

type Greeting = Pick<ApiResponse, "statusCode" | "body" | "headers">;

/** The oldest version that passes the test suites. */
const OLDEST_VERSION = { major: 2, minor: 19 };
const NEEDED = `OpenSearch ${OLDEST_VERSION.major}.${OLDEST_VERSION.minor} or newer is needed`;

/** Version that an OpenSearch 2 reports if clients are meant to take it for Elasticsearch. */
const DISGUISE = "7.10.2";

const HTTPS = "BINDERY_SEARCH_URL has to begin with https://";

const FORBIDDEN = 403;
/** Status codes after which the answer may differ later, or for another user. */
const UNDECIDED: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);

/**
 * Checks a server.
 * @param greet sends `GET /`
 * @throws BinderyError SEARCH_UNAVAILABLE if it does not answer or is not supported, with what its operator can do
 */
export async function checkServer(urls: readonly string[], greet: () => Promise<Greeting>): Promise<void> {
  const fault = findFault(await greet().catch((error: unknown) => readRefusal(error, urls)));
  if (fault !== undefined) throw unavailable(fault);
}

/** Returns an answer that the client throws, if it shows what the server is. */
function readRefusal(error: unknown, urls: readonly string[]): Greeting {
  if (error instanceof errors.ResponseError && !UNDECIDED.has(error.statusCode ?? 0)) return error;
  if (error instanceof errors.DeserializationError) return { statusCode: 200, body: error.data, headers: null };
  if (isClosed(error) && urls.some((url) => url.startsWith("http:")))
    throw unavailable(
      `the search engine closed the connection; if it wants encryption, ${HTTPS}`,
      withoutRequest(error),
    );
  throw mapError(error);
}

/** Returns whether the connection was closed, as by an OpenSearch that requires encryption, or one that is stopping. */
const isClosed = (error: unknown): error is Error =>
  isConnectionLost(error) && /\bsocket hang up\b|\bECONNRESET\b/u.test(error.message);

/** Returns what is wrong with the server; undefined if nothing is, or if the user may not read this answer. */
function findFault({ statusCode, body, headers }: Greeting): string | undefined {
  if (statusCode === FORBIDDEN) return undefined;
  if (wantsHttps(body, headers?.location)) return `the search engine wants encryption: ${HTTPS}`;
  const { number, distribution } = readVersion(body);
  if (number === undefined)
    return `what answers at BINDERY_SEARCH_URL is no OpenSearch: its answer (${statusCode}) names no version`;
  if (distribution !== "opensearch") return `BINDERY_SEARCH_URL leads to Elasticsearch ${number}, and ${NEEDED}`;
  if (number === DISGUISE)
    return (
      `the OpenSearch of BINDERY_SEARCH_URL says that its version is ${DISGUISE}: set ` +
      `compatibility.override_main_response_version to false in it; ${NEEDED}`
    );
  return isNewEnough(number) ? undefined : `BINDERY_SEARCH_URL leads to OpenSearch ${number}, and ${NEEDED}`;
}

/**
 * Returns whether the server requires HTTPS. Servers for both redirect, or answer "The plain HTTP request was sent to
 * HTTPS port".
 */
const wantsHttps = (body: unknown, location: unknown): boolean =>
  (typeof location === "string" && location.startsWith("https:")) ||
  (typeof body === "string" && /\bHTTPS (?:port|server)\b/iu.test(body));

function readVersion(body: unknown): { readonly number?: string; readonly distribution?: unknown } {
  const version = isObject(body) ? body.version : undefined;
  if (!isObject(version) || typeof version.number !== "string") return {};
  return { number: version.number, distribution: version.distribution };
}

/** Returns whether the version is supported. @param version such as `2.19.1` or `3.0.0-SNAPSHOT` */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST_VERSION.major || (major === OLDEST_VERSION.major && minor >= OLDEST_VERSION.minor);
}
