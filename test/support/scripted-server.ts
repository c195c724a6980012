import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface ScriptedServer {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  close(): Promise<void>;
}

/** Does one thing with each request, in turn; with all further ones the last. For what a real service rarely does. */
export async function startScripted(...script: ((response: ServerResponse) => void)[]): Promise<ScriptedServer> {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    arrived.push({ method, url, headers, body: Buffer.concat(chunks).toString("utf8") });
    script[Math.min(arrived.length, script.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with a status, JSON, and headers. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** Closes the connection in place of an answer. */
export function hangUp(response: ServerResponse): void {
  response.destroy();
}
