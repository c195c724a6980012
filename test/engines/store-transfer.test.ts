import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { FIRST_PLACE } from "../../src/core/feed/feed.js";
import {
  loadDatabase as loadPostgres,
  migrate,
  openPool,
  openPostgres,
  type Pool,
} from "../../src/engines/postgres/index.js";
import { loadDatabase as loadSqlite, openSqlite } from "../../src/engines/sqlite/index.js";
import type { Engine } from "../../src/ports/engine.js";
import type { RecordSearch } from "../../src/ports/search-index.js";
import { analyse } from "../../src/query/text/analyse.js";
import { readStoreDump, writeStoreDump } from "../../src/services/admin/store-dump.js";
import {
  contractCatalog,
  makeClock,
  putAll,
  putOne,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { fillStore } from "../support/engines/fill-store.js";
import { item, putTerms } from "../support/engines/term-fixtures.js";
import { dropDatabase, HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";

const CATALOG = contractCatalog();

/** Where a store is, or is to come. */
interface Place {
  open(): Promise<Engine>;
  load(text: string): Promise<void>;
  remove(): Promise<void>;
}

async function* pieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 1_000) yield text.slice(at, at + 1_000);
}

function sqlitePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "bindery-transfer-"));
  const data = join(folder, "data");
  return {
    open: async () =>
      openSqlite({ folder: data, catalog: CATALOG, clock: makeClock(), role: "writer", searchTimeoutMs: 60_000 }),
    load: (text) => loadSqlite(data, CATALOG, readStoreDump(pieces(text))),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function postgresPlace(open: () => Promise<Pool>, remove: () => Promise<void>): Place {
  return {
    open: async () =>
      openPostgres({
        pool: await open(),
        catalog: CATALOG,
        clock: makeClock(),
        migrates: true,
        secrets: testSecrets(),
      }),
    load: async (text) => {
      const pool = await open();
      await migrate(pool);
      await loadPostgres(pool, CATALOG, readStoreDump(pieces(text))).finally(() => pool.close());
    },
    remove,
  };
}

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  sqlite: async () => sqlitePlace(),
  ...(HAS_POSTGRES && {
    postgres: async () => {
      const url = await newDatabase();
      return postgresPlace(
        async () => openPool({ url, connections: 4 }),
        () => dropDatabase(url),
      );
    },
  }),
};

async function dumpText({ admin }: Engine): Promise<string> {
  let text = "";
  for await (const piece of writeStoreDump(admin.dump())) text += piece;
  return text;
}

/** What can be read of a store that was filled, whatever it is. */
async function readAll({ store }: Engine): Promise<object> {
  const { changes } = await store.changes.page({ after: FIRST_PLACE, limit: 5_000 });
  const terms = await store.terms.getMany("species", ["sp:0", "sp:3", "sp:5", "sp:1199", "sp:1000"]);
  return {
    changes,
    terms,
    lookups: [await store.terms.get("species", "sp:5"), await store.terms.get("species", "sp:1199")],
    lineage: await store.terms.getExact("species", "sp:1000"),
    counts: [await store.terms.count("species"), await store.terms.citations("species", "sp:3")],
    history: await store.history.list("species", "sp:3", { offset: 0, limit: 10 }),
    records: [await store.records.get("a", "published"), await store.records.get("b", "draft")],
    gone: [
      await store.records.getTombstone("c"),
      await store.records.lastRevision("d"),
      await store.records.isTaken("d"),
    ],
    users: [await store.users.listUsers(), await store.users.listTokens(), await store.users.findToken("d2")],
    shares: await store.shares.list("b"),
    audit: await store.audit.list({ limit: 10 }),
    imports: await store.imports.find({ model: "tiny", owner: "1", key: "k" }),
    dumps: await store.dumps.list(),
    webhooks: (await store.webhooks.statuses()).map(({ has_secret: _, ...status }) => status),
  };
}

const open: Engine[] = [];
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

async function make(name: string): Promise<Place> {
  const place = await PLACES[name]!();
  onTestFinished(() => place.remove());
  return place;
}

async function opened(place: Place): Promise<Engine> {
  const engine = await place.open();
  open.push(engine);
  return engine;
}

const PAIRS = Object.keys(PLACES).flatMap((from) => Object.keys(PLACES).map((to) => [from, to] as const));

