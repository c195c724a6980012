/** Answers that are kept are those that a server would give that keeps none, whatever is written meanwhile. */
import { writeFileSync } from "node:fs";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "../../src/app/composition/compose.js";
import { readVersion } from "../../src/app/composition/package-root.js";
import { loadConfig } from "../../src/config/settings.js";
import { WARNING_REPORTER } from "../../src/core/background.js";
import { LIMITS } from "../../src/core/limits.js";
import { buildServer } from "../../src/http/server.js";
import { webPages } from "../../src/web/pages.js";
import { settings, type TestUser } from "../support/bindery.js";
import { BUILT_IN_ON_DEMAND, builtInCatalog } from "../support/catalog.js";
import { deposit, eventually, importItems, publish, recordWith } from "../support/deposit.js";
import type { RecordShape, SearchBody } from "../support/http-client.js";
import { type SeededRandom, seeded } from "../support/random.js";
import { recordLines } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

const PUBLIC_URL = "https://data.example.org";
const ORGANISMS = "/api/vocabularies/organisms";
const TERMS = "/vocabularies/organisms";
const REPLACED = `${ORGANISMS}/taxid:94000001`;
const SEED = Number(process.env.TEST_SEED);
const ROUNDS = process.env.TEST_LONG === "1" ? 400 : 12;

let service: Service;
let plain: Awaited<ReturnType<typeof openPlain>>;
let ada: TestUser;
let bob: TestUser;
let cleo: TestUser;

/** A server without any memory of its answers, beside the other one on the same data. */
async function openPlain(data: string) {
  const config = loadConfig(settings(data, { BINDERY_CACHE_MB: "0" }));
  const catalog = builtInCatalog();
  const parts = { role: "reader", background: WARNING_REPORTER, onDemand: BUILT_IN_ON_DEMAND } as const;
  const composition = await compose(config, catalog, parts);
  const { services } = composition;
  const logger = pino({ level: "silent" });
  const address = { publicUrl: PUBLIC_URL };
  const served = { services, answers: services, catalog, config: address, version: readVersion(), pages: webPages };
  const app = buildServer({ ...served, logger });
  await app.ready();
  return {
    get: (url: string, user?: TestUser) => app.inject({ url, headers: headersFor(url, user) }),
    close: async () => {
      await app.close();
      await composition.close();
    },
  };
}

beforeAll(async () => {
  service = await startService({ env: { BINDERY_PUBLIC_URL: PUBLIC_URL, BINDERY_METRICS: "everyone" } });
  plain = await openPlain(service.data);
  ada = await service.user("ada");
  bob = await service.user("bob");
  cleo = await service.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
  await importItems(service, "organisms", [{ id: "taxid:94000001", title: { en: "Old" }, replaced_by: "taxid:562" }]);
});
afterAll(async () => {
  await plain.close();
  await service.dispose();
});

/** Pages are asked for as a browser does. */
const headersFor = (url: string, user?: TestUser): Record<string, string> => ({
  ...(url.startsWith("/api/") ? {} : { accept: "text/html" }),
  ...(user === undefined ? {} : { authorization: `Bearer ${user.token}` }),
});

const HEADERS = ["etag", "cache-control", "content-type", "location", "vary", "link"] as const;

/** The answer now, three times: the second is kept, so the third may be a kept one even where the first was not. */
async function expectSame(url: string, user?: TestUser): Promise<void> {
  const theirs = await plain.get(url, user);
  const other = withoutRequestId(theirs.payload);
  for (const _ of [1, 2, 3]) {
    const ours = await service.client.get(url, { headers: headersFor(url, user) });
    expect({ url, status: ours.status, text: withoutRequestId(ours.text) }).toEqual({
      ...{ url, status: theirs.statusCode, text: other },
    });
    for (const name of HEADERS) expect([name, ours.headers[name]]).toEqual([name, theirs.headers[name]]);
  }
}

/** What differs between two requests: an error says which one it was, in data and in a page. */
const withoutRequestId = (text: string): string =>
  text.replace(/"request_id":"[^"]*"/, "").replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "");

