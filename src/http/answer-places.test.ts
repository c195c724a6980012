/** Answers are sent from memory that is used again: each is whole, however slowly it is read. */
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";

let server: InProcessServer;
let port: number;

beforeAll(async () => {
  server = await startInProcess();
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = server.app.server.address() as AddressInfo);
});
afterAll(() => server.close());

/** More than there are places for. */
const ANSWERS = 60;

/** Each answer says in its links what was asked. */
const path = (name: string): string => `/api/vocabularies/organisms?q=c*&size=100&lang=qaa-${name}`;
const nameIn = (body: string): string | undefined => {
  const { hits, links } = JSON.parse(body) as { hits: { hits: object[] }; links: { self: string } };
  return hits.hits.length > 20 ? /lang=qaa-(\w+)/.exec(links.self)?.[1] : undefined;
};
const names = (kind: string): string[] => Array.from({ length: ANSWERS }, (_, n) => `${kind}${n}`);

const get = async (name: string): Promise<string | undefined> =>
  nameIn(await (await fetch(`http://127.0.0.1:${port}${path(name)}`)).text());

/** Asks for all over one connection, and reads nothing yet. */
function askAll(asked: readonly string[]): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  socket.write(asked.map((name) => `GET ${path(name)} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  return socket;
}

/** The bodies of so many answers. */
async function bodiesOf(socket: Socket, count: number): Promise<string[]> {
  let read = Buffer.alloc(0);
  const bodies: string[] = [];
  for await (const chunk of socket) {
    read = Buffer.concat([read, chunk as Buffer]);
    for (;;) {
      const start = read.indexOf("\r\n\r\n") + 4;
      const length = Number(/^content-length: (\d+)/im.exec(read.subarray(0, start).toString())?.[1] ?? Infinity);
      if (start < 4 || read.length < start + length) break;
      bodies.push(read.subarray(start, start + length).toString());
      read = read.subarray(start + length);
    }
    if (bodies.length === count) break;
  }
  return bodies;
}

describe("answers in memory that is used again", () => {
  it("are whole for many at once, and for a client that reads late", async () => {
    const slow = askAll(names("slow"));
    expect(await Promise.all(names("fast").map(get))).toEqual(names("fast"));
    expect(await Promise.all(names("more").map(get))).toEqual(names("more"));
    expect((await bodiesOf(slow, ANSWERS)).map(nameIn)).toEqual(names("slow"));
  });

  it("are whole after clients that went away before they had theirs", async () => {
    for (const kind of ["gone", "left"]) askAll(names(kind)).destroySoon();
    expect(await Promise.all(names("after").map(get))).toEqual(names("after"));
    const { log } = server;
    expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
