import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../../test/support/in-process-server.js";
import { LIMITS } from "../../core/limits.js";
import { parseRateLimits } from "../../core/rate-limits.js";
import { makeRepetitionTest } from "./kept-answers.js";

/** Reads for the requests of all tests but the last, which sends more. */
const READS = 60;
const LARGE = "/api/vocabularies/organisms?size=10";
const ITEM = "/api/vocabularies/organisms/taxid:562";
const OTHER = "/api/vocabularies/organisms/taxid:561";

const registry = new Registry();
let server: InProcessServer;
beforeAll(async () => {
  server = await startInProcess({}, PUBLIC_URL, {
    rateLimits: parseRateLimits(`anonymous-reads=${READS}`)!,
    metrics: { registry, audience: "everyone", isBehindProxy: false, text: () => registry.metrics() },
  });
});
afterAll(() => server.close());

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => server.app.inject({ url, headers });

/** After this the answer is kept. */
const getTwice = async (url: string) => {
  await get(url);
  return await get(url);
};

/** How many requests were answered by a kept answer while `work` ran. */
async function keptDuring(work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const text = await registry.metrics();
    return Number(/^bindery_answers_total\{source="kept"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

describe("an answer", () => {
  it("is kept where it is asked for again", async () => {
    const kept: number[] = [];
    for (const _ of [1, 2, 3, 4]) kept.push(await keptDuring(() => get(OTHER)));
    expect(kept).toEqual([0, 0, 1, 1]);
  });
});

describe("a kept answer", () => {
  it("has the headers of one that was made, its own id and the caller's own count", async () => {
    await get(ITEM);
    const made = await get(ITEM);
    const kept = await keptDuring(async () => {
      const again = await get(ITEM);
      const {
        "x-request-id": first,
        "ratelimit-remaining": left,
        "ratelimit-reset": _,
        date: __,
        ...headers
      } = made.headers;
      expect(headers).toMatchObject({ "access-control-allow-origin": "*", "x-content-type-options": "nosniff" });
      expect(again.headers).toMatchObject(headers);
      expect(again.headers["x-request-id"]).not.toBe(first);
      expect(again.headers["ratelimit-remaining"]).toBe(String(Number(left) - 1));
      expect(again.body).toBe(made.body);
    });
    expect(kept).toBe(1);
  });

  it("has its line in the log, and is counted", async () => {
    await getTwice(ITEM);
    const { headers } = await get(ITEM);
    const line = server.log.find(({ reqId }) => reqId === headers["x-request-id"]);
    expect(line).toMatchObject({ method: "GET", url: ITEM, status: 200, ip: "127.0.0.1" });
    const before = await countRequests();
    expect(await keptDuring(() => get(ITEM))).toBe(1);
    expect((await countRequests()) - before).toBe(1);
  });

  it.each(["gzip", "br"])("is compressed for all who take %s, and plain for others", async (coding) => {
    const plain = await get(LARGE);
    const answers = [await get(LARGE, { "accept-encoding": coding }), await get(LARGE, { "accept-encoding": coding })];
    const kept = await keptDuring(async () => answers.push(await get(LARGE, { "accept-encoding": coding })));
    expect(kept).toBe(1);
    for (const { headers, rawPayload } of answers) {
      expect(headers).toMatchObject({ "content-encoding": coding, vary: "accept, accept-encoding" });
      expect(headers["content-length"]).toBe(String(rawPayload.length));
      expect(rawPayload.equals(answers[0]!.rawPayload)).toBe(true);
    }
    const after = await get(LARGE);
    expect([after.body, after.headers]).toMatchObject([
      plain.body,
      { "content-length": plain.headers["content-length"] },
    ]);
    expect(after.headers).not.toHaveProperty("content-encoding");
  });

  it("has no body for HEAD, nor for whoever has it", async () => {
    const whole = await getTwice(ITEM);
    const kept = await keptDuring(async () => {
      const head = await server.app.inject({ method: "HEAD", url: ITEM });
      expect([head.statusCode, head.body]).toEqual([200, ""]);
      expect(head.headers["content-length"]).toBe(whole.headers["content-length"]);
      const same = await get(ITEM, { "if-none-match": String(whole.headers.etag) });
      expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, "", whole.headers.etag]);
    });
    expect(kept).toBe(2);
  });

  it("is sent to none whose request would be refused", async () => {
    await getTwice(ITEM);
    const kept = await keptDuring(async () => {
      expect((await get(ITEM, { authorization: "Bearer bnd_wrong" })).statusCode).toBe(401);
      expect((await get(ITEM, { "x-long": "a".repeat(LIMITS.urlBytesMax) })).statusCode).toBe(431);
      expect((await get(ITEM, { accept: "text/html" })).statusCode).toBe(406);
      for (let i = 0; i < READS; i++) await get("/api/models");
      const refused = await get(ITEM);
      expect(refused.json()).toMatchObject({ status: 429, code: "RATE_LIMITED" });
      expect(refused.headers).toMatchObject({ "ratelimit-limit": String(READS), "ratelimit-remaining": "0" });
    });
    expect(kept).toBe(0);
  });
});

async function countRequests(): Promise<number> {
  const text = await registry.metrics();
  const pattern = /^bindery_http_request_seconds_count\{.*route="\/api\/vocabularies\/:vocabulary\/:id".*\} (\d+)$/gm;
  return [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
}

const MANY = 16_384;

describe("a repeated URL", () => {
  it("is known from the second time on", () => {
    const isRepeated = makeRepetitionTest();
    expect([isRepeated("/a"), isRepeated("/b"), isRepeated("/a"), isRepeated("/a")]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it("is known after many others, and forgotten after twice as many", () => {
    const isRepeated = makeRepetitionTest();
    const askOthers = (from: number): void => {
      for (let i = 0; i < MANY; i++) isRepeated(`/other/${from + i}`);
    };
    isRepeated("/a");
    askOthers(0);
    expect(isRepeated("/a")).toBe(true);
    askOthers(MANY);
    askOthers(2 * MANY);
    expect(isRepeated("/a")).toBe(false);
  });
});