async function countOf(source: "kept" | "made"): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^bindery_answers_total\\{source="${source}"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

const SEARCHES = [
  ...["", "?q=coli", "?suggest=esch", "?sort=newest&s=5", "?rank=species", "?parent=taxid:561", "?facets=none"],
  ...["?ids=taxid:562&ids=taxid:91000001", "?q=renamed", "?q=kept*&sort=title", "?suggest=kept"],
].map((query) => `${ORGANISMS}${query}`);

const RECORD_SEARCHES = [
  ...["/api/query?q=coli&model=mst", "/api/query?q=organism:taxid:562", "/api/query?q=organism:es&at=11&totals=none"],
  ...["/api/search/", "/api/records/mst/?q=coli", "/api/records/?s=3&allversions=true", "/api/search/?q=version"],
  ...["/api/records/mst/?sort=oldest&facets=none", "/api/search/?q=renamed", "/api/search/?organism=taxid:562"],
  ...["/api/records/itc/", "/api/search/?q=results:(type:concentration)", "/api/search/?q=first&highlight=true"],
];

const OWN_SEARCHES = [
  ...["/api/user/search", "/api/user/search?q=coli", "/api/user/records/mst?facets=none", "/api/user/search?s=2"],
  ...["/api/user/search?shared=true", "/api/user/search?everyone=true", "/api/user/search?is_published=false"],
];

const PAGES = [
  ...["/", "/search?q=coli", "/search", "/records/mst?q=version", "/search?organism=taxid:562&view=table"],
  ...["", "?q=coli", "?view=tree", "?view=tree&at=taxid:561", "/taxid:562", "/taxid:561"].map((end) => TERMS + end),
];

/** What is written at random: each leaves something that the reads can see, or must not see. */
class Writes {
  readonly records: string[] = [];
  readonly #drafts: string[] = [];
  #items = 91_000_000;
  #titles = 0;

  constructor(readonly random: SeededRandom) {}

  readonly #kinds: readonly (() => Promise<unknown>)[] = [
    () => this.#publish(),
    () => this.#deposit(),
    () => this.#onDraft((path) => this.#replace(path)),
    () => this.#onDraft((path) => ada.client.post(`${path}/draft/actions/publish`)),
    () => this.#onDraft((path) => ada.client.delete(`${path}/draft`)),
    () => this.#onDraft((path) => ada.client.post(`${path}/draft/access/grants`, { user: "bob", permission: "read" })),
    () => this.#onDraft((path) => ada.client.delete(`${path}/draft/access/grants/bob`)),
    () => this.#onRecord((path) => this.#edit(path)),
    () => this.#onRecord((path) => this.#newVersion(path)),
    () => this.#onRecord((path) => ada.client.delete(path, { json: { reason: "test" } })),
    () => this.#addItem(),
    () => this.#changeItem("Renamed"),
    () => cleo.client.delete(`${ORGANISMS}/taxid:${this.#items}`),
    () => importItems(service, "organisms", [this.#item("Kept by import")]),
  ];

  next(): Promise<unknown> {
    return this.random.pick(this.#kinds)();
  }

  /** Reads of all kinds, of what is there and of what is not. */
  reads(): readonly string[] {
    const items = ["taxid:562", "taxid:561", `taxid:${this.#items}`, "taxid:91000001", "TAXID:562"];
    const records = this.records.flatMap((path) => [path, `${path}/versions`]);
    const ids = this.records.map((path) => path.slice(path.lastIndexOf("/") + 1));
    const pages = [...PAGES, ...ids.flatMap((id) => [`/records/${id}`, `/records/${id}/versions`])];
    const compared = `/compare?ids=${ids.slice(-3).join("+")}`;
    return [
      ...SEARCHES,
      ...RECORD_SEARCHES,
      ...items.map((id) => `${ORGANISMS}/${id}`),
      ...records,
      ...pages,
      compared,
    ];
  }

  /** Reads of the drafts and searches of a user, who is any of three. */
  personalRead(): readonly [url: string, user: TestUser] {
    const drafts = [...this.records, ...this.#drafts].map((path) => `${path}/draft`);
    const user = this.random.pick([ada, bob, cleo]);
    const isOfDraft = drafts.length > 0 && this.random.integer(0, 1) === 0;
    return [this.random.pick(isOfDraft ? drafts : OWN_SEARCHES), user];
  }

  async #deposit(): Promise<void> {
    const title = "A draft of coli";
    const { id } = await deposit(ada.client, recordWith(this.random.integer(0, 50), {}, { title }));
    this.#drafts.push(`/api/records/mst/${id}`);
  }

  async #onDraft(work: (path: string) => Promise<unknown>): Promise<void> {
    if (this.#drafts.length === 0) await this.#deposit();
    await work(this.random.pick(this.#drafts));
  }

  async #publish(): Promise<void> {
    const { id } = await publish(ada.client, recordWith(this.random.integer(0, 50), {}, { title: "A first version" }));
    this.records.push(`/api/records/mst/${id}`);
  }

  async #onRecord(work: (path: string) => Promise<unknown>): Promise<void> {
    if (this.records.length === 0) await this.#publish();
    await work(this.random.pick(this.records));
  }

  async #edit(path: string): Promise<void> {
    await ada.client.post(`${path}/draft`);
    await this.#putAndPublish(path);
  }

  async #newVersion(path: string): Promise<void> {
    const made = await ada.client.post<RecordShape>(`${path}/versions`);
    if (made.status !== 201) return;
    this.records.push(`/api/records/mst/${made.body.id}`);
    await this.#putAndPublish(this.records.at(-1)!);
  }

  /** Of what was retracted, or has an open version already, nothing comes but an error. */
  async #putAndPublish(path: string): Promise<void> {
    await this.#replace(path);
    await ada.client.post(`${path}/draft/actions/publish`);
  }

  async #replace(path: string): Promise<void> {
    const title = `A version of coli, number ${++this.#titles}`;
    await ada.client.put(`${path}/draft`, recordWith(this.random.integer(0, 50), {}, { title }));
  }

  #item(title: string) {
    this.#items += 1;
    return { id: `taxid:${this.#items}`, title: { en: title }, parent: "taxid:561", props: { rank: "species" } };
  }

  async #addItem(): Promise<void> {
    await cleo.client.post(ORGANISMS, this.#item("Kept item"));
  }

  /** One that records cite: they are found by its new name, at once or soon. */
  async #changeItem(title: string): Promise<void> {
    const path = `${ORGANISMS}/taxid:562`;
    const { body } = await service.client.get(path);
    const { id, props, parent } = body as { id: string; props: object; parent?: { id: string } };
    const above = parent === undefined ? {} : { parent: parent.id };
    await cleo.client.put(path, { id, props, ...above, title: { en: `${title} coli ${++this.#titles}` } });
  }
}

