import type { AddressInfo } from "node:net";
import * as zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../../test/support/in-process-server.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startInProcess();
  await server.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());

const LARGE = "/api/vocabularies/organisms?size=10";
const get = (url: string, accept?: string, headers: Readonly<Record<string, string>> = {}) =>
  server.app.inject({ url, headers: { ...headers, ...(accept === undefined ? {} : { "accept-encoding": accept }) } });

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes),
  br: (bytes) => zlib.brotliDecompressSync(bytes),
  zstd: (bytes) => (zlib as unknown as { zstdDecompressSync(input: Buffer): Buffer }).zstdDecompressSync(bytes),
};
/** What a client takes most likely: Zstandard where this Node has it. */
const BEST = "zstdCompress" in zlib ? "zstd" : "br";

describe("a large answer", () => {
  it.each([
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["br;q=1.0, gzip;q=0.8", "br"],
    ["gzip;q=1.0, br;q=0.8", "gzip"],
    ["gzip, deflate, br, zstd", BEST],
    ["*", BEST],
    ["*;q=0.1, gzip", "gzip"],
    ["identity;q=0.5, gzip;q=0.9", "gzip"],
    ["GZIP", "gzip"],
  ])("is compressed for who asks for %s", async (accept, coding) => {
    const plain = await get(LARGE);
    const answer = await get(LARGE, accept);
    expect(answer.headers["content-encoding"]).toBe(coding);
    expect(answer.headers["content-length"]).toBe(String(answer.rawPayload.length));
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(decoders[coding]!(answer.rawPayload).toString()).toBe(plain.body);
    expect(answer.headers["content-type"]).toBe(plain.headers["content-type"]);
    expect([plain.headers.vary, answer.headers.vary]).toEqual(["accept, accept-encoding", "accept, accept-encoding"]);
  });

  it.each([undefined, "", "identity", "deflate", "gzip;q=0", "identity, gzip;q=0.5", "*;q=0", "gzip;q=x"])(
    "is sent as it is to who asks for %s",
    async (accept) => {
      const answer = await get(LARGE, accept);
      expect(answer.headers).not.toHaveProperty("content-encoding");
      expect(answer.json().hits.hits).toHaveLength(10);
    },
  );

  it("has the same length for HEAD, and no body", async () => {
    const headers = { "accept-encoding": "gzip" };
    const [head, whole] = [await server.app.inject({ method: "HEAD", url: LARGE, headers }), await get(LARGE, "gzip")];
    expect(head.rawPayload).toHaveLength(0);
    for (const name of ["content-encoding", "content-length", "vary"]) {
      expect(head.headers[name]).toBe(whole.headers[name]);
    }
  });

  it("is a page too", async () => {
    for (const url of ["/", "/api/docs", "/api/openapi.json"]) {
      expect((await get(url, "gzip")).headers["content-encoding"], url).toBe("gzip");
    }
  });
});

it("leaves what is small alone, errors too", async () => {
  for (const url of ["/healthz", "/api/vocabularies/languages/en", "/api/nothing"]) {
    const answer = await get(url, "gzip, br");
    expect(answer.rawPayload.length).toBeLessThan(1_024);
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(() => answer.json()).not.toThrow();
  }
});

it("keeps the ETag whatever the coding, and answers 304 without a body", async () => {
  const url = "/api/models/mst/schema";
  const [plain, packed] = [await get(url), await get(url, "br")];
  expect(packed.headers["content-encoding"]).toBe("br");
  expect(packed.headers.etag).toBe(plain.headers.etag);
  for (const tag of [plain.headers.etag, `W/${plain.headers.etag}`]) {
    const answer = await get(url, "br", { "if-none-match": String(tag) });
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([304, 0]);
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers.vary).toBe("accept-encoding");
  }
});

it("compresses streams, for clients that read them over a socket", async () => {
  const { port } = server.app.server.address() as AddressInfo;
  const ask = (coding: string) =>
    fetch(`http://127.0.0.1:${port}/api/changes`, {
      headers: { accept: "application/x-ndjson", "accept-encoding": coding },
    });
  const plain = await ask("identity");
  const text = await plain.text();
  expect(text.split("\n").length).toBeGreaterThan(100);
  for (const coding of ["gzip", "br"]) {
    const answer = await ask(coding);
    expect(answer.headers.get("content-encoding")).toBe(coding);
    expect(answer.headers.get("vary")).toBe("accept, accept-encoding");
    expect(await answer.text()).toBe(text);
  }
});

it("is an error that can be read where a stream fails before anything was sent", async () => {
  let pages = 0;
  const broken = await startInProcess({
    readChanges: async (request) => {
      if (++pages > 2) throw new Error("The disk is gone.");
      return { ...(await server.services.readChanges({ ...request, size: 100 })), isEnd: false };
    },
  });
  const headers = { accept: "application/x-ndjson", "accept-encoding": "gzip" };
  const answer = await broken.app.inject({ url: "/api/changes", headers });
  expect(answer.json()).toMatchObject({ status: 500, code: "INTERNAL" });
  expect(answer.headers).not.toHaveProperty("content-encoding");
  await broken.close();
});
