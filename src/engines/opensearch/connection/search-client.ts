import { type ApiResponse, Client, errors } from "@opensearch-project/opensearch";
import { isObject } from "../../../core/json.js";
import { isConnectionLost, mapError, unavailable, withoutRequest } from "./map-error.js";

/** A request to OpenSearch. */
interface OpenSearchRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "HEAD";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** An object, or lines of JSON as text. */
  readonly body?: object | string;
  /** Time without an answer after which the request fails. Default: that of all requests. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Client of OpenSearch for JSON requests. Before the first request it checks the server, so that a wrong URL is
 * reported as such.
 */
export interface SearchClient {
  /**
   * Sends a request.
   * @returns the parsed answer
   * @throws BinderyError SEARCH_UNAVAILABLE, QUERY_TOO_COSTLY; SearchRefusal
   */
  send<T>(request: OpenSearchRequest): Promise<T>;
  close(): Promise<void>;
}

/** Options of the client of OpenSearch. */
export interface SearchClientOptions {
  /** Such as `https://user:password@search.example:9200`; requests alternate between the nodes of a cluster. */
  readonly urls: readonly string[];
  /** Trusted authorities' certificates in PEM. Default: those that Node.js trusts. */
  readonly ca?: string | undefined;
}

/** Long enough for a bulk request that waits for a merge, short enough for a relay to notice a missing server. */
const TIMEOUT_MS = 60_000;

/** Makes a client. Nothing is sent before the first request. */
export function openSearchClient({ urls, ca }: SearchClientOptions): SearchClient {
  const client = new Client({
    nodes: [...urls],
    // Callers decide about retries: searches retry immediately, the relay after a pause.
    maxRetries: 0,
    requestTimeout: TIMEOUT_MS,
    ...(ca === undefined ? {} : { ssl: { ca } }),
  });
  let isChecked = false;
  return {
    send: async <T>(searchRequest: OpenSearchRequest): Promise<T> => {
      const { timeoutMs, signal } = searchRequest;
      if (!isChecked) {
        await checkServer(urls, () => request(client, { method: "GET", path: "/", timeoutMs, signal }));
        isChecked = true;
      }
      try {
        return (await request(client, searchRequest)).body as T;
      } catch (error) {
        if (!isRepeatable(searchRequest) || !isConnectionLost(error)) throw mapError(error);
      }
      try {
        return (await request(client, searchRequest)).body as T;
      } catch (error) {
        throw mapError(error);
      }
    },
    close: () => client.close(),
  };
}

async function request(
  client: Client,
  { method, path, query, body, timeoutMs, signal }: OpenSearchRequest,
): Promise<ApiResponse> {
  signal?.throwIfAborted();
  const parameters = { method, path, ...(query && { querystring: query }) };
  const response = client.transport.request(
    typeof body === "string" ? { ...parameters, bulkBody: body } : { ...parameters, ...(body && { body }) },
    timeoutMs === undefined ? {} : { requestTimeout: timeoutMs },
  );
  const abort = (): void => response.abort();
  signal?.addEventListener("abort", abort);
  try {
    return await response;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * Returns whether a request can be repeated. The other side may close a connection just when it is used, so read
 * requests are sent once more.
 */
const isRepeatable = ({ method, path }: OpenSearchRequest): boolean => method === "GET" || /\/_m?search$/u.test(path);

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
async function checkServer(urls: readonly string[], greet: () => Promise<Greeting>): Promise<void> {
  const fault = findFault(await greet().catch((error: unknown) => readRefusal(error, urls)));
  if (fault !== undefined) throw unavailable(fault);
}

/** Returns an answer that the client throws, if it shows what the server is. */
function readRefusal(error: unknown, urls: readonly string[]): Greeting {
  if (error instanceof errors.ResponseError && !UNDECIDED.has(error.statusCode ?? 0)) return error;
  if (error instanceof errors.DeserializationError) return { statusCode: 200, body: error.data, headers: null };
  if (isClosed(error) && urls.some((url) => url.startsWith("http:")))
    throw unavailable(
      `the search engine closed the connection; if it requires encryption, ${HTTPS}`,
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
  if (wantsHttps(body, headers?.location)) return `the search engine requires encryption: ${HTTPS}`;
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
