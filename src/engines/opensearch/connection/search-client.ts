import { type ApiResponse, Client } from "@opensearch-project/opensearch";
import { checkServer } from "./check-server.js";
import { isConnectionLost, mapError } from "./map-error.js";

export interface SearchRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "HEAD";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** JSON, or lines of JSON that are joined already. */
  readonly body?: object | string;
  /** After how long without an answer it is given up; absent: as all others. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * OpenSearch, as far as we use it: requests with JSON. Before the first one it is asked what it is, so that whoever
 * named another server is told so, and not what that does not understand.
 */
export interface SearchClient {
  /**
   * @returns the parsed answer
   * @throws BinderyError SEARCH_UNAVAILABLE, QUERY_TOO_COSTLY; SearchRefusal
   */
  send<T>(request: SearchRequest): Promise<T>;
  close(): Promise<void>;
}

export interface SearchClientOptions {
  /** `https://user:password@search.example:9200`; nodes of one cluster are asked in turn. */
  readonly urls: readonly string[];
  /** Certificates of the authorities that are trusted, in PEM; absent: those that Node.js trusts. */
  readonly ca?: string;
}

/** Long enough for a bulk that waits for a merge, short enough for a relay to be told that nobody answers. */
const TIMEOUT_MS = 60_000;

export function openSearchClient({ urls, ca }: SearchClientOptions): SearchClient {
  const client = new Client({
    nodes: [...urls],
    // When something is tried again is ours to say: a search at once, the relay after a pause.
    maxRetries: 0,
    requestTimeout: TIMEOUT_MS,
    ...(ca === undefined ? {} : { ssl: { ca } }),
  });
  let isKnown = false;
  return {
    send: async <T>(asked: SearchRequest): Promise<T> => {
      const { timeoutMs, signal } = asked;
      if (!isKnown) {
        await checkServer(urls, () => request(client, { method: "GET", path: "/", timeoutMs, signal }));
        isKnown = true;
      }
      try {
        return (await request(client, asked)).body as T;
      } catch (error) {
        if (!isRepeatable(asked) || !isConnectionLost(error)) throw mapError(error);
      }
      try {
        return (await request(client, asked)).body as T;
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
  const asked = { method, path, ...(query && { querystring: query }) };
  const sent = client.transport.request(
    typeof body === "string" ? { ...asked, bulkBody: body } : { ...asked, ...(body && { body }) },
    timeoutMs === undefined ? {} : { requestTimeout: timeoutMs },
  );
  const abort = (): void => sent.abort();
  signal?.addEventListener("abort", abort);
  try {
    return await sent;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** A connection may have been closed by the other side just when it was taken: what only reads is sent once more. */
const isRepeatable = ({ method, path }: SearchRequest): boolean => method === "GET" || /\/_m?search$/u.test(path);
