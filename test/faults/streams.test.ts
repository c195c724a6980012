/** Whole results over real sockets, from the built program: memory, readers that stop or go away, and what is held. */
import { once } from "node:events";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { publish } from "../support/deposit.js";
import type { Problem, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

/** Some 80 MB, far more than the buffers of any connection. */
const RECORDS = 1_500;
const NOTE_LENGTH = 50_000;

let bindery: Bindery;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startBindery();
  alice = await bindery.user("alice");
  const lines = Array.from({ length: RECORDS }, (_, n) => {
    const { metadata } = makeRecord(n);
    return JSON.stringify({ metadata: { ...metadata, note: "x".repeat(NOTE_LENGTH) } });
  });
  const file = join(bindery.data, "records.ndjson");
  writeFileSync(file, lines.join("\n"));
  const done = await bindery.program("import", "records", "mst", "--owner", "alice", "--publish", file);
  expect(done.code, done.stderr).toBe(0);
}, 180_000);
afterAll(() => bindery?.dispose());

/** Asks for the whole result, waits for its beginning, and reads nothing of it yet. */
async function ask(token?: string): Promise<Socket> {
  const { hostname, port } = new URL(bindery.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const caller = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
  socket.write(`GET /api/records/mst?format=ndjson HTTP/1.1\r\nHost: x\r\n${caller}Connection: close\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

/** Reads to the end. @returns the number of bytes, and what they end with */
async function readAll(socket: Socket): Promise<{ bytes: number; end: string }> {
  let bytes = 0;
  let end = "";
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    end = (end + chunk.toString("latin1")).slice(-20);
  }
  return { bytes, end };
}

/** The last chunk of a body that is whole (RFC 9112, 7.1). */
const WHOLE = /\r\n0\r\n\r\n$/;

/** Memory that the server has for itself, without the pages of the file that it maps, in megabytes. */
const memory = (): number =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${bindery.pid}/status`, "utf8"))![1]) / 1_024;

/** Processor time of the server, in hundredths of a second. */
function processorTime(): number {
  const stat = readFileSync(`/proc/${bindery.pid}/stat`, "utf8");
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  return user + system;
}

const logSize = (): number => statSync(join(bindery.data, "bindery.sqlite-wal"), { throwIfNoEntry: false })?.size ?? 0;

const statusOf = async (path: string): Promise<number> => (await alice.client.get(path)).status;

describe("a result of 80 MB", () => {
  it("is read in the same memory each time, whole", { timeout: 60_000 }, async () => {
    // The first ones fill the page cache, and what a thread keeps of memory that it does not need any more.
    for (let i = 0; i < 3; i++) await readAll(await ask());
    const before = memory();
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, memory());
    }, 20);
    const { bytes, end } = await readAll(await ask());
    clearInterval(timer);
    expect(bytes).toBeGreaterThan(RECORDS * NOTE_LENGTH);
    expect(end).toMatch(WHOLE);
    expect(most - before).toBeLessThan(60);
  });

  it("waits for a reader who stops, without any work, while others search and write", { timeout: 60_000 }, async () => {
    const socket = await ask();
    await sleep(1_000);
    const [time, held] = [processorTime(), memory()];
    await sleep(1_500);
    expect(processorTime() - time).toBeLessThan(30);
    expect(memory() - held).toBeLessThan(20);
    const late = await publish(alice.client, makeRecord(5_000));
    const found = await alice.client.get<SearchBody>(`/api/search?q=id:${late.id}`);
    expect(found.body.hits.total).toBe(1);
    // What it shows is kept for it.
    await sleep(1_500);
    expect(logSize()).toBeGreaterThan(0);
    const { bytes, end } = await readAll(socket);
    expect(bytes).toBeGreaterThan(RECORDS * NOTE_LENGTH);
    expect(end).toMatch(WHOLE);
    await expect.poll(logSize, { timeout: 15_000 }).toBe(0);
  });

  it("ends with its connection, and gives back its place and what it held", { timeout: 60_000 }, async () => {
    const sockets = await Promise.all(Array.from({ length: LIMITS.streamsPerCallerMax }, () => ask()));
    const anonymous = (path: string) => bindery.client.get(path).then(({ status }) => status);
    await expect.poll(() => anonymous("/api/search?format=csl&q=id:none"), { timeout: 10_000 }).toBe(429);
    expect(await anonymous("/api/search?size=1")).toBe(200);
    // Others have places of their own.
    expect(await statusOf("/api/search?format=csl&q=id:none")).toBe(200);
    const late = await publish(alice.client, makeRecord(5_001));
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => anonymous("/api/search?format=csl&q=id:none"), { timeout: 10_000 }).toBe(200);
    expect(await statusOf(`/api/records/${late.id}`)).toBe(200);
    await expect.poll(logSize, { timeout: 15_000 }).toBe(0);
  });

  it("has so many places for all readers, tells the next one when to come back, and lets it in then", async () => {
    const readers = LIMITS.streamsMax / LIMITS.streamsPerCallerMax;
    const users = await Promise.all(Array.from({ length: readers }, (_, n) => bindery.user(`reader${n}`)));
    const sockets = await Promise.all(users.flatMap(({ token }) => [ask(token), ask(token)]));
    const next = await alice.client.get<Problem>("/api/search?format=csl&q=id:none");
    expect([next.status, next.headers["retry-after"]]).toEqual([429, String(LIMITS.searchRetrySeconds)]);
    expect(next.body.code).toBe("STREAMS_TOO_MANY");
    expect(next.body.message).toContain(`At most ${LIMITS.streamsMax} results`);
    // Who reads pages waits for none of them.
    expect(await statusOf("/api/search?size=1")).toBe(200);
    sockets.pop()!.destroy();
    await expect.poll(() => statusOf("/api/search?format=csl&q=id:none"), { timeout: 10_000 }).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(logSize, { timeout: 15_000 }).toBe(0);
  }, 60_000);

  it("is cut where too much is written meanwhile, so that the log can be emptied", { timeout: 60_000 }, async () => {
    const socket = await ask();
    await publish(alice.client, makeRecord(5_002));
    // As long as if so much had been written: what is behind its last entry is not read.
    truncateSync(join(bindery.data, "bindery.sqlite-wal"), LIMITS.streamLogBytesMax + 1);
    await expect.poll(logSize, { timeout: 15_000 }).toBe(0);
    const { bytes, end } = await readAll(socket);
    expect(bytes).toBeLessThan(RECORDS * NOTE_LENGTH);
    expect(end).not.toMatch(WHOLE);
    expect((await readAll(await ask())).end).toMatch(WHOLE);
  });
});