describe("a whole store", () => {
  it.each(PAIRS)(
    "passes from %s to %s, and its next dump is the same",
    async (from, to) => {
      const source = await opened(await make(from));
      await fillStore(source);
      const text = await dumpText(source);
      expect(await dumpText(source)).toBe(text);
      const place = await make(to);
      await place.load(text);
      const target = await opened(place);
      expect(await dumpText(target)).toBe(text);
      expect(await readAll(target)).toEqual(await readAll(source));
      // What comes next is as if it came there.
      const next = await Promise.all(
        [source, target].map(async ({ store }) => {
          const user = await store.transaction((tx) => tx.users.addUser({ name: "next", role: "depositor" }));
          const put = await store.transaction((tx) => tx.terms.put("species", item(1_199, "Back again")));
          const back = await store.terms.get("species", "sp:1199");
          const revision = back?.kind === "found" ? back.term.revision : undefined;
          return { id: user.id, put, revision, seq: (await store.changes.head()).seq };
        }),
      );
      expect(next[1]).toEqual(next[0]);
    },
    120_000,
  );

  it.skipIf(!HAS_POSTGRES)("lists its records by creation, whatever order nodes committed them in", async () => {
    const created = (micros: number): { readonly created: string } => ({
      created: `2026-11-21T10:00:00.${String(micros).padStart(6, "0")}+00:00`,
    });
    const source = await opened(await make("postgres"));
    for (const [id, micros] of [
      ["c", 30],
      ["a", 10],
      ["d", 40],
      ["b", 20],
      ["e", 40],
    ] as const) {
      await source.store.transaction(
        async (tx) => void (await putOne(source, tx, tinyRecord(id, {}, created(micros)))),
      );
    }
    const place = await make("sqlite");
    await place.load(await dumpText(source));
    const { hits } = await (await opened(place)).index.searchRecords({
      clause: { kind: "everything" },
      scope: { kind: "public", models: ["tiny"] },
      facets: [],
      sort: "oldest",
      page: { offset: 0, limit: 10 },
    });
    expect(hits.map(({ id }) => id)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("is found in the embedded engine by all that it was found by", async () => {
    const source = await opened(await make("sqlite"));
    await fillStore(source);
    const place = await make("sqlite");
    await place.load(await dumpText(source));
    const target = await opened(place);
    for (const { admin } of [source, target]) {
      const { findings } = await admin.verify(() => undefined);
      expect(findings).toEqual([]);
    }
    for (const word of ["edited", "größe", "zwei"]) {
      const search: RecordSearch = {
        clause: { kind: "words", place: { in: "text" }, words: analyse(word) },
        scope: { kind: "public", models: ["tiny"] },
        facets: [],
        sort: "newest",
        page: { offset: 0, limit: 10 },
      };
      const { hits } = await target.index.searchRecords(search);
      expect(
        hits.map(({ id }) => id),
        word,
      ).toEqual(["a"]);
      expect(await source.index.searchRecords(search)).toEqual(await target.index.searchRecords(search));
    }
  });
});

describe.each(["sqlite", ...(HAS_POSTGRES ? ["postgres"] : [])])("a store on %s", (name) => {
  const small = async (): Promise<string> => {
    const source = await opened(await make("sqlite"));
    await putTerms(source, [item(1, "One")]);
    await putAll(source, [tinyDraft("d", { title: "draft" }), tinyRecord("a", { title: "one" })]);
    return dumpText(source);
  };

  it.each([
    ["is cut off", (text: string) => text.slice(0, text.lastIndexOf("\n{") + 1), /cut off/],
    ["is cut off within a line", (text: string) => text.slice(0, -40), /not JSON/],
    ["was changed", (text: string) => text.replace("One", "Two"), /SHA-256/],
    ["is of a later version", (text: string) => text.replace('"version":2', '"version":3'), /version 3/],
    ["is none", () => "id,title\n", /not JSON/],
    ["is empty", () => "", /cut off/],
    ["has rows of an unknown kind", (text: string) => text.replace('"rows":"term"', '"rows":"tree"'), /"tree"/],
    ["has a model that nobody declares", (text: string) => text.replaceAll("tiny", "huge"), /huge|SHA-256/],
  ])("takes nothing of a dump that %s, and afterwards the right one", async (_, change, message) => {
    const text = await small();
    const place = await make(name);
    await expect(place.load(change(text))).rejects.toThrow(message);
    await place.load(text);
    expect(await dumpText(await opened(place))).toBe(text);
  });

  it("takes a dump of the version that numbered all changes: its cursors stay valid", async () => {
    const text = await small();
    const older = text.replace('"version":2', '"version":1').replaceAll(/,"shown":\d+/g, "");
    expect(older).not.toContain("shown");
    const end = older.lastIndexOf('{"end":');
    const sha256 = createHash("sha256").update(older.slice(0, end)).digest("hex");
    const place = await make(name);
    await place.load(older.slice(0, end) + older.slice(end).replace(/[0-9a-f]{64}/, sha256));
    const { changes } = await (await opened(place)).store.changes.page({ after: FIRST_PLACE, limit: 10 });
    expect(changes.map(({ seq, id }) => [seq, id])).toEqual([
      [1, "sp:1"],
      [3, "a"],
    ]);
  });

  it("is filled once", async () => {
    const text = await small();
    const place = await make(name);
    await place.load(text);
    await expect(place.load(text)).rejects.toThrow(/exists|not empty/);
    expect(await dumpText(await opened(place))).toBe(text);
  });
});

it("leaves only a note in a folder that it could not fill", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bindery-transfer-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await expect(loadSqlite(folder, CATALOG, readStoreDump(pieces("{}\n")))).rejects.toThrow("no dump");
  // The note keeps services from making an empty store in its place.
  expect(readdirSync(folder).sort()).toEqual(["bindery.unfinished", "server.lock"]);
});
