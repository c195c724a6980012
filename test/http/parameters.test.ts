import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { publish } from "../support/deposit.js";
import type { ItemShape, Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;
const COUNT = 12;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  for (let n = 0; n < COUNT; n++) await publish(alice.client, makeRecord(n, { title: `Lysozyme measurement ${n}` }));
});
afterAll(() => bindery.dispose());

const RECORD_SEARCHES = ["/api/records/mst/", "/api/search/", "/api/user/records/mst/", "/api/user/search/"];
const TERM_SEARCH = "/api/vocabularies/instruments";
const SEARCHES = [...RECORD_SEARCHES, TERM_SEARCH];
const get = <T = SearchBody<RecordShape>>(path: string) => alice.client.get<T>(path);

describe.each(SEARCHES)("%s", (path) => {
  const isTerms = path === TERM_SEARCH;

  it("has the defaults of the core interface", async () => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body.page).toBe(1);
    expect(body.hits.hits).toHaveLength(10);
    expect(body.sortBy).toBe(isTerms ? "title" : "newest");
    expect(body.query).toEqual({ parsed: "", fallback: false });
    expect(body).not.toHaveProperty("warnings");
    const withQuery = await get(`${path}?q=${isTerms ? "monolith" : "lysozyme"}`);
    expect(withQuery.body.sortBy).toBe("bestmatch");
    expect(withQuery.body.hits.total).toBeGreaterThan(5);
  });

  it("takes both spellings, and says the long ones in links", async () => {
    const short = await get(`${path}?p=2&s=3&l=list`);
    const long = await get(`${path}?page=2&size=3`);
    const both = await get(`${path}?page=2&p=2&size=3&s=3`);
    expect(short.status).toBe(200);
    const ids = (answer: typeof short) => answer.body.hits.hits.map(({ id }) => id);
    expect(ids(short)).toEqual(ids(long));
    expect(ids(both)).toEqual(ids(long));
    expect(short.body.page).toBe(2);
    const { prev, next } = long.body.links;
    expect(new URL(prev!).search).toMatch(/page=1&size=3&sort=/);
    expect(new URL(next!).search).toMatch(/page=3&size=3&sort=/);
    for (const link of [prev, next, long.body.links.self]) {
      expect((await get(link!.slice(bindery.url.length))).status, link).toBe(200);
    }
  });

  it.each([
    "p=0",
    "p=-1",
    "p=abc",
    "p=1.5",
    "p=",
    "s=0",
    "s=-10",
    "s=ten",
    "s=1e3",
    "p=1&p=2",
    "q=a&q=b",
    "sort=newest&sort=oldest",
    "p=1&page=2",
    "s=10&size=20",
    "l=grid",
    "sort=random",
    "sort=-newest",
    "cursor=nonsense",
    "cursor=AAAAAAAAAAAAAAAAAAAA",
    "cursor=*&p=2",
    "q=a&suggest=b",
    "facet_size=0",
    "facet_size=1001",
    "facets=all",
  ])("answers ?%s with 400 and the parameter's name", async (query) => {
    const { status, body } = await get<Problem>(`${path}?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 400 });
    expect(body.errors?.length).toBeGreaterThan(0);
    const names = query.split("&").map((part) => part.split("=")[0]!);
    for (const issue of body.errors!) {
      expect(names).toContain(issue.field);
      expect(issue.pointer).toBe(`/${issue.field}`);
      expect(issue.messages.length).toBeGreaterThan(0);
    }
  });

  it("lists what l and sort may be", async () => {
    const l = await get<Problem>(`${path}?l=grid`);
    expect(l.body.errors![0]).toMatchObject({ field: "l", value: "grid", allowed: ["list"] });
    const sort = await get<Problem>(`${path}?sort=best`);
    const allowed = isTerms ? ["newest", "title", "oldest", "bestmatch"] : ["newest", "oldest", "bestmatch"];
    const listed = sort.body.errors![0]!.allowed as string[];
    // Records are sorted by numbers and dates too.
    expect([...listed].slice(0, allowed.length).sort()).toEqual(allowed.sort());
    expect(listed.includes("kd")).toBe(!isTerms);
  });

  it("ignores unknown parameters and says so, with the nearest known one", async () => {
    const { status, body } = await get(`${path}?siez=3&s=3&colour=red`);
    expect(status).toBe(200);
    const warned = body.warnings!.filter(({ code }) => code === "UNKNOWN_PARAMETER");
    expect(warned.map(({ parameter }) => parameter).sort()).toEqual(["colour", "siez"]);
    expect(warned.find(({ parameter }) => parameter === "siez")?.nearest).toContain("size");
    expect(body.links.self).not.toMatch(/siez|colour/);
  });

  it("goes to the end of the window by pages, and names the cursor beyond", async () => {
    expect((await get(`${path}?p=100&s=100`)).status).toBe(200);
    const { status, body } = await get<Problem>(`${path}?p=101&s=100`);
    expect(status).toBe(400);
    expect(body.code).toBe("PAGE_WINDOW_EXCEEDED");
    expect(body.message).toContain("cursor");
  });

  it("answers a page past the end with an empty one", async () => {
    const { status, body } = await get(`${path}?p=90&s=100`);
    expect(status).toBe(200);
    expect(body.hits.hits).toEqual([]);
    expect(body.hits.total).toBeGreaterThan(0);
    expect(body.links.prev).toContain("page=89");
    expect(body.links).not.toHaveProperty("next");
  });

  it("carries accepted parameters in links in alphabetical order", async () => {
    const { body } = await get(`${path}?s=2&q=a*&lang=en&facets=none`);
    const names = [...new URL(body.links.self!).searchParams.keys()];
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(["facets", "lang", "page", "q", "size", "sort"]));
  });

  it("reads raw percent signs as they stand", async () => {
    for (const q of ["50%", "%zz", "%", "100%25", "%C3%28", "%E4"]) {
      const { status, body } = await get(`${path}?q=${q}`);
      expect(status, q).toBe(200);
      expect((await get(body.links.self!.slice(bindery.url.length))).body.hits.total, q).toBe(body.hits.total);
    }
  });

  it("reads +, %20 and quotes in q alike", async () => {
    const words = isTerms ? ["Monolith", "NT.115"] : ["lysozyme", "measurement"];
    const totals = await Promise.all(
      [words.join("+"), words.join("%20"), `%22${words.join("+")}%22`, `"${words.join("%20")}"`].map(
        async (q) => (await get(`${path}?q=${q}`)).body.hits.total,
      ),
    );
    expect(new Set(totals).size).toBe(1);
    expect(totals[0]).toBeGreaterThan(1);
  });

  it("says bestmatch without q as the default sort", async () => {
    expect((await get(`${path}?sort=bestmatch`)).body.sortBy).toBe(isTerms ? "title" : "newest");
  });

  it("leaves aggregations out on demand", async () => {
    expect((await get(path)).body).toHaveProperty("aggregations");
    expect((await get(`${path}?facets=none`)).body).not.toHaveProperty("aggregations");
  });
});

describe("the size of a page", () => {
  it.each(RECORD_SEARCHES)("is refused above 1,000 by %s, saying the maximum", async (path) => {
    expect((await get(`${path}?s=1000`)).body.hits.hits).toHaveLength(COUNT);
    const { status, body } = await get<Problem>(`${path}?s=1001`);
    expect(status).toBe(400);
    expect(body.code).toBe("PAGE_SIZE_TOO_LARGE");
    expect(body.message).toContain("1000");
    expect(body.errors![0]).toMatchObject({ field: "s", value: "1001" });
  });

  it("is reduced above 10,000 for a vocabulary, with a word and honest links", async () => {
    const exact = await get(`${TERM_SEARCH}?s=10000`);
    expect(exact.body).not.toHaveProperty("warnings");
    const { status, body } = await get<SearchBody<ItemShape>>(`${TERM_SEARCH}?size=1000000&page=1`);
    expect(status).toBe(200);
    expect(body.warnings).toMatchObject([{ code: "PAGE_SIZE_REDUCED", parameter: "size" }]);
    const short = await get<SearchBody<ItemShape>>(`${TERM_SEARCH}?s=1000000`);
    expect(short.body.warnings).toMatchObject([{ code: "PAGE_SIZE_REDUCED", parameter: "s" }]);
    expect(body.links.self).toContain("size=10000");
    expect(body.hits.hits).toHaveLength(body.hits.total);
  });
});

describe("every GET", () => {
  const paths = ["/api/records/mst/", "/api/search", "/api/vocabularies/organisms/taxid:562", "/api/vocabularies"];

  it.each(paths)("%s may carry a Content-Type and no body", async (path) => {
    expect((await bindery.client.get(path, { headers: { "content-type": "application/json" } })).status).toBe(200);
    expect((await bindery.client.get(path, { headers: { "content-type": "text/weird" } })).status).toBe(200);
  });

  it.each(paths)("%s has a HEAD with the same headers and no body", async (path) => {
    const head = await bindery.client.send("HEAD", path);
    const full = await bindery.client.get(path);
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(head.headers["content-type"]).toBe(full.headers["content-type"]);
    expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(full.text)));
    expect(head.headers.etag).toBe(full.headers.etag);
  });

  it.each(["application/json", "*/*", "application/*", "application/vnd.inveniordm.v1+json", "text/html, */*;q=0.1"])(
    "answers Accept: %s with JSON",
    async (accept) => {
      const { status, headers } = await bindery.client.get("/api/search/", { headers: { accept } });
      expect(status).toBe(200);
      expect(headers["content-type"]).toMatch(/json/);
    },
  );
});
