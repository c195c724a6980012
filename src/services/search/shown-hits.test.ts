import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../../test/support/in-process-server.js";
import { makeRecord } from "../../../test/support/records.js";
import { ANONYMOUS } from "../../core/actor.js";
import { makeCaches } from "../../core/caches.js";
import type { JsonObject } from "../../core/json.js";
import type { RecordHit } from "../api/searches.js";
import { makeHitBeginnings } from "./shown-hits.js";

const RESULTS = 600;
const RESULTS_PATH = "metadata.general_parameters.results";

function largeMetadata(): JsonObject {
  const { metadata } = makeRecord(1, { title: "Largest" });
  const general = metadata.general_parameters as JsonObject;
  const [result] = general.results as JsonObject[];
  const results = Array.from({ length: RESULTS }, (_, i) => ({ ...result, id: `result-${i}` }));
  return { ...metadata, general_parameters: { ...general, results } };
}

const hitOf = (json: string): RecordHit => ({
  id: "abcde-fghij",
  parent: "parent",
  owner: "ada",
  state: "published",
  isPublished: true,
  model: "mst",
  revision: 1,
  json,
});

describe("the beginning of a hit", () => {
  it("is a small record itself", async () => {
    const hit = hitOf(JSON.stringify(makeRecord(1)));
    expect((await makeHitBeginnings(makeCaches())([hit]))[0]).toBe(hit);
  });

  it("has the beginnings of texts and lists of a large record, and counts what its lists lack", async () => {
    const nested = Array.from({ length: 3 }, () => ({ inner: Array.from({ length: 900 }, (_, i) => i) }));
    const metadata = { ...largeMetadata(), "a/b": nested, text: "x".repeat(100_000) };
    const dates = { created: "2026-01-02T03:04:05.000000+00:00", updated: "2026-01-02T03:04:05.000000+00:00" };
    const place = { parent: { id: "parent", owner: { user: "ada" } }, versions: { index: 1, is_latest: true } };
    const body = { id: "abcde-fghij", model: "mst", revision_id: 1, state: "published", ...dates, ...place, metadata };
    const json = JSON.stringify(body);
    const [cut] = await makeHitBeginnings(makeCaches())([hitOf(json)]);
    expect(cut!.json.length).toBeLessThan(100_000);
    const left = JSON.parse(cut!.json).metadata;
    const shown = left.general_parameters.results.length;
    expect(shown).toBeLessThan(100);
    expect(cut!.elementsLeft?.get(RESULTS_PATH)).toBe(RESULTS - shown);
    expect(cut!.elementsLeft?.get("metadata.a/b.inner")).toBe(3 * (900 - left["a/b"][0].inner.length));
    expect(left.text).toBe(`${"x".repeat(1_000)}…`);
  });
});

describe("a search", () => {
  let server: InProcessServer;
  beforeAll(async () => {
    server = await startInProcess();
    const headers = { authorization: `Bearer ${await server.token("alice")}` };
    const payload = { metadata: largeMetadata() };
    const draft = await server.app.inject({ method: "POST", url: "/api/records/mst", headers, payload });
    const url = `/api/records/mst/${draft.json().id}/draft/actions/publish`;
    expect((await server.app.inject({ method: "POST", url, headers })).statusCode).toBe(202);
  });
  afterAll(() => server.close());

  it("answers pages with beginnings, and the API with whole records", async () => {
    const asked = { window: { page: 1, size: 10 }, filters: {}, facetSize: 0, lang: "en", own: false };
    const [whole] = (await server.services.searchRecords(ANONYMOUS, asked)).hits;
    const [cut] = (await server.services.searchRecords(ANONYMOUS, { ...asked, beginnings: true })).hits;
    expect(whole!.json.length).toBeGreaterThan(5 * cut!.json.length);
    const ids = await server.services.fetchRecords(ANONYMOUS, { ...asked, beginnings: true }, [whole!.id]);
    expect(ids.hits[0]!.json).toBe(cut!.json);
  });

  it.each(["/search", "/search?q=largest", "/"])("shows the number of results on %s", async (url) => {
    const { body } = await server.app.inject({ url, headers: { accept: "text/html" } });
    expect(body).toMatch(new RegExp(`\\+ (<!-- -->)?${RESULTS - 4}<`));
  });
});
