import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../../test/support/in-process-server.js";
import { CLIENT_TIME_LIMITS } from "./connections.js";

const PATIENT = { headersMs: 400, requestMs: 900, keepAliveMs: 300, stallMs: 600, checkMs: 100 };

/** Closing may take as long as a client gets to read why, and a busy machine is slow. */
const SLACK_MS = 3_000;

const GET = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

const portOf = ({ app }: InProcessServer): number => (app.server.address() as AddressInfo).port;

/** A connection that is cut when the test ends. */
function open(server: InProcessServer, localAddress = "127.0.0.1"): Socket {
  const socket = connect({ port: portOf(server), host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** All that is answered until the connection ends. */
async function untilClosed(socket: Socket): Promise<{ text: string; ms: number }> {
  const begun = performance.now();
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  if (!socket.destroyed) await new Promise((resolve) => socket.once("close", resolve));
  return { text, ms: performance.now() - begun };
}

/** Sends one byte after the other until the connection ends. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => void (socket.writable ? socket.write(text) : clearInterval(timer)), 50);
  socket.once("close", () => clearInterval(timer));
}

describe("a client that takes its time", () => {
  let server: InProcessServer;
  let token: string;
  beforeAll(async () => {
    server = await startInProcess({}, PUBLIC_URL, { patience: PATIENT });
    token = await server.token("alice");
    await server.app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => server.close());

  it("has some seconds in fact", () => {
    expect(CLIENT_TIME_LIMITS).toEqual({
      headersMs: 20_000,
      requestMs: 120_000,
      keepAliveMs: 72_000,
      stallMs: 30_000,
      checkMs: 5_000,
    });
  });

  it("and says nothing is told so, and closed", async () => {
    const { text, ms } = await untilClosed(open(server));
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text).toContain('"code":"REQUEST_TIMEOUT"');
    expect(ms).toBeLessThan(PATIENT.headersMs + PATIENT.checkMs + SLACK_MS);
  });

  it("with its headers is closed", async () => {
    const socket = open(server);
    socket.write("GET /healthz HTTP/1.1\r\nX: ");
    drip(socket, "a");
    const { text, ms } = await untilClosed(socket);
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(ms).toBeLessThan(PATIENT.headersMs + PATIENT.checkMs + SLACK_MS);
  });

  it("with its body is closed", async () => {
    const socket = open(server);
    const head = `POST /api/records/mst HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`);
    drip(socket, " ");
    const { ms } = await untilClosed(socket);
    expect(ms).toBeGreaterThan(PATIENT.requestMs / 2);
    expect(ms).toBeLessThan(PATIENT.requestMs + PATIENT.checkMs + SLACK_MS);
  });

  it("until its next request is closed", async () => {
    const socket = open(server);
    socket.write(GET);
    const { text, ms } = await untilClosed(socket);
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    // Node adds a second, so that a client that counts the same time does not meet the end.
    expect(ms).toBeLessThan(PATIENT.keepAliveMs + 1_000 + SLACK_MS);
  });

  it("and does not read what it asked for is closed", async () => {
    const accepted = once(server.app.server, "connection") as Promise<[Socket]>;
    const socket = open(server);
    socket.pause();
    socket.write("GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(300));
    const [served] = await accepted;
    const begun = performance.now();
    await once(served, "close");
    // It is closed only after its answers fill the buffers of the system, which takes long on a busy machine.
    expect(performance.now() - begun).toBeGreaterThan(PATIENT.stallMs / 2);
  });

  it("to read, but reads, gets all of it", async () => {
    const socket = open(server);
    let length = 0;
    socket.on("data", (chunk) => {
      length += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), length > 2_000_000 ? 0 : 100);
    });
    const requests = Array.from({ length: 20 }, () => "GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n");
    socket.write(`${requests.join("\r\n")}Connection: close\r\n\r\n`);
    await new Promise((resolve) => socket.once("close", resolve));
    const { body } = await server.app.inject("/api/openapi.json");
    expect(length).toBeGreaterThan(20 * Buffer.byteLength(body));
  });

  it("because we do, waiting for a change, is let wait", async () => {
    const since = await server.services.readChangeHead();
    const answer = await fetch(`http://127.0.0.1:${portOf(server)}/api/changes?since=${since}&wait=1.5`);
    expect(await answer.json()).toEqual({ changes: [], next: since });
  });
});

describe("connections above the limit", () => {
  const isAnswered = async (socket: Socket): Promise<boolean> => {
    socket.write(GET);
    return new Promise((resolve) => {
      socket.once("data", () => resolve(true));
      socket.once("close", () => resolve(false));
    });
  };

  it("are refused, of one address and of all, while those that are open go on", async () => {
    const server = await startInProcess({}, PUBLIC_URL, { connections: { all: 4, perAddress: 2 } });
    onTestFinished(() => server.close());
    await server.app.listen({ host: "127.0.0.1", port: 0 });
    const [one, two] = [open(server), open(server)];
    expect([await isAnswered(one), await isAnswered(two)]).toEqual([true, true]);
    expect(await isAnswered(open(server))).toBe(false);
    const others = ["127.0.0.2", "127.0.0.3"].map((address) => open(server, address));
    for (const socket of others) expect(await isAnswered(socket)).toBe(true);
    expect(await isAnswered(open(server, "127.0.0.4"))).toBe(false);
    for (const socket of [one, two, ...others]) expect(await isAnswered(socket)).toBe(true);
    expect(server.log.filter(({ msg }) => String(msg).startsWith("Connections were refused"))).toHaveLength(1);
    one.destroy();
    await sleep(100);
    expect(await isAnswered(open(server))).toBe(true);
  });

  it("are none for a proxy that is trusted", async () => {
    const connections = { all: 100, perAddress: 1 };
    const server = await startInProcess({}, PUBLIC_URL, { connections, trustedProxies: ["127.0.0.0/30"] });
    onTestFinished(() => server.close());
    await server.app.listen({ host: "127.0.0.1", port: 0 });
    for (let n = 0; n < 3; n++) expect(await isAnswered(open(server))).toBe(true);
    expect(await isAnswered(open(server, "127.0.0.4"))).toBe(true);
    expect(await isAnswered(open(server, "127.0.0.4"))).toBe(false);
  });
});
