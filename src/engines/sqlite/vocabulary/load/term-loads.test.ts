import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tinyCatalog, tinyVocabulary } from "../../../../../test/support/tiny-catalog.js";
import { makeCache } from "../../../../core/caches.js";
import type { Catalog } from "../../../../core/catalog/types.js";
import type { TermContent } from "../../../../core/term.js";
import { makeSearchRunner } from "../../cache/missing-parts.js";
import { createDatabase, type Db, openDatabase } from "../../connection/database.js";
import { makeWriter, type Writer } from "../../connection/write-connection.js";
import { makeCountCache } from "../../facets/count-facet.js";
import { makeTermIndex } from "../search/term-index.js";
import { currentGeneration } from "../store/generation.js";
import { makeTermHistoryReader } from "../store/history-table.js";
import { makeLineage } from "../store/lineage.js";
import { makeTermReader } from "../store/term-reader.js";
import { makeTermWriter } from "../store/term-writer.js";
import { startTermLoads, type TermLoads } from "./term-loads.js";

const clock = { nowMicros: () => Date.now() * 1000 };

const item = (n: number, title = `Item ${n}`): TermContent => ({
  id: `sp:${n}`,
  title: { en: title },
  props: {},
  status: "active",
  ...(n > 0 ? { parent: `sp:${n >> 2}` } : {}),
});

async function* items(count: number, title?: string, from = 0): AsyncGenerator<TermContent> {
  for (let n = from; n < from + count; n++) yield item(n, title);
}

