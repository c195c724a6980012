import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { importItems, publish } from "../support/deposit.js";
import type { Answer, ItemShape, RecordShape, SearchBody } from "../support/http-client.js";
import { makeOrganism } from "../support/items.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";
import { smallRecord } from "../support/small-record.js";

let bindery: Service;
let alice: TestUser;
/** In the order of publication. */
const published: string[] = [];

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  for (let n = 0; n < 23; n++) {
    const model = n % 4 === 3 ? "bli" : "mst";
    const title = n % 3 === 0 ? `Hemoglobin binding ${n}` : `Binding of proteins ${n}`;
    const body =
      model === "mst" ? makeRecord(n, { title }) : smallRecord({ model, title, rights: "open", isValid: true });
    published.push((await publish(alice.client, body, model)).id);
  }
  await importItems(
    bindery,
    "organisms",
    Array.from({ length: 80 }, (_, n) => makeOrganism(n)),
  );
});
afterAll(() => bindery.dispose());

type Walk = (path: string) => Promise<{ ids: string[]; total: number; pages: number }>;

/** Follows links.next to the end. */
const walk: Walk = async (start) => {
  const ids: string[] = [];
  let total = -1;
  let pages = 0;
  for (let path: string | undefined = start; path !== undefined; pages++) {
    expect(pages).toBeLessThan(200);
    const answer: Answer<SearchBody<RecordShape | ItemShape>> = await alice.client.get(path);
    const { body } = answer;
    expect(answer.status, path).toBe(200);
    if (total !== -1) expect(body.hits.total).toBe(total);
    total = body.hits.total;
    ids.push(...body.hits.hits.map(({ id }) => id));
    path = body.links.next?.slice(bindery.url.length);
  }
  return { ids, total, pages };
};

/** The targets of a `Link` header by their relation. */
function linksIn(header: string): Record<string, string> {
  const links = header.split(", ").map((link) => /^<([^>]*)>; rel="(\w+)"$/.exec(link)!);
  return Object.fromEntries(links.map(([, href, rel]) => [rel, href]));
}

const RECORD_PATHS = ["/api/search/", "/api/user/search/", "/api/records/mst/", "/api/user/records/mst/"];
const TERMS = "/api/vocabularies/organisms";

const cases = [
  ...RECORD_PATHS.flatMap((path) => ["newest", "oldest"].map((sort) => `${path}?sort=${sort}`)),
  ...RECORD_PATHS.map((path) => `${path}?q=binding`),
  ...["newest", "oldest", "title"].map((sort) => `${TERMS}?sort=${sort}`),
  `${TERMS}?q=a*`,
  `${TERMS}?q=rank:species&sort=title`,
  `${TERMS}?suggest=b`,
];

describe.each(cases)("%s", (path) => {
  it("gives every hit once, by pages and by cursor, in one order", async () => {
    const { body } = await alice.client.get<SearchBody<RecordShape>>(`${path}&s=1000`);
    const all = body.hits.hits.map(({ id }) => id);
    expect(all.length).toBeGreaterThan(5);
    expect(body.hits.total).toBe(all.length);
    expect(new Set(all).size).toBe(all.length);

    for (const size of all.length > 50 ? [41, 100] : [1, 7]) {
      const byPages = await walk(`${path}&s=${size}`);
      expect(byPages).toEqual({ ids: all, total: all.length, pages: Math.ceil(all.length / size) });
      const byCursor = await walk(`${path}&s=${size}&cursor=*`);
      expect(byCursor.ids).toEqual(all);
      expect(byCursor.total).toBe(all.length);
    }
  });

  it("has the same links in its header, and the first page", async () => {
    for (const place of ["p=2", "p=1", "cursor=*"]) {
      const { body, headers } = await alice.client.get<SearchBody>(`${path}&s=2&${place}`);
      const { first, ...links } = linksIn(String(headers.link));
      const { self: _self, ...said } = body.links;
      expect(links).toEqual(said);
      const start = await alice.client.get<SearchBody>(first!.slice(bindery.url.length));
      expect(start.body.links).not.toHaveProperty("prev");
    }
  });

  it("has no next on the last page and no prev on the first", async () => {
    const { body } = await alice.client.get<SearchBody>(`${path}&s=1000`);
    expect(body.links).not.toHaveProperty("next");
    expect(body.links).not.toHaveProperty("prev");
    const size = body.hits.total - 1;
    const second = await alice.client.get<SearchBody>(`${path}&s=${size}&p=2`);
    expect(second.body.hits.hits).toHaveLength(1);
    expect(second.body.links).toHaveProperty("prev");
    expect(second.body.links).not.toHaveProperty("next");
  });
});

