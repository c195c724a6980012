import { type ApiResponse, Client } from "@opensearch-project/opensearch";
import { checkServer } from "./check-server.js";
import { isConnectionLost, mapError } from "./map-error.js";

export interface SearchRequest {
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
  send<T>(request: SearchRequest): Promise<T>;
  close(): Promise<void>;
}

export interface SearchClientOptions {
  /** Such as `https://user:password@search.example:9200`; requests alternate between the nodes of a cluster. */
  readonly urls: readonly string[];
  /** Trusted authorities' certificates in PEM. Default: those that Node.js trusts. */
  readonly ca?: string;
}

/** Long enough for a bulk request that waits for a merge, short enough for a relay to notice a missing server. */
const TIMEOUT_MS = 60_000;

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
    send: async <T>(searchRequest: SearchRequest): Promise<T> => {
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
  { method, path, query, body, timeoutMs, signal }: SearchRequest,
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
const isRepeatable = ({ method, path }: SearchRequest): boolean => method === "GET" || /\/_m?search$/u.test(path);
