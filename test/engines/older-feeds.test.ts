/** Stores of a version that numbered every change, also those of drafts: places in their feeds stay valid. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type ChangePlace, FIRST_PLACE } from "../../src/core/feed/feed.js";
import { migrate as migratePostgres } from "../../src/engines/postgres/connection/migrate.js";
import { MIGRATIONS as POSTGRES } from "../../src/engines/postgres/connection/migrations.js";
import { openPool, openPostgres } from "../../src/engines/postgres/index.js";
import { databaseFile, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { migrate as migrateSqlite, MIGRATIONS as SQLITE } from "../../src/engines/sqlite/connection/migrations.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import type { Engine } from "../../src/ports/engine.js";
import { ANALYSIS_VERSION } from "../../src/query/text/analyse.js";
import { contractCatalog, makeClock, putAll, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { dropDatabase, HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";

/** A record, a draft, a term, and two drafts: seq 1 to 5, each at ten times its number. */
const OLD_CHANGES = `INSERT INTO change(seq, time, kind, action, place, id, state, revision) VALUES
  (1, 10, 'record', 'published', 'tiny', 'old', 'published', 1),
  (2, 20, 'record', 'created', 'tiny', 'd1', 'draft', 1),
  (3, 30, 'term', 'created', 'species', 'sp:1', NULL, 1),
  (4, 40, 'record', 'created', 'tiny', 'd2', 'draft', 1),
  (5, 50, 'record', 'updated', 'tiny', 'd2', 'draft', 2)`;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

function olderSqlite(): Engine {
  const folder = mkdtempSync(join(tmpdir(), "bindery-older-feed-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const older = SQLITE.findIndex((sql) => sql.includes("ADD COLUMN shown"));
  const raw = new Sqlite(databaseFile(folder));
  raw.exec("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  for (const sql of SQLITE.slice(0, older)) migrateSqlite(raw, sql);
  raw.exec(`INSERT INTO meta VALUES('schema', '${older}'), ('analysis', '${ANALYSIS_VERSION}'); ${OLD_CHANGES}`);
  raw.close();
  const engine = openSqlite({
    folder,
    catalog: contractCatalog(),
    clock: makeClock(),
    role: "writer",
    migrates: true,
    searchTimeoutMs: 5_000,
  });
  cleanups.push(() => engine.close());
  return engine;
}

async function olderPostgres(): Promise<Engine> {
  const url = await newDatabase();
  cleanups.push(() => dropDatabase(url));
  const older = POSTGRES.findIndex((sql) => sql.includes("ADD COLUMN shown"));
  const pool = openPool({ url, connections: 4 });
  await migratePostgres(pool, POSTGRES.slice(0, older));
  await pool.run(OLD_CHANGES);
  await pool.run("UPDATE feed_head SET seq = 5, time = 50");
  const options = { pool, catalog: contractCatalog(), clock: makeClock(), secrets: testSecrets() };
  const engine = await openPostgres({ ...options, migrates: true });
  cleanups.push(() => engine.close());
  return engine;
}

const changesAfter = async ({ store }: Engine, after: ChangePlace) => {
  const { changes, next } = await store.changes.page({ after, limit: 10 });
  return { changes: changes.map(({ seq, id }) => [seq, id]), next };
};

const STORES = { sqlite: async () => olderSqlite(), ...(HAS_POSTGRES && { postgres: olderPostgres }) };

describe.each(Object.entries(STORES))("a feed of an older version on %s", (_, open) => {
  it("keeps its numbers, and goes on with numbers that no cursor of it has passed", async () => {
    const engine = await open();
    const whole = await changesAfter(engine, FIRST_PLACE);
    expect(whole).toEqual({
      changes: [
        [1, "old"],
        [3, "sp:1"],
      ],
      next: { seq: 5, time: 50 },
    });
    await putAll(engine, [tinyDraft("d3", {}), tinyRecord("new", {}), tinyDraft("d4", {}), tinyRecord("newer", {})]);
    const later = [
      [6, "new"],
      [7, "newer"],
    ];
    // Every place that the older version gave out, also those after changes of drafts.
    for (const seq of [1, 2, 3, 4, 5]) {
      const { changes } = await changesAfter(engine, { seq, time: seq * 10 });
      expect(changes, `after ${seq}`).toEqual(seq < 3 ? [[3, "sp:1"], ...later] : later);
    }
    await expect(changesAfter(engine, { seq: 4, time: 41 })).rejects.toMatchObject({ code: "CHANGE_CURSOR_GONE" });
  });

  it("has a secret for cursors that no other store has", async () => {
    const keys = await Promise.all([open(), open()].map(async (engine) => (await engine).store.cursorKey()));
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe.skipIf(!HAS_POSTGRES)("beside a node of the previous release", () => {
  it("the public changes that it writes get numbers too", async () => {
    const url = await newDatabase();
    cleanups.push(() => dropDatabase(url));
    const pool = openPool({ url, connections: 4 });
    const options = { pool, catalog: contractCatalog(), clock: makeClock(), secrets: testSecrets() };
    const engine = await openPostgres({ ...options, migrates: true });
    cleanups.push(() => engine.close());
    // As that release writes it: without a public number.
    await pool.run(OLD_CHANGES);
    await pool.run("UPDATE feed_head SET seq = 5, time = 50");
    await putAll(engine, [tinyDraft("d3", {}), tinyRecord("new", {})]);
    expect((await changesAfter(engine, FIRST_PLACE)).changes).toEqual([
      [1, "old"],
      [2, "sp:1"],
      [3, "new"],
    ]);
  });
});
