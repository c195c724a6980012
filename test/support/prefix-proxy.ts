import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A reverse proxy in front of services, as nginx with `location <prefix>/ { proxy_pass <targets>/; }`. */
export interface PrefixProxy {
  /** `http://127.0.0.1:<port><prefix>`, without a slash at its end. */
  readonly url: string;
  /** Forwards to these addresses in turn from now on. */
  passTo(...targets: readonly string[]): void;
  close(): Promise<void>;
}

/** As much as the service takes. */
const HEADERS_MAX = 64 * 1_024;

/** Listens on loopback. @param prefix `/repo` or none; whatever is outside of it is a 404 of the proxy's own */
export async function startPrefixProxy(prefix: string): Promise<PrefixProxy> {
  let targets: readonly string[] = [];
  let next = 0;
  const server = createServer({ maxHeaderSize: HEADERS_MAX }, (incoming, answer) => {
    const { method = "GET", url = "", headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) return void answer.writeHead(404, { "x-answered-by": "proxy" }).end();
    const outgoing = request(
      targets[next++ % targets.length] + url.slice(prefix.length),
      { method, headers },
      (response) => {
        // These are about the connection behind the proxy, not about the one in front of it.
        const { connection: _, "keep-alive": __, ...passed } = response.headers;
        answer.writeHead(response.statusCode ?? 502, passed);
        response.pipe(answer);
      },
    );
    outgoing.on("error", () => answer.writeHead(502).end());
    incoming.pipe(outgoing);
  });
  // Idle connections stay: one that ended just as a test used it again would be an error of that test.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    passTo: (...addresses) => {
      targets = addresses;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
