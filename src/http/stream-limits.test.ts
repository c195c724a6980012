/** Limits of streamed results, over real sockets: how long one may take, and what a client sees of one that is cut. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";
import { LIMITS } from "../core/limits.js";

/** Some 20 MB in all, far more than the buffers of a connection and more than is read ahead at once. */
const RECORDS = 100;
/** Letters of a record in two texts, each shorter than one may be. */
const NOTE_LENGTH = 198_000;

let server: InProcessServer;
let port: number;

beforeAll(async () => {
  server = await startInProcess();
  const headers = { authorization: `Bearer ${await server.token("alice")}` };
  const post = async (url: string, payload?: object) => {
    const answer = await server.app.inject({ method: "POST", url, headers, ...(payload && { payload }) });
    expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(300);
    return answer.json();
  };
  for (let n = 0; n < RECORDS; n++) {
    const { metadata } = makeRecord(n);
    const { id } = await post("/api/records/mst", {
      metadata: { ...metadata, notes: Array(2).fill("x".repeat(NOTE_LENGTH / 2)) },
    });
    await post(`/api/records/mst/${id}/draft/actions/publish`);
  }
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = server.app.server.address() as AddressInfo);
}, 60_000);
afterAll(() => server.close());

/** The clock of streams stands still until a test moves it; everything else takes the time that it takes. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

/** Asks for the whole result, waits for its beginning, and reads nothing of it yet. */
async function ask(): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET /api/records/mst?format=ndjson HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

/** Reads to the end. @returns the number of bytes, and what they end with */
async function readAll(chunks: AsyncIterable<Buffer>): Promise<{ bytes: number; end: string }> {
  let [bytes, end] = [0, ""];
  for await (const chunk of chunks) {
    bytes += chunk.length;
    end = (end + chunk.toString("latin1")).slice(-20);
  }
  return { bytes, end };
}

/** The last chunk of a body that is whole (RFC 9112, 7.1). */
const WHOLE = /\r\n0\r\n\r\n$/;

describe("a result that is read for too long", () => {
  it("is cut, and is no whole one to its reader", async () => {
    const sockets = await Promise.all([ask(), ask()]);
    await vi.advanceTimersByTimeAsync(LIMITS.streamMsMax + 2_000);
    for (const socket of sockets) {
      const { bytes, end } = await readAll(socket);
      expect(bytes).toBeLessThan(RECORDS * NOTE_LENGTH);
      expect(end).not.toMatch(WHOLE);
    }
    // Their places are free again.
    const next = await readAll(await ask());
    expect(next.end).toMatch(WHOLE);
  });

  it("is a failed one to a client", async () => {
    // Unlike fetch, this client reads nothing ahead: the rest of the result waits in the server.
    const request = get({ port, path: "/api/records/mst?format=ndjson" });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    await vi.advanceTimersByTimeAsync(LIMITS.streamMsMax + 2_000);
    await expect(readAll(answer)).rejects.toThrow("aborted");
  });
});

it("waits for a reader who is slow, as long as that", async () => {
  const socket = await ask();
  await vi.advanceTimersByTimeAsync(LIMITS.streamMsMax - 2_000);
  const { bytes, end } = await readAll(socket);
  expect(bytes).toBeGreaterThan(RECORDS * NOTE_LENGTH);
  expect(end).toMatch(WHOLE);
});
