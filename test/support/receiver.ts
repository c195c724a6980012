import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

/** A delivery as it arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly delivery: {
    readonly id: string;
    readonly change: {
      readonly seq: number;
      readonly kind: string;
      readonly action: string;
      readonly id: string;
      readonly model?: string;
      readonly vocabulary?: string;
      readonly revision_id: number;
      readonly links: { readonly self: string };
    };
  };
}

/** What to answer: a status, or anything that is done with the response. */
export type Behaviour = (received: Received, response: ServerResponse) => number | undefined;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** In the order of arrival, failed tries too. */
  readonly received: readonly Received[];
  /** Answers from now on. */
  behave(behaviour: Behaviour): void;
  /** How many requests were open at once, at most. */
  mostAtOnce(): number;
  close(): Promise<void>;
}

/** A receiver of webhooks on loopback, `https://localhost` with `tls`; it answers 204 until it is told otherwise. */
export async function startReceiver(port = 0, tls?: Pick<ServerOptions, "key" | "cert">): Promise<Receiver> {
  const received: Received[] = [];
  let behaviour: Behaviour = () => 204;
  let open = 0;
  let most = 0;
  const listener: RequestListener = (request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on("close", () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const entry: Received = { headers: request.headers, body, delivery: JSON.parse(body) as Received["delivery"] };
      received.push(entry);
      const status = behaviour(entry, response);
      if (status !== undefined) response.writeHead(status).end();
    });
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    url: `${tls === undefined ? "http://127.0.0.1" : "https://localhost"}:${taken}/hook`,
    received,
    behave: (next) => {
      behaviour = next;
    },
    mostAtOnce: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns whether somebody else's implementation of Standard Webhooks takes it for genuine. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