describe("loads and what is left of them", () => {
  let folder: string;
  let db: Db;
  let writer: Writer;
  let loads: TermLoads;
  let catalog: Catalog;

  const open = (): void => {
    createDatabase(folder);
    db = openDatabase(folder, "writer");
    writer = makeWriter(db, clock);
    loads = startTermLoads(writer, catalog, async () => undefined);
  };
  const close = async (): Promise<void> => {
    await loads.stop();
    await writer.idle();
    db.close();
  };
  const put = (content: TermContent) =>
    writer.run((now) => makeTermWriter(db, catalog, now, () => undefined).put("species", content));
  const count = () => makeTermReader(db, catalog).count("species");
  const tables = (): string[] =>
    db.raw.prepare<[], string>("SELECT name FROM sqlite_schema WHERE name GLOB 'term_*_[0-9]*'").pluck().all();
  const states = (): string[] => db.raw.prepare<[], string>("SELECT state FROM generation ORDER BY g").pluck().all();
  const generation = () => currentGeneration(db, "species")!;
  /** The process that builds died: its name is that of nobody who runs. */
  const kill = (): void => {
    db.raw.exec("UPDATE generation SET owner = 'elsewhere 1 1', touched = 0 WHERE state = 'building'");
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bindery-terms-"));
    catalog = tinyCatalog();
    open();
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("drops the old tables after the switch, and nothing else", async () => {
    await loads.loadTerms("species", items(1_200));
    const before = tables();
    await loads.loadTerms("species", items(1_200, "Changed"));
    expect(states()).toEqual(["current"]);
    expect(tables()).toHaveLength(before.length);
    expect(generation()).toMatchObject({ ranked: 1_200, count: 1_200, nested: 1, writes: 0 });
    const entries = db.raw.prepare("SELECT import, count(*) AS n FROM change_term GROUP BY import").all();
    expect(entries).toEqual([
      { import: 1, n: 1_200 },
      { import: 2, n: 1_200 },
    ]);
  });

  it("removes what a dead process left half built, in the next load and in the next start", async () => {
    await loads.loadTerms("species", items(1_100));
    let reached = (): void => undefined;
    const half = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const hanging = loads.loadTerms("species", stuck());
    async function* stuck(): AsyncGenerator<TermContent> {
      yield* items(1_100, "Never");
      reached();
      await new Promise(() => undefined);
    }
    await half;
    kill();
    const whole = tables().length;
    await loads.maintain();
    expect(states()).toEqual(["current"]);
    expect(await loads.loadTerms("species", items(3, "Next"))).toMatchObject({ changed: 3 });
    expect(tables()).toHaveLength(whole);
    expect(await count()).toBe(1_100);
    void hanging;
  });

  it("fails a load whose place was taken, and leaves the other's work alone", async () => {
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    async function* slow(): AsyncGenerator<TermContent> {
      yield* items(1_100, "Slow");
      await gate;
    }
    const slowLoad = loads.loadTerms("species", slow());
    await sleep(20);
    kill();
    await loads.loadTerms("species", items(1_100, "Quick"));
    go();
    await expect(slowLoad).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await loads.maintain();
    expect(states()).toEqual(["current"]);
    const cache = makeCache(1 << 20);
    const search = {
      db,
      cache,
      shown: cache,
      counts: makeCountCache(cache),
      runner: makeSearchRunner(db),
      lineage: makeLineage(db, cache),
      searchTimeoutMs: 5_000,
    };
    const { hits } = await makeTermIndex(catalog, search).searchTerms({
      vocabulary: "species",
      clause: { kind: "everything" },
      facets: [],
      sort: "title",
      lang: "en",
      page: { offset: 0, limit: 1 },
    });
    expect(hits[0]!.json).toContain("Quick");
  });

  it("notes how items changed once a load is done, and nothing of one that is not", async () => {
    const history = makeTermHistoryReader(db);
    const changesOf = async (id: string) => {
      const { entries } = await history.list("species", id, { offset: 0, limit: 10 });
      return entries.map(({ revision, action, source, fields }) => ({ revision, action, source, fields }));
    };
    const rows = () => db.raw.prepare<[], number>("SELECT count(*) FROM term_history").pluck().get();
    await loads.loadTerms("species", items(1_200), { source: "first" });
    expect(rows()).toBe(0);
    let seen: unknown;
    const isChanged = { field: "title.en", from: "Item 7", to: "Changed" };
    await loads.loadTerms("species", items(1_200, "Changed"), {
      source: "second",
      onIndexed: async (done) => {
        if (done === 1_200) seen = [rows(), await changesOf("sp:7")];
      },
    });
    await sleep(1);
    expect(seen).toEqual([expect.any(Number), []]);
    expect(await changesOf("sp:7")).toEqual([{ revision: 2, action: "loaded", source: "second", fields: [isChanged] }]);
    const stopped = loads.loadTerms("species", items(1_200, "Never"), {
      onIndexed: () => {
        throw new Error("stop");
      },
    });
    await expect(stopped).rejects.toThrow("stop");
    expect(rows()).toBe(1_200);
    expect(await loads.loadTerms("species", items(3, "Again"), { source: "third" })).toMatchObject({ changed: 3 });
    expect((await changesOf("sp:2")).map(({ source }) => source)).toEqual(["third", "second"]);
  });

  it("knows the sources of items whatever becomes of them", async () => {
    const sourcesOf = (id: string) =>
      generation().sql<number>("SELECT sources FROM term_$g WHERE ext = ?").pluck().get(id);
    await loads.loadTerms("species", items(1_100), { source: "a" });
    await loads.loadTerms("species", items(2, "Changed"), { source: "b" });
    await loads.loadTerms("species", items(1, undefined, 2), { source: "b", isUnique: true });
    await put(item(3, "By hand"));
    await put(item(9_999, "New by hand"));
    expect(["sp:0", "sp:2", "sp:3", "sp:4", "sp:9999"].map(sourcesOf)).toEqual([3, 3, 1, 1, 0]);
    await loads.loadTerms("species", items(1_100, "Made again", 5_000));
    expect(["sp:0", "sp:2", "sp:3", "sp:4", "sp:9999", "sp:5000"].map(sourcesOf)).toEqual([3, 3, 1, 1, 0, 0]);
    for (let n = 2; n < 30; n++) await loads.loadTerms("species", items(1), { source: `source ${n}` });
    expect(sourcesOf("sp:0")).toBe(2 ** 30 - 1);
    const tooMany = loads.loadTerms("species", items(1), { source: "one more" });
    await expect(tooMany).rejects.toMatchObject({ code: "TERM_SOURCES_TOO_MANY" });
  });

  it("makes a generation again when more than 1,000 items came one by one", async () => {
    await writer.run(async (now) => {
      const terms = makeTermWriter(db, catalog, now, () => undefined);
      for (let n = 0; n <= 1_000; n++) await terms.put("species", item(n));
    });
    expect(generation()).toMatchObject({ ranked: 0, count: 1_001 });
    const before = db.raw.prepare("SELECT count(*) AS n FROM change").get();
    await loads.maintain();
    expect(generation()).toMatchObject({ ranked: 1_001, count: 1_001, nested: 1, writes: 0 });
    expect(db.raw.prepare("SELECT count(*) AS n FROM change").get()).toEqual(before);
    expect(await makeTermReader(db, catalog).get("species", "sp:7")).toMatchObject({ term: { revision: 1 } });
    expect(states()).toEqual(["current"]);
  });

  it("makes the intervals again after many subtrees were moved, once where parents lead in circles", async () => {
    const cuts = () => generation().sql<number>("SELECT count(*) FROM cut_$g").pluck().get();
    await loads.loadTerms("species", items(1_200));
    for (let n = 50; n <= 250; n++) await put({ ...item(n), parent: "sp:1" });
    expect(cuts()).toBe(201);
    await loads.maintain();
    expect(cuts()).toBe(0);
    expect(generation()).toMatchObject({ nested: 1, writes: 0 });
    await put({ ...item(0), parent: "sp:5" });
    await loads.maintain();
    expect(generation()).toMatchObject({ nested: 1, writes: 1 });
    await loads.loadTerms("species", items(1_200, "Item", 1_200));
    const { g, nested } = generation();
    expect(nested).toBe(0);
    await loads.maintain();
    expect(generation().g).toBe(g);
  });

  it("makes a generation again when the vocabulary is declared otherwise", async () => {
    await loads.loadTerms("species", items(30));
    await close();
    const plain = tinyVocabulary("species", { languages: ["de", "en"], prior: {} });
    catalog = tinyCatalog({ vocabularies: new Map([["species", plain]]) });
    open();
    await loads.maintain();
    expect(generation().sql("SELECT DISTINCT lang FROM title_$g ORDER BY lang").pluck().all()).toEqual(["de", "en"]);
    expect(generation()).toMatchObject({ ranked: 30, count: 30 });
  });

  it("gives way to a load while it makes a generation again, and ends at once when the store closes", async () => {
    await writer.run(async (now) => {
      const terms = makeTermWriter(db, catalog, now, () => undefined);
      for (let n = 0; n <= 1_000; n++) await terms.put("species", item(n));
    });
    const maintaining = loads.maintain();
    expect(await loads.loadTerms("species", items(2, "Loaded"))).toMatchObject({ changed: 2 });
    await maintaining;
    void loads.maintain();
    await close();
    open();
    await loads.maintain();
    expect(states()).toEqual(["current"]);
    expect(await count()).toBe(1_001);
  });
});
