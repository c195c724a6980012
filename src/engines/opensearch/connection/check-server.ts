/** Is what answers at the URL an OpenSearch that can be used? */
import { type ApiResponse, errors } from "@opensearch-project/opensearch";
import { isObject } from "../../../core/json.js";
import { isConnectionLost, mapError, unavailable, withoutRequest } from "./map-error.js";

type Greeting = Pick<ApiResponse, "statusCode" | "body" | "headers">;

/** The oldest version that the suites pass on. */
const OLDEST = { major: 2, minor: 19 };
const NEEDED = `OpenSearch ${OLDEST.major}.${OLDEST.minor} or newer is needed`;

/** What an OpenSearch 2 says to be where clients shall take it for an Elasticsearch. */
const DISGUISE = "7.10.2";

const HTTPS = "BINDERY_SEARCH_URL has to begin with https://";

const FORBIDDEN = 403;
/** What answers so may answer otherwise later, or another user. */
const UNDECIDED: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);

/**
 * Asks a server what it is.
 * @param greet sends `GET /`
 * @throws BinderyError SEARCH_UNAVAILABLE: it does not answer, or it cannot be used, with what its operator has to do
 */
export async function checkServer(urls: readonly string[], greet: () => Promise<Greeting>): Promise<void> {
  const fault = faultOf(await greet().catch((error: unknown) => refusalIn(error, urls)));
  if (fault !== undefined) throw unavailable(fault);
}

/** An answer that the client throws, where that tells what the server is. */
function refusalIn(error: unknown, urls: readonly string[]): Greeting {
  if (error instanceof errors.ResponseError && !UNDECIDED.has(error.statusCode ?? 0)) return error;
  if (error instanceof errors.DeserializationError) return { statusCode: 200, body: error.data, headers: null };
  if (isClosed(error) && urls.some((url) => url.startsWith("http:")))
    throw unavailable(
      `the search engine closed the connection; if it wants encryption, ${HTTPS}`,
      withoutRequest(error),
    );
  throw mapError(error);
}

/** What an OpenSearch that wants encryption does without it, and one that ends just then. */
const isClosed = (error: unknown): error is Error =>
  isConnectionLost(error) && /\bsocket hang up\b|\bECONNRESET\b/u.test(error.message);

/** @returns undefined: nothing is wrong, or nothing is known: all but this answer may be allowed to a user */
function faultOf({ statusCode, body, headers }: Greeting): string | undefined {
  if (statusCode === FORBIDDEN) return undefined;
  if (wantsHttps(body, headers?.location)) return `the search engine wants encryption: ${HTTPS}`;
  const { number, distribution } = versionOf(body);
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

/** Servers that speak both redirect, or say so in words: "The plain HTTP request was sent to HTTPS port". */
const wantsHttps = (body: unknown, location: unknown): boolean =>
  (typeof location === "string" && location.startsWith("https:")) ||
  (typeof body === "string" && /\bHTTPS (?:port|server)\b/iu.test(body));

function versionOf(body: unknown): { readonly number?: string; readonly distribution?: unknown } {
  const version = isObject(body) ? body.version : undefined;
  if (!isObject(version) || typeof version.number !== "string") return {};
  return { number: version.number, distribution: version.distribution };
}

/** @param version `2.19.1`, `3.0.0-SNAPSHOT` */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
}
