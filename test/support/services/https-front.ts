import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { LOCALHOST_CERTIFICATE } from "../localhost-certificate.js";

/** Encrypts and asks for a password, in front of a server; its certificate is `LOCALHOST_CERTIFICATE`. */
export interface HttpsFront {
  /** With a name and a password in it. */
  urlFor(user: string, password: string): string;
  close(): Promise<void>;
}

/** Lets one user through, with one password. */
export async function startHttpsFront(target: string, user: string, password: string): Promise<HttpsFront> {
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const server = createServer(LOCALHOST_CERTIFICATE, (incoming, answer) => {
    const { method = "GET", url = "", headers } = incoming;
    if (headers.authorization !== expected) {
      incoming.resume();
      return void answer.writeHead(401, { "www-authenticate": "Basic", "content-type": "text/plain" }).end("No.");
    }
    const { authorization: _, ...passed } = headers;
    const outgoing = request(`${target}${url}`, { method, headers: passed }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on("error", () => answer.writeHead(502).end());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (name, word) => `https://${encodeURIComponent(name)}:${encodeURIComponent(word)}@localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
