import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import type { Answer, Client, Problem } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

const LIMITS = { BINDERY_RATE_LIMITS: "reads=20,searches=10,writes=3", BINDERY_TRUSTED_PROXIES: "127.0.0.1" };

let bindery: Service;
let alice: TestUser;
let bob: TestUser;
beforeAll(async () => {
  bindery = await startService({ env: LIMITS });
  alice = await bindery.user("alice");
  bob = await bindery.user("bob");
});
afterAll(() => bindery.dispose());

const ITEM = "/api/vocabularies/organisms/taxid:562";
/** Each test has an address of its own, as the proxy says. */
const from = (address: string) => ({ headers: { "x-forwarded-for": address } });

/** Sends until it is refused. @returns all answers */
async function untilRefused(send: () => Promise<Answer<Problem>>, atMost: number): Promise<Answer<Problem>[]> {
  const answers: Answer<Problem>[] = [];
  while (answers.length < atMost && answers.at(-1)?.status !== 429) answers.push(await send());
  return answers;
}

const get = (client: Client, path: string, address: string) => client.get<Problem>(path, from(address));

describe("limits of requests", () => {
  it("count down in the headers, and end in a 429 that says when to go on", async () => {
    const answers = await untilRefused(() => get(bindery.client, ITEM, "192.0.2.1"), 30);
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    expect(answers.map(({ headers }) => Number(headers["ratelimit-remaining"]))).toEqual([
      ...Array.from({ length: 20 }, (_, i) => 19 - i),
      0,
    ]);
    const { body, headers } = answers.at(-1)!;
    expect(body.code).toBe("RATE_LIMITED");
    expect(headers["ratelimit-limit"]).toBe("20");
    for (const name of ["retry-after", "ratelimit-reset"]) {
      expect(Number(headers[name])).toBeGreaterThan(0);
      expect(Number(headers[name])).toBeLessThanOrEqual(60);
    }
    expect(headers["access-control-expose-headers"]).toMatch(/RateLimit-Remaining/);
  });

  it("are of reads, searches and writes apart, and of each address apart", async () => {
    await untilRefused(() => get(bindery.client, ITEM, "192.0.2.2"), 30);
    const searches = await untilRefused(() => get(bindery.client, "/api/search/?q=a", "192.0.2.2"), 30);
    expect(searches).toHaveLength(11);
    expect((await get(bindery.client, "/api/vocabularies/organisms", "192.0.2.2")).status).toBe(429);
    expect((await get(bindery.client, ITEM, "192.0.2.3")).status).toBe(200);
  });

  it("are one for all addresses of an IPv6 network", async () => {
    let n = 0;
    await untilRefused(() => get(bindery.client, ITEM, `2001:db8::${++n}`), 30);
    expect(n).toBe(21);
    expect((await get(bindery.client, ITEM, "2001:db8:0:1::1")).status).toBe(200);
  });

  it("are of a user, with whichever token and wherever it is used", async () => {
    let n = 0;
    const other = await bindery.user("alice");
    const post = () => {
      const { client } = ++n % 2 === 0 ? alice : other;
      return client.send<Problem>("POST", "/api/records/mst/", { json: makeRecord(1), ...from(`192.0.2.${n}`) });
    };
    const answers = await untilRefused(post, 10);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
    expect((await bob.client.post("/api/records/mst/", makeRecord(1))).status).toBe(201);
    expect((await get(alice.client, ITEM, "192.0.2.1")).status).toBe(200);
    const { body } = await alice.client.get<{ hits: { total: number } }>("/api/user/search/");
    expect(body.hits.total).toBe(3);
  });

  it("hold for wrong tokens too, by address", async () => {
    let n = 0;
    const guess = () =>
      bindery.client.get<Problem>(ITEM, {
        headers: { authorization: `Bearer bnd_${++n}`, "x-forwarded-for": "192.0.2.9" },
      });
    const answers = await untilRefused(guess, 30);
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
  });

  it("leave out what watches the service", async () => {
    for (let i = 0; i < 40; i++) expect((await bindery.client.get("/healthz")).status).toBe(200);
    expect((await bindery.client.get("/healthz")).headers).not.toHaveProperty("ratelimit-limit");
  });
});

it("does not believe a proxy that it was not told of, and counts nothing where limits are off", async () => {
  const trusting = await startService({ env: { BINDERY_RATE_LIMITS: "reads=2" } });
  try {
    let n = 0;
    const answers = await untilRefused(() => get(trusting.client, ITEM, `192.0.2.${++n}`), 10);
    expect(answers).toHaveLength(3);
  } finally {
    await trusting.dispose();
  }
  const open = await startService();
  try {
    for (let i = 0; i < 5; i++) {
      expect((await open.client.get(ITEM)).headers).not.toHaveProperty("ratelimit-limit");
    }
  } finally {
    await open.dispose();
  }
});

it("counts by default", async () => {
  const usual = await startService({ env: { BINDERY_RATE_LIMITS: "" } });
  try {
    const { headers } = await usual.client.get(ITEM);
    expect([headers["ratelimit-limit"], headers["ratelimit-remaining"]]).toEqual(["30000", "29999"]);
    expect((await usual.client.get("/api/search/")).headers["ratelimit-limit"]).toBe("6000");
  } finally {
    await usual.dispose();
  }
});
