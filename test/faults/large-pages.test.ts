import { Agent } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { type Client, makeClient, type RecordShape } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

/** Number of items in each of three lists, whose items have five values. */
const LISTED = Math.floor((LIMITS.bodyLeavesMax - 500) / 15);
const CONNECTIONS = 6;

let bindery: Bindery;
let alice: TestUser;
let agents: Agent[];

/** A caller with an address of its own: on Linux all of 127.0.0.0/8 are this machine's. */
function callerFrom(localAddress: string): Client {
  const agent = new Agent({ keepAlive: true, localAddress, maxSockets: 20 });
  agents.push(agent);
  return makeClient(() => bindery.url, agent);
}

async function publish(metadata: object): Promise<string> {
  const draft = await alice.client.post<RecordShape>("/api/records/mst/", { metadata });
  expect(draft.status, JSON.stringify(draft.body)).toBe(201);
  await alice.client.post(`/api/records/mst/${draft.body.id}/draft/actions/publish`);
  return draft.body.id;
}

/** Metadata of as many values as a deposit accepts; nested lists take longest to show. */
function largeMetadata(n: number): object {
  const { metadata } = makeRecord(n, { title: `Large ${n}` }) as { metadata: object };
  const item = (_: unknown, i: number) => ({ a: { b: { c: [i, [n]] } }, f: [[{ j: true }], i, n] });
  const [extra, second, third] = [1, 2, 3].map(() => Array.from({ length: LISTED }, item));
  return { ...metadata, extra, second, third };
}

const page = { headers: { accept: "text/html" } };

beforeAll(async () => {
  agents = [];
  bindery = await startBindery({ env: { BINDERY_RATE_LIMITS: "" } });
  alice = await bindery.user("alice");
});
afterAll(async () => {
  for (const agent of agents) agent.destroy();
  await bindery.dispose();
});

describe("the largest records", () => {
  let ids: string[];
  let small: string;
  beforeAll(async () => {
    ids = [];
    for (let n = 0; n < CONNECTIONS; n++) ids.push(await publish(largeMetadata(n)));
    small = await publish((makeRecord(99) as { metadata: object }).metadata);
  });

  it.each([
    ["comparisons", (n: number) => `/compare?ids=${ids.join(",")}&z=${n}`],
    ["pages", (n: number) => `/records/mst/${ids[n]}?z=${n}`],
    ["pages by id alone", (n: number) => `/records/${ids[n]}?z=x${n}`],
  ])("do not block others: reads and pages overtake %s of another caller", async (_, address) => {
    const [heavy, light] = [callerFrom("127.0.0.2"), callerFrom("127.0.0.3")];
    // The page thread, if it is not there yet, and both connections.
    expect((await heavy.get(`/records/${ids[0]}`, page)).status).toBe(200);
    await light.get("/readyz");
    const answered: string[] = [];
    const note = (name: string) => (answer: { status: number }) => answered.push(`${name} ${answer.status}`);
    const heavies = Array.from({ length: CONNECTIONS }, (__, n) => heavy.get(address(n), page).then(note("heavy")));
    // Until the first of them is being made.
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const path of [`/api/records/mst/${small}`, "/readyz"]) await light.get(path).then(note("light"));
    await light.get(`/records/${small}`, page).then(note("light"));
    await Promise.all(heavies);
    const all = (name: string, count: number) => Array.from({ length: count }, () => `${name} 200`);
    expect([...answered].sort()).toEqual([...all("heavy", CONNECTIONS), ...all("light", 3)]);
    // The heavy ones are made one after the other: some may be ready before the three light ones, which take turns.
    expect(answered.slice(-3)).toEqual(all("heavy", 3));
  });

  it("are shown in pages of their lists", async () => {
    for (const rows of ["", "?rows.extra=2"]) {
      const { text } = await bindery.client.get(`/records/mst/${ids[0]}${rows}`, page);
      expect(text).toMatch(/rows\.extra=[23]/);
      expect(text).toContain(`of ${LISTED.toLocaleString("en")}`);
      expect(text.length).toBeLessThan(1_000_000);
    }
    const compared = await bindery.client.get(`/compare?ids=${ids[0]},${ids[1]}`, page);
    expect(compared.text).toMatch(
      /the beginnings of long lists and texts are compared\..*Read the whole records as JSON/,
    );
    expect(compared.text.length).toBeLessThan(2_000_000);
  });

  it("are at most a hundred on a page of a list, which says so", async () => {
    for (const path of ["/search?size=1000", "/vocabularies/organisms?size=10000"]) {
      expect((await bindery.client.get(path, page)).text).toContain("A page shows at most 100 hits");
    }
  });

  it("count for their caller as what they cost", async () => {
    const caller = callerFrom("127.0.0.4");
    const remaining = async (path: string) => Number((await caller.get(path, page)).headers["ratelimit-remaining"]);
    const before = await remaining(`/compare?ids=${small}`);
    expect(await remaining(`/compare?ids=${ids.join(",")}`)).toBe(before - 1);
    expect(before - (await remaining(`/compare?ids=${small}`))).toBeGreaterThan(3);
  });

  it("are exported, and validated, on the page thread, at the cost of their caller", async () => {
    const caller = callerFrom("127.0.0.5");
    const remaining = async (id: string) =>
      Number((await caller.get(`/api/records/mst/${id}?format=bibtex`)).headers["ratelimit-remaining"]);
    const before = await remaining(small);
    expect(await remaining(ids[0]!)).toBe(before - 1);
    // The text is short: it is the time that counts.
    expect(before - (await remaining(small))).toBeGreaterThan(2);
    const searches = async (metadata: object) => {
      const answer = await alice.client.post("/api/records/mst/?validate=only", { metadata });
      expect(answer.status).toBe(200);
      return Number(answer.headers["ratelimit-remaining"]);
    };
    const first = await searches({});
    await searches(largeMetadata(0));
    expect(first - (await searches({}))).toBeGreaterThan(3);
    expect((await bindery.client.get("/metrics")).text).toMatch(/^bindery_calls_waiting\{thread="pages"\} 0$/m);
  });
});
