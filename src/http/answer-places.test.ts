/** Answers are sent from memory that is used again: each is whole, however slowly it is read. */
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { builtInCatalog } from "../../test/support/catalog.js";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";
import { isPlace } from "./answers/answer-memory.js";
import { makeSearchAnswers, type SearchAnswers } from "./answers/search-answers.js";
import type { ServerOptions } from "./server.js";

let server: InProcessServer;
let port: number;
let made: SearchAnswers;
/** Number of answers of terms that were made, and whether the last one was in memory that is lent. */
let answered = 0;
let wasLent: boolean;

const answers: Pick<SearchAnswers, "answerTermSearch"> = {
  async answerTermSearch(...asked) {
    const body = await made.answerTermSearch(...asked);
    wasLent = isPlace(body.bytes);
    answered += 1;
    return body;
  },
};

beforeAll(async () => {
  server = await startInProcess({}, PUBLIC_URL, { answers: answers as ServerOptions["answers"] });
  made = makeSearchAnswers(server.services, builtInCatalog());
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

  it("holds no place for answers that wait behind another one of a connection that breaks", async () => {
    const since = await server.services.readChangeHead();
    const [before, behind] = [answered, names("behind")];
    const socket = connect(port, "127.0.0.1");
    const first = `GET /api/changes?since=${since}&wait=30 HTTP/1.1\r\nHost: x\r\n\r\n`;
    socket.write(first + behind.map((name) => `GET ${path(name)} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
    await vi.waitFor(() => expect(answered - before).toBe(ANSWERS));
    socket.destroy();
    // With the places of those there would be none for this one.
    expect(await get("alone")).toBe("alone");
    expect(wasLent).toBe(true);
  });
});
