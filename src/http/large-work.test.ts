import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";
import { LARGE_RECORD_LENGTH } from "../core/limits.js";
import type { Services } from "../services/use-cases.js";

/** Requests of one caller at the same time. */
const REQUESTS = 4;
const JSON_TYPE = { "content-type": "application/json" };

let server: InProcessServer;
let caller: Record<string, string>;
let other: Record<string, string>;
let largeId: string;
let draftId: string;

/** Number of pieces of large work that have begun, and the largest number that ran at once. */
let begun: number;
let running: number;
let runningMax: number;
/** Large work does not end while this is pending. */
let mayEnd: Promise<void>;

/** The service, whose large work is counted and waits for the promise above. */
function watched<Name extends keyof Services>(
  name: Name,
  isLarge: (args: readonly unknown[]) => boolean,
): Services[Name] {
  const run = async (...args: readonly unknown[]): Promise<unknown> => {
    const work = server.services[name] as (...args: readonly unknown[]) => Promise<unknown>;
    if (!isLarge(args)) return work(...args);
    begun += 1;
    running += 1;
    runningMax = Math.max(runningMax, running);
    await mayEnd;
    running -= 1;
    return work(...args);
  };
  return run as Services[Name];
}

const isLargeBody = (args: readonly unknown[]): boolean =>
  args.some((each) => typeof each === "string" && each.length > LARGE_RECORD_LENGTH);
const mayBeLarge = (args: readonly unknown[]): boolean =>
  args.some((each) => (each as { mayBeLarge?: boolean } | undefined)?.mayBeLarge === true);

function largeBody(n: number): string {
  const { metadata } = makeRecord(n) as { metadata: object };
  const extra = Array.from({ length: 4_000 }, (_, i) => `${"-".repeat(40)}${i}`);
  return JSON.stringify({ metadata: { ...metadata, extra } });
}

async function send(method: "GET" | "POST" | "PUT", url: string, headers: object, payload?: string) {
  const body = payload === undefined ? {} : { payload };
  return server.app.inject({ method, url, headers: { ...headers, ...(payload && JSON_TYPE) }, ...body });
}

beforeAll(async () => {
  server = await startInProcess({
    exportRecord: watched("exportRecord", mayBeLarge),
    exportDraft: watched("exportDraft", mayBeLarge),
    validateRecord: watched("validateRecord", isLargeBody),
    createDraft: watched("createDraft", isLargeBody),
    replaceDraft: watched("replaceDraft", isLargeBody),
  });
  mayEnd = Promise.resolve();
  caller = { authorization: `Bearer ${await server.token("alice")}` };
  other = { authorization: `Bearer ${await server.token("bob")}` };
  largeId = (await send("POST", "/api/records/mst", caller, largeBody(1))).json().id;
  const published = await send("POST", `/api/records/mst/${largeId}/draft/actions/publish`, caller);
  expect(published.statusCode, published.body.slice(0, 500)).toBe(202);
  draftId = (await send("POST", "/api/records/mst", caller, largeBody(2))).json().id;
});
afterAll(() => server.close());
beforeEach(() => {
  begun = running = runningMax = 0;
});

describe("large work of one caller", () => {
  it.each([
    ["exports", () => send("GET", `/api/records/mst/${largeId}?format=jsonld`, caller)],
    ["downloads", () => send("GET", `/records/${largeId}/export/bibtex`, caller)],
    ["exports of drafts", () => send("GET", `/api/records/mst/${draftId}/draft?format=jsonld`, caller)],
    ["validations", () => send("POST", "/api/records/mst?validate=only", caller, largeBody(3))],
    ["deposits", () => send("POST", "/api/records/mst", caller, largeBody(4))],
    ["replacements", () => send("PUT", `/api/records/mst/${draftId}/draft`, caller, largeBody(5))],
  ])("is done one piece at a time, beside that of others: %s", async (_, request) => {
    let end = (): void => undefined;
    mayEnd = new Promise((resolve) => {
      end = resolve;
    });
    const answers = Array.from({ length: REQUESTS }, request);
    while (begun === 0) await sleep(1);
    await sleep(20);
    expect(begun).toBe(1);
    // The work of another caller begins at once.
    const others = send("GET", `/api/records/mst/${largeId}?format=jsonld`, other);
    while (begun === 1) await sleep(1);
    expect(running).toBe(2);
    end();
    for (const { statusCode, body } of await Promise.all([...answers, others])) {
      expect([200, 201], body.slice(0, 500)).toContain(statusCode);
    }
    expect([begun, runningMax]).toEqual([REQUESTS + 1, 2]);
  });

  it("does not hold up the caller's own small records", async () => {
    const { id } = (await send("POST", "/api/records/mst", caller, JSON.stringify(makeRecord(6)))).json();
    expect((await send("GET", `/api/records/mst/${id}/draft?format=jsonld`, caller)).statusCode).toBe(200);
    expect(begun).toBe(0);
  });
});