describe("kept answers", () => {
  it("are the answers of a server that keeps none, after each write", { timeout: 300_000 }, async () => {
    const random = seeded(SEED);
    const writes = new Writes(random);
    const before = await countOf("kept");
    for (let round = 0; round < ROUNDS; round++) {
      await writes.next();
      // What was read before the write, and what may not have been.
      for (let i = 0; i < 6; i++) await expectSame(random.pick(writes.reads()));
      for (let i = 0; i < 4; i++) await expectSame(...writes.personalRead());
    }
    for (const url of writes.reads()) await expectSame(url);
    expect((await countOf("kept")) - before).toBeGreaterThan(ROUNDS);
  });

  it("are so while others write at the same time", { timeout: 300_000 }, async () => {
    const random = seeded(SEED + 1);
    const writes = new Writes(random);
    let isDone = false;
    const read = async (): Promise<void> => {
      while (!isDone) await service.client.get(random.pick(writes.reads()));
    };
    const readers = [read(), read(), read()];
    for (let i = 0; i < ROUNDS / 4; i++) await writes.next();
    isDone = true;
    await Promise.all(readers);
    for (let i = 0; i < 40; i++) await expectSame(random.pick(writes.reads()));
    for (let i = 0; i < 20; i++) await expectSame(...writes.personalRead());
  });

  it("follow an import that another process makes, into a new generation", { timeout: 120_000 }, async () => {
    const list = `${ORGANISMS}?q=imported&s=3`;
    await expectSame(list);
    const items = Array.from({ length: 1_200 }, (_, n) => ({
      id: `taxid:${92_000_000 + n}`,
      title: { en: "Imported" },
    }));
    const file = `${service.data}/items.ndjson`;
    writeFileSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
    const { code, stderr } = await service.program("import", "vocabulary", "organisms", file);
    expect(code, stderr).toBe(0);
    await expectSame(list);
    await expectSame(`${ORGANISMS}/taxid:92000007`);
  });

  it("follow records that are found by the new name of a term later", { timeout: 120_000 }, async () => {
    // More than are indexed anew together with the term.
    const file = `${service.data}/records.ndjson`;
    writeFileSync(file, recordLines(2 * LIMITS.reindexAtOnceMax));
    const { code, stderr } = await service.program("import", "records", "mst", "--owner", "ada", "--publish", file);
    expect(code, stderr).toBe(0);
    const list = `/api/records/mst/?q=${encodeURIComponent("_exists_:title AND NOT slowly")}`;
    const total = async () => (await service.client.get<SearchBody>(list)).body.hits.total;
    const before = await total();
    await expectSame(list);
    await cleo.client.put(`${ORGANISMS}/taxid:562`, { id: "taxid:562", title: { en: "Slowly renamed" }, props: {} });
    await eventually(async () => expect(await total()).toBeLessThanOrEqual(before - LIMITS.reindexAtOnceMax), 60_000);
    // Until all of them are indexed anew, what is asked later finds fewer.
    await eventually(() => expectSame(list), 60_000);
  });
});

