import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import { SCHEMA } from "../../src/engines/postgres/connection/open-pool.js";
import { openPool, openPostgres, type Pool } from "../../src/engines/postgres/index.js";
import type { Engine } from "../../src/ports/engine.js";
import { contractCatalog, makeClock } from "../support/engines/engine-under-test.js";
import { fillStore } from "../support/engines/fill-store.js";
import { item, loadAll } from "../support/engines/term-fixtures.js";
import { HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";
import { tinyCatalog } from "../support/tiny-catalog.js";

/** Terms that are loaded; the last one is deleted. */
const TERMS = 60;

const quiet = (): void => undefined;

/** A damage, by the statements that do it. */
interface Damage {
  readonly name: string;
  readonly sql: string;
  /** How often each check finds it. */
  readonly found: Readonly<Record<string, number>>;
  /** How often each kind of repair is done. */
  readonly repaired: Readonly<Record<string, number>>;
}

const DAMAGES: readonly Damage[] = [
  {
    name: "a column of a record",
    sql: "UPDATE rec SET owner = '77' WHERE pid = 'a'",
    found: { "record.columns": 1 },
    repaired: { records: 1 },
  },
  {
    name: "what the drafts of users take",
    sql: "INSERT INTO draft_usage VALUES ('77', 1, 10)",
    found: { "counters.drafts": 1 },
    repaired: { drafts: 1 },
  },
  {
    name: "the flag of the latest version, by which citations are counted",
    sql: "UPDATE rec SET latest = false WHERE pid = 'a'",
    found: { "record.columns": 1, "counters.citations": 1 },
    repaired: { records: 1, citations: 1 },
  },
  {
    name: "the terms that a record cites",
    sql: "UPDATE rec SET cites = '{}' WHERE pid = 'a'",
    found: { "record.columns": 1, "counters.citations": 1 },
    repaired: { records: 1, citations: 1 },
  },
  {
    name: "the number of a record's last change",
    sql: "UPDATE rec SET seq = 1 WHERE pid = 'a'",
    found: { "record.columns": 1 },
    repaired: { records: 1 },
  },
  {
    name: "the parent of a record",
    sql: "UPDATE rec SET parent = 'elsewhere' WHERE pid = 'a'",
    found: { "record.columns": 1, "record.counter": 1, "record.family": 1 },
    repaired: { records: 1 },
  },
  {
    name: "the state of a record",
    sql: "UPDATE rec SET state = 'publishd' WHERE pid = 'a'",
    found: { "record.columns": 2, "changes.records": 2 },
    repaired: { records: 1 },
  },
  {
    name: "the place of a record",
    sql: "UPDATE rec SET row = NULL WHERE pid = 'b'",
    found: { "record.rows": 1 },
    repaired: { feed: 1 },
  },
  {
    name: "the counter of an id",
    sql: "UPDATE taken SET revision = 1 WHERE id = 'a'",
    found: { "record.counter": 1 },
    repaired: { counters: 1 },
  },
  {
    name: "the counter of a retracted id",
    sql: "UPDATE taken SET revision = 1 WHERE id = 'c'",
    found: { "tombstone.counter": 1 },
    repaired: { counters: 1 },
  },
  {
    name: "an id that is not assigned",
    sql: "DELETE FROM taken WHERE id = 'a'",
    found: { "record.counter": 1 },
    repaired: { counters: 1 },
  },
  {
    name: "the parent by which the writes of an id are locked",
    sql: "UPDATE taken SET family = 'elsewhere' WHERE id = 'a'",
    found: { "record.family": 1 },
    repaired: { counters: 1 },
  },
  {
    name: "a count of citations",
    sql: "UPDATE citation_count SET latest = latest + 5, others = 0",
    found: { "counters.citations": 1 },
    repaired: { citations: 1 },
  },
  {
    name: "a count of citations that is missing",
    sql: "DELETE FROM citation_count",
    found: { "counters.citations": 1 },
    repaired: { citations: 1 },
  },
  {
    name: "a share of a draft that is gone",
    sql: `INSERT INTO access VALUES('gone', 1, 'read', 1)`,
    found: { "record.shares": 1 },
    repaired: { shares: 1 },
  },
  {
    name: "a record that was retracted",
    sql: `INSERT INTO rec SELECT 'c', state, 'p', latest, model, owner, created, updated, revision, version, 900, seq,
      cites, json FROM rec WHERE pid = 'a'`,
    found: {
      ...{ "record.columns": 3, "tombstone.rows": 1 },
      ...{ "counters.citations": 1, "changes.head": 1, "changes.records": 1 },
    },
    repaired: { feed: 1, records: 1, citations: 1 },
  },
  {
    name: "the head of the feed that stands behind the changes",
    sql: "UPDATE feed_head SET seq = 3, time = 5, row = 1",
    found: { "changes.head": 3 },
    repaired: { feed: 1 },
  },
  {
    name: "the head of the feed that is gone",
    sql: "DELETE FROM feed_head",
    found: { "changes.head": 1 },
    repaired: { feed: 1 },
  },
  {
    name: "two heads of the feed",
    sql: "INSERT INTO feed_head VALUES(3, 1, 5)",
    found: { "changes.head": 1 },
    repaired: { feed: 1 },
  },
  {
    name: "entries of an import that never came to be",
    sql: "INSERT INTO change_term VALUES(900, 1, 'sp:1', 'updated', 7)",
    found: { "changes.imports": 1 },
    repaired: { leftovers: 1 },
  },
  {
    name: "the history of a load that never came to be",
    sql: `INSERT INTO term_history(vocabulary, ext, revision, action, load, changes)
      VALUES('species', 'sp:1', 7, 'loaded', 900, '[]')`,
    found: { "changes.imports": 1 },
    repaired: { leftovers: 1 },
  },
  {
    name: "the rank of terms",
    sql: "UPDATE term SET status = 1, prior = 7, length = 3 WHERE ext IN ('sp:1', 'sp:2')",
    found: { "items.columns": 6 },
    repaired: { terms: 2 },
  },
  {
    name: "the digest and the creation of a term",
    sql: "UPDATE term SET hash = '\\x00', created = 5 WHERE ext = 'sp:50'",
    found: { "items.columns": 2 },
    repaired: { terms: 1 },
  },
  {
    name: "the successor of a term",
    sql: "UPDATE term SET successor = NULL WHERE ext = 'sp:5'",
    found: { "items.columns": 1 },
    repaired: { terms: 1 },
  },
  {
    name: "the revision of a term",
    sql: "UPDATE term SET revision = 90 WHERE ext = 'sp:3'",
    found: { "items.columns": 1, "changes.terms": 1 },
    repaired: { terms: 1 },
  },
  {
    name: "a name that is missing",
    sql: "DELETE FROM term_name WHERE ext = 'sp:3' AND kind = 2",
    found: { "items.keys": 1 },
    repaired: { terms: 1 },
  },
  {
    name: "a name too many",
    sql: "INSERT INTO term_name VALUES('species', 'wrong', 1, 'sp:4')",
    found: { "items.keys": 1 },
    repaired: { terms: 1 },
  },
  {
    name: "a name of no term",
    sql: "INSERT INTO term_name VALUES('species', 'wrong', 1, 'sp:9999')",
    found: { "items.keys": 1 },
    repaired: { terms: 1 },
  },
  {
    name: "the number of terms",
    sql: "UPDATE vocabulary SET count = 7",
    found: { "items.count": 1 },
    repaired: { terms: 1 },
  },
  {
    name: "a term that is said to be gone",
    sql: "INSERT INTO life VALUES('species', 'sp:1', 3, 'deleted', NULL)",
    found: { "items.lives": 1 },
    repaired: { terms: 1 },
  },
];

/** Changes that are missing; what they were is lost, but not what they said last. */
const LOST_CHANGES: readonly Damage[] = [
  {
    name: "the last change of a record",
    sql: "UPDATE change SET id = 'other' WHERE kind = 'record' AND id = 'b'",
    found: { "changes.records": 2, "record.columns": 1 },
    repaired: { changes: 2, records: 1 },
  },
  {
    name: "the removal of a record",
    sql: "UPDATE change SET action = 'updated' WHERE kind = 'record' AND id = 'd' AND action = 'removed'",
    found: { "changes.records": 1 },
    repaired: { changes: 1 },
  },
  {
    name: "the last change of a term",
    sql: "UPDATE change SET revision = 1 WHERE kind = 'term' AND id = 'sp:5'",
    found: { "changes.terms": 1 },
    repaired: { changes: 1 },
  },
  {
    name: "the removal of a term",
    sql: "UPDATE change SET action = 'updated' WHERE kind = 'term' AND id = 'sp:59'",
    found: { "changes.terms": 1 },
    repaired: { changes: 1 },
  },
];

/** What nobody can make again. */
const LOSSES: readonly Omit<Damage, "repaired">[] = [
  { name: "a body", sql: "UPDATE rec SET json = 'lost' WHERE pid = 'a'", found: { "record.body": 1 } },
  { name: "a body that is none", sql: "UPDATE rec SET json = '{}' WHERE pid = 'a'", found: { "record.body": 1 } },
  { name: "a tombstone", sql: "UPDATE tombstone SET json = 'lost'", found: { "tombstone.body": 1 } },
  {
    name: "the content of a term",
    sql: "UPDATE term SET rest = 'x' WHERE ext = 'sp:7'",
    found: { "items.content": 1 },
  },
  { name: "a parent", sql: "UPDATE term SET parent = 'no' WHERE ext = 'sp:7'", found: { "items.parents": 1 } },
  {
    name: "a circle of parents",
    sql: "UPDATE term SET parent = 'sp:9' WHERE ext = 'sp:4'",
    found: { "items.parents": 2 },
  },
  { name: "a change", sql: "DELETE FROM change WHERE seq = 2", found: { "changes.order": 1 } },
  { name: "the time of a change", sql: "UPDATE change SET time = 5 WHERE seq = 4", found: { "changes.order": 1 } },
  { name: "a public number", sql: "UPDATE change SET shown = NULL WHERE seq = 4", found: { "changes.order": 1 } },
  { name: "the last changes", sql: "UPDATE feed_head SET seq = 900", found: { "changes.order": 1 } },
  {
    name: "a successor",
    sql: "UPDATE life SET state = 'replaced' WHERE ext = 'sp:59'",
    found: { "items.lives": 1 },
  },
];

describe.skipIf(!HAS_POSTGRES)("verify", () => {
  let pool: Pool;
  let engine: Engine;
  let url: string | undefined;
  const open = (): Pool => openPool({ url: url!, connections: 4 });

  beforeEach(async () => {
    url ??= await newDatabase();
    pool = open();
    engine = await opened();
    await fillStore(engine, TERMS);
  }, 60_000);
  afterEach(async () => {
    await engine.close();
    await pool.run(`DROP SCHEMA ${SCHEMA} CASCADE`);
    await pool.close();
  });

  const opened = async (catalog = contractCatalog()): Promise<Engine> =>
    openPostgres({ pool: open(), catalog, clock: makeClock(), migrates: true, secrets: testSecrets() });

  /** What the bodies and contents make of the tables. */
  async function derived(): Promise<unknown> {
    const tables = {
      rec: `SELECT pid, state, parent, latest, model, owner, created, updated, revision, version, cites
        FROM rec ORDER BY 1, 2`,
      taken: "SELECT * FROM taken ORDER BY id",
      counts: "SELECT * FROM citation_count WHERE latest <> 0 OR others <> 0 ORDER BY 1, 2",
      term: `SELECT ext, status, prior, length, created, revision, hash::text, successor, parent, sources
        FROM term ORDER BY 1`,
      names: "SELECT * FROM term_name ORDER BY ext, kind, key",
      lives: "SELECT * FROM life ORDER BY ext",
      shares: "SELECT * FROM access ORDER BY pid, 2",
      vocabularies: "SELECT name, count FROM vocabulary ORDER BY name",
      heads: "SELECT count(*) FROM feed_head",
    };
    const rows = Object.entries(tables).map(async ([name, select]) => [name, await pool.rows(select)] as const);
    return Object.fromEntries(await Promise.all(rows));
  }

  it("has nothing to say of a store after some life", async () => {
    const { findings, notes, records, terms } = await engine.admin.verify(quiet);
    expect({ findings, notes, records, terms }).toEqual({ findings: [], notes: [], records: 2, terms: TERMS - 1 });
  });

  it.each(DAMAGES)("finds $name, and repairs it", async ({ sql, found, repaired }) => {
    const before = await derived();
    expect(await pool.run(sql)).toBeGreaterThan(0);
    const { counts, findings } = await engine.admin.verify(quiet);
    expect(counts).toEqual(found);
    expect(findings.filter(({ isMendable }) => !isMendable)).toEqual([]);
    const repair = await engine.admin.repair(quiet);
    expect(repair.after.findings).toEqual([]);
    expect(repair.repaired).toEqual(repaired);
    expect(await derived()).toEqual(before);
    const lines = await engine.store.audit.list({ action: "store.repair", limit: 100 });
    expect(new Set(lines.map(({ place: kind }) => kind))).toEqual(new Set(Object.keys(repair.repaired)));
    expect(lines.every(({ who }) => who === "operator")).toBe(true);
  });

  it.each(LOST_CHANGES)("finds that $name is not noted, and notes it", async ({ sql, found, repaired }) => {
    expect(await pool.run(sql)).toBeGreaterThan(0);
    expect((await engine.admin.verify(quiet)).counts).toEqual(found);
    const repair = await engine.admin.repair(quiet);
    expect(repair.after.findings).toEqual([]);
    expect(repair.repaired).toEqual(repaired);
  });

  it.each(LOSSES)("says of $name that it is lost", async ({ sql, found }) => {
    expect(await pool.run(sql)).toBeGreaterThan(0);
    const { after } = await engine.admin.repair(quiet);
    expect(after.counts).toMatchObject(found);
    const lost = after.findings.filter(({ check }) => check in found);
    expect(lost.map(({ isMendable }) => isMendable)).not.toContain(true);
  });

  it("repairs more terms than are read at once, and as many counts and names", async () => {
    const many = Array.from({ length: 1_100 }, (_, n) => item(1_000 + n, `Many ${n}`));
    await loadAll(engine, many);
    const before = await derived();
    await pool.run("UPDATE term SET length = 1 WHERE ext LIKE 'sp:1___'");
    await pool.run("INSERT INTO term_name SELECT 'species', 'wrong', 1, 'no:' || n FROM generate_series(1, 1100) n");
    await pool.run("INSERT INTO citation_count SELECT 'species', 'no:' || n, 1, 0 FROM generate_series(1, 1100) n");
    await pool.run("INSERT INTO access SELECT 'no:' || n, 1, 'read', 1 FROM generate_series(1, 1100) n");
    const found = { "items.columns": 1_000, "items.keys": 1_100, "counters.citations": 1_100, "record.shares": 1_100 };
    const verified = await engine.admin.verify(quiet);
    expect(verified.counts).toEqual(found);
    expect(verified.findings).toHaveLength(LIMITS.findingsMax);
    const { after, repaired } = await engine.admin.repair(quiet);
    expect(after.counts).toEqual({});
    expect(repaired).toEqual({ terms: 2_100, citations: 1_100, shares: 1_100 });
    expect(await derived()).toEqual(before);
  });

  it("says what could not be read, and goes on with the rest", async () => {
    await pool.run(`CREATE FUNCTION damaged() RETURNS boolean LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'invalid page in block 7' USING ERRCODE = 'data_corrupted'; END $$`);
    await pool.run("ALTER TABLE tombstone RENAME TO readable");
    await pool.run("CREATE VIEW tombstone AS SELECT * FROM readable WHERE damaged()");
    await pool.run("UPDATE term SET rest = 'x' WHERE ext = 'sp:7'");
    const { counts, findings } = await engine.admin.verify(quiet);
    expect(counts).toEqual({ "tombstone.rows": 1, "record.counter": 1, "items.content": 1 });
    expect(findings[0]).toEqual({
      ...{ place: "store", check: "tombstone.rows", where: "the database", isMendable: false },
      ...{ expected: "to be readable", found: "invalid page in block 7" },
    });
  });

  it("names what the catalog lacks, and compares the rest", async () => {
    const less = await opened(tinyCatalog({ models: new Map(), vocabularies: new Map() }));
    await pool.run("UPDATE rec SET owner = '77' WHERE pid = 'a'");
    await pool.run("UPDATE taken SET revision = 0 WHERE id = 'b'");
    const { counts, notes } = await less.admin.verify(quiet);
    await less.close();
    expect(counts).toEqual({ "record.counter": 1 });
    expect(notes).toEqual([
      "The catalog has no model tiny: the index of its records is not compared. (2 times)",
      "The catalog has no vocabulary species: its terms are not compared.",
    ]);
  });

  it("makes flags right that bodies say wrongly, as the next revision of their ids", async () => {
    await pool.run(`UPDATE rec SET json = replace(json, '"is_latest":true', '"is_latest":false') WHERE pid = 'a'`);
    expect((await engine.admin.verify(quiet)).counts).toEqual({ "record.columns": 1, "record.versions": 1 });
    const { after, repaired } = await engine.admin.repair(quiet);
    expect(after.findings).toEqual([]);
    expect(repaired).toEqual({ records: 1, versions: 1 });
    const { json, revision } = (await engine.store.records.get("a", "published"))!;
    expect(JSON.parse(json)).toMatchObject({ revision_id: 3, versions: { is_latest: true } });
    expect(revision).toBe(3);
  });
});