it("leaves links out of the header that are too long for it", async () => {
  const ask = (length: number) =>
    alice.client.get<SearchBody>(`${RECORD_PATHS[0]}?s=1&q=binding%20OR%20${"x".repeat(length)}`);
  const { body, headers } = await ask(2_000);
  expect(body.links).toHaveProperty("next");
  expect(Object.keys(linksIn(String(headers.link)))).toEqual(["next"]);
  const longer = await ask(4_000);
  expect(longer.body.links).toHaveProperty("next");
  expect(longer.headers).not.toHaveProperty("link");
});

describe("sorts of records", () => {
  it("newest and oldest are each other's mirror, by time of publication", async () => {
    const oldest = await walk("/api/search/?sort=oldest");
    const newest = await walk("/api/search/?sort=newest");
    expect(oldest.ids).toEqual(published);
    expect(newest.ids).toEqual([...published].reverse());
  });

  it("bestmatch puts the word in the title before the word elsewhere, and newer before older", async () => {
    const { body } = await alice.client.get<SearchBody<RecordShape>>("/api/search/?q=hemoglobin&s=100");
    const titled = published.filter((_, n) => n % 3 === 0).reverse();
    expect(body.hits.hits.map(({ id }) => id).slice(0, titled.length)).toEqual(titled);
  });

  it("bestmatch puts the record whose id was asked for first", async () => {
    const id = published[4]!;
    for (const q of [id, id.toUpperCase(), `"${id}"`, `id:${id}`]) {
      const { body } = await alice.client.get<SearchBody<RecordShape>>(`/api/search/?q=${encodeURIComponent(q)}`);
      expect(body.hits.hits[0]?.id, q).toBe(id);
    }
  });

  it("an exact title comes first, however old", async () => {
    const { body } = await alice.client.get<SearchBody<RecordShape>>("/api/search/?q=Binding+of+proteins+1");
    expect(body.hits.hits[0]!.id).toBe(published[1]);
  });
});

describe("a cursor", () => {
  it("survives a restart, and neither repeats nor skips what was there all along", async () => {
    const first = await alice.client.get<SearchBody<RecordShape>>("/api/search/?cursor=*&s=5&sort=newest");
    const next = first.body.links.next!;
    const late = await publish(alice.client, makeRecord(500));
    await bindery.restart();
    const rest = await walk(next.slice(next.indexOf("/api/")));
    const seen = [...first.body.hits.hits.map(({ id }) => id), ...rest.ids];
    expect(seen).toEqual([...published].reverse());
    expect(seen).not.toContain(late.id);
  });

  it("goes on beyond the window of pages", async () => {
    await importItems(
      bindery,
      "organisms",
      Array.from({ length: 10_100 }, (_, n) => makeOrganism(n)),
    );
    const { body } = await alice.client.get<SearchBody>(`${TERMS}?s=5000&p=2&sort=title`);
    expect(body.hits.total).toBeGreaterThan(10_100);
    expect(body.links.next).toContain("cursor=");
    const whole = await walk(`${TERMS}?s=5000&sort=title`);
    expect(whole.ids).toHaveLength(whole.total);
    expect(new Set(whole.ids).size).toBe(whole.total);
  });
});