describe("what is not kept", () => {
  /** How many of three equal requests were answered by a kept answer, or made one. */
  async function counted(get: () => Promise<{ readonly status: number }>, status = 200) {
    const before = { kept: await countOf("kept"), made: await countOf("made") };
    for (const _ of [1, 2, 3]) expect((await get()).status).toBe(status);
    return { kept: (await countOf("kept")) - before.kept, made: (await countOf("made")) - before.made };
  }

  it("is an export of a draft", async () => {
    const { id } = await deposit(ada.client, recordWith(2, {}));
    const url = `/api/records/mst/${id}/draft?format=bibtex`;
    expect(await counted(() => ada.client.get(url))).toEqual({ kept: 0, made: 3 });
  });

  it.each([
    ["what depends on the clock", "/api/search/?q=created:>now-1d", 200],
    ["better words, which may be those of drafts", "/api/search/?q=escherichja", 200],
    ["looking for near values", "/api/search/?instrument=ins:nothing", 200],
    ["errors", `${ORGANISMS}/taxid:0`, 404],
    ["redirects", REPLACED, 301],
  ])("are answers with %s", async (_, url, status) => {
    expect(await counted(() => service.client.get(url), status)).toEqual({ kept: 0, made: 3 });
  });

  it("counts for whoever asks alike, and each request for its own limits", async () => {
    const url = `${ORGANISMS}?q=escherichia&s=7`;
    expect(await counted(() => service.client.get(url))).toEqual({ kept: 1, made: 2 });
    expect(await counted(() => ada.client.get(url))).toEqual({ kept: 3, made: 0 });
    expect((await service.client.as("bnd_wrong").get(url)).status).toBe(401);
    const ids = await Promise.all([1, 2].map(async () => (await service.client.get(url)).headers["x-request-id"]));
    expect(new Set(ids).size).toBe(2);
  });

  it("is sent to none who asks for another format", async () => {
    const { id } = await publish(ada.client, recordWith(3, {}));
    for (const url of [`/api/records/mst/${id}`, `/api/records/${id}`]) {
      const typeOf = async (accept: string) =>
        (await service.client.get(url, { headers: { accept } })).headers["content-type"];
      const json = "application/json; charset=utf-8";
      expect(await typeOf("*/*")).toBe(json);
      expect(await typeOf("application/json;q=0.5, application/x-bibtex")).toContain("bibtex");
      expect(await typeOf("*/*")).toBe(json);
    }
  });

  it("is sent again to a client that has it", async () => {
    const url = `${ORGANISMS}/taxid:562`;
    const { etag } = (await service.client.get(url)).headers;
    const get = () => service.client.get(url, { headers: { "if-none-match": etag! } });
    expect(await counted(get, 304)).toEqual({ kept: 3, made: 0 });
    expect((await get()).text).toBe("");
  });
});
