import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { RecordBody } from "../../src/core/record.js";
import { DATABASE_FILE, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { checksumOf } from "../../src/engines/sqlite/records/checksums.js";
import { repairStore } from "../../src/engines/sqlite/verify/repair.js";
import { verifyStore } from "../../src/engines/sqlite/verify/run-checks.js";
import { answersOf, breakStore, CATALOG, type LivedStore, makeLivedStore } from "../support/store-to-break.js";

const quiet = (): void => undefined;

let store: LivedStore;
let answers: unknown;

beforeAll(async () => {
  store = await makeLivedStore(60);
  answers = await answersOf(store.copy());
}, 120_000);
afterAll(() => store.dispose());

/** The number of the current generation of organisms. */
const generation = (raw: Database): number =>
  raw
    .prepare<[], number>("SELECT g FROM generation WHERE vocabulary = 'organisms' AND state = 'current'")
    .pluck()
    .get()!;

const firstOf = (raw: Database, where = "state = 1"): { id: number; pid: string; parent: string } =>
  raw
    .prepare<[], { id: number; pid: string; parent: string }>(
      `SELECT id, pid, parent FROM rec WHERE ${where} ORDER BY id`,
    )
    .get()!;

function rewriteBody(raw: Database, id: number, rewrite: (body: RecordBody) => unknown): void {
  const json = raw.prepare<[number], string>("SELECT json FROM doc WHERE id = ?").pluck().get(id)!;
  const body = JSON.parse(json) as RecordBody;
  rewrite(body);
  const text = JSON.stringify(body);
  raw.prepare("UPDATE doc SET json = ?, sum = ? WHERE id = ?").run(text, checksumOf(text, body.revision_id), id);
}

interface Break {
  readonly name: string;
  readonly work: (raw: Database) => unknown;
  /** The checks that find it, and how often each. */
  readonly found: Readonly<Record<string, number>>;
  /** Whether searches answer differently after the repair. */
  readonly changesAnswers?: true;
}

const ON_RECORDS: readonly Break[] = [
  {
    name: "a column of a record",
    work: (raw) => raw.exec(`UPDATE rec SET owner = '77' WHERE id = ${firstOf(raw).id}`),
    found: { "record.columns": 1 },
  },
  {
    name: "what the drafts of users take",
    work: (raw) => {
      raw.exec(
        "UPDATE draft_usage SET drafts = drafts + 1, bytes = 3 WHERE owner = (SELECT min(owner) FROM draft_usage)",
      );
      raw.exec("INSERT INTO draft_usage VALUES('77', 1, 10)");
    },
    found: { "counters.drafts": 2 },
  },
  {
    name: "the flag of the latest version",
    work: (raw) => raw.exec(`UPDATE rec SET latest = 0 WHERE id = ${firstOf(raw).id}`),
    found: { "record.columns": 1, "counters.citations": 0 },
  },
  {
    name: "the flag of the other state",
    work: (raw) => raw.exec(`UPDATE rec SET other_state = 1 WHERE id = ${firstOf(raw).id}`),
    found: { "record.other_state": 1 },
  },
  {
    name: "numbers and keys",
    work: (raw) => raw.exec(`UPDATE rec SET vals = x'' WHERE id = ${firstOf(raw).id}`),
    found: { "index.values": 1 },
  },
  {
    name: "texts for ranges",
    work: (raw) => raw.exec(`UPDATE rec_text SET texts = x'' WHERE id = ${firstOf(raw).id}`),
    found: { "index.values": 1 },
  },
  {
    name: "the row of the texts for ranges",
    work: (raw) => raw.exec(`DELETE FROM rec_text WHERE id = ${firstOf(raw).id}`),
    found: { "index.values": 1 },
  },
  {
    name: "texts for ranges of no record",
    work: (raw) => raw.exec("INSERT INTO rec_text(id, texts) VALUES(1000000, x'')"),
    found: { "index.strays": 1 },
  },
  {
    name: "a key of a facet",
    work: (raw) => raw.exec("DELETE FROM key WHERE id = (SELECT min(id) FROM key)"),
    found: { "index.values": 0, "index.text": 0 },
  },
  {
    name: "a body without a row",
    work: (raw) => raw.exec(`DELETE FROM rec WHERE id = ${firstOf(raw).id}`),
    found: { "record.rows": 1, "index.strays": 0, "counters.citations": 0, "changes.records": 1 },
  },
  {
    name: "an index row of a record",
    work: (raw) => raw.exec(`DELETE FROM leaf WHERE rowid = ${firstOf(raw).id}`),
    found: { "index.text": 1, "index.rows": 1 },
  },
  {
    name: "one word in the index of a record",
    work: (raw) => {
      const { id } = firstOf(raw);
      raw.exec(`DELETE FROM leaf WHERE rowid = ${id}`);
      raw.exec(`INSERT INTO leaf(rowid, paths, title, heavy, rest) VALUES(${id}, '?1 _1_wrong', 'wrong', '', '')`);
    },
    found: { "index.text": 1 },
  },
  {
    name: "an index row of an element",
    work: (raw) => raw.exec(`DELETE FROM elem WHERE rowid = ${firstOf(raw).id * 2 ** 20 + 3}`),
    found: { "index.text": 1, "index.rows": 1 },
  },
  {
    name: "an index row without a record",
    work: (raw) => raw.exec("INSERT INTO leaf(rowid, paths, title, heavy, rest) VALUES(900, '?1', 'coli', '', 'coli')"),
    found: { "index.strays": 2 },
  },
  {
    name: "an index row that was forgotten by its table",
    work: (raw) => raw.exec(`DELETE FROM leaf_docsize WHERE id = ${firstOf(raw).id}`),
    found: { "index.rows": 1 },
  },
  {
    name: "a word of the list for similar words",
    work: (raw) => raw.exec("DELETE FROM word WHERE word = 'quixotic'; DELETE FROM new_word WHERE word = 'quixotic';"),
    found: { "index.words": 1 },
  },
  {
    name: "a counter of citations",
    work: (raw) =>
      raw.exec("UPDATE use SET n = n + 5, drafts = 1 WHERE vocabulary = 'organisms' AND ext = 'taxid:562'"),
    found: { "counters.citations": 1 },
  },
  {
    name: "a counter of citations that is missing",
    work: (raw) => raw.exec("DELETE FROM use WHERE vocabulary = 'organisms' AND ext = 'taxid:562'"),
    found: { "counters.citations": 1 },
  },
  {
    name: "the counter of an id",
    work: (raw) => raw.prepare("UPDATE taken SET revision = 0 WHERE id = ?").run(firstOf(raw).pid),
    found: { "record.counter": 1 },
  },
  {
    name: "an id that is not taken",
    work: (raw) => raw.prepare("DELETE FROM taken WHERE id = ?").run(firstOf(raw).parent),
    found: { "record.counter": 1 },
  },
  {
    name: "a share of a draft that is gone",
    work: (raw) => raw.exec("INSERT INTO access VALUES('00000-00000', 1, 'read', 1)"),
    found: { "record.shares": 1 },
  },
  {
    name: "the last change of a record",
    work: (raw) => raw.exec(`UPDATE change SET revision = 40 WHERE rec = ${firstOf(raw).id}`),
    found: { "changes.records": 1 },
  },
  {
    name: "the removal of a draft",
    work: (raw) =>
      raw.exec(
        `UPDATE change SET action = 'updated'
          WHERE seq = (SELECT max(seq) FROM change WHERE action = 'removed' AND kind = 'record')`,
      ),
    found: { "changes.records": 1 },
  },
  {
    name: "two latest versions",
    work: (raw) => {
      const [a, b] = [firstOf(raw), firstOf(raw, "state = 1 AND id > 1")];
      raw.prepare("UPDATE rec SET parent = ? WHERE id = ?").run(a.parent, b.id);
      rewriteBody(raw, b.id, (body) => {
        Object.assign(body.parent, { id: a.parent });
        Object.assign(body.versions, { index: 2 });
      });
    },
    found: { "record.versions": 1, "record.columns": 0, "index.text": 1, "index.values": 0 },
    changesAnswers: true,
  },
  {
    name: "a record beside its tombstone",
    work: (raw) => {
      const { pid, parent } = firstOf(raw);
      raw.prepare("INSERT INTO tombstone VALUES(?, ?, 'mst', '1', 1, 5, 1, '{}')").run(pid, parent);
    },
    found: { "tombstone.rows": 1, "tombstone.counter": 1 },
    changesAnswers: true,
  },
  {
    name: "a record beside its tombstone, whose index is wrong too",
    work: (raw) => {
      const { id, pid, parent } = firstOf(raw);
      raw.prepare("INSERT INTO tombstone VALUES(?, ?, 'mst', '1', 1, 5, 1, '{}')").run(pid, parent);
      raw.exec(`UPDATE doc SET json = 'lost' WHERE id = ${id}`);
      raw.exec(`UPDATE rec SET cites = 'lost', elements = 1 WHERE id = ${id}`);
    },
    found: {
      "record.body": 1,
      "tombstone.rows": 1,
      "tombstone.counter": 1,
      "index.rows": 1,
      "counters.citations": 0,
      "column.type": 0,
    },
    changesAnswers: true,
  },
  {
    name: "pages of the full-text table",
    work: (raw) => raw.exec("UPDATE leaf_data SET block = x'00' WHERE id > 10"),
    found: { "file.integrity": 0, "index.text": 0 },
  },
];

const ON_TERMS: readonly Break[] = [
  {
    name: "the hash of an item",
    work: (raw) => raw.exec(`UPDATE term_${generation(raw)} SET hash = x'00' WHERE id = 5`),
    found: { "items.columns": 1 },
  },
  {
    name: "the revision of an item",
    work: (raw) => raw.exec(`UPDATE term_${generation(raw)} SET revision = 9 WHERE id = 5`),
    found: { "items.columns": 1, "changes.terms": 1 },
  },
  {
    name: "the rank of an item",
    work: (raw) => raw.exec(`UPDATE term_${generation(raw)} SET prior = 99, status = 1, length = 1 WHERE id = 5`),
    found: { "items.columns": 3, "generation.counters": 0 },
  },
  {
    name: "the next row of a vocabulary",
    work: (raw) => raw.exec(`UPDATE generation SET next = 100 WHERE g = ${generation(raw)}`),
    found: { "generation.counters": 1 },
  },
  {
    name: "an item that is there twice",
    work: (raw) => {
      const g = generation(raw);
      const columns = "ext, status, prior, length, created, revision, hash, parent, successor, lo, hi, title, rest";
      const next = `(SELECT next FROM generation WHERE g = ${g})`;
      raw.exec(`INSERT INTO term_${g}(id, ${columns}) SELECT ${next}, ${columns} FROM term_${g} WHERE id = 5`);
      raw.exec(`INSERT INTO ext_${g} SELECT ext, id FROM term_${g} WHERE id = ${next}`);
    },
    found: { "items.repeats": 1, "items.text": 2, "items.keys": 1, "generation.counters": 2, "changes.terms": 0 },
  },
  {
    name: "the words of an item",
    work: (raw) => {
      const table = `term_fts_${generation(raw)}`;
      raw.exec(`DELETE FROM ${table} WHERE rowid = 5`);
      raw.exec(`INSERT INTO ${table}(rowid, title, names, rest) VALUES(5, 'wrong', '', '')`);
    },
    found: { "items.text": 1, "items.saved": 0 },
  },
  {
    name: "the words at paths of an item",
    work: (raw) => raw.exec(`DELETE FROM term_at_${generation(raw)} WHERE rowid = 5`),
    found: { "items.text": 1, "items.saved": 0 },
  },
  ...["ext", "created", "title", "name", "val", "child"].map((table) => ({
    name: `an entry of the table ${table}`,
    work: (raw: Database) => {
      const name = `${table}_${generation(raw)}`;
      return raw.exec(`DELETE FROM ${name} WHERE id = (SELECT max(id) FROM ${name} WHERE id < 1000)`);
    },
    found: { "items.keys": 1, "items.saved": 0, "changes.terms": 0, "items.lineage": 0 },
  })),
  {
    name: "the interval of an item",
    work: (raw) => raw.exec(`UPDATE term_${generation(raw)} SET lo = 3, hi = 2 WHERE id = 50`),
    found: { "items.lineage": 0 },
  },
  {
    name: "a saved order",
    work: (raw) =>
      raw.exec(`UPDATE column_${generation(raw)} SET data = zeroblob(length(data)) WHERE name = 'created'`),
    found: { "items.saved": 1 },
  },
  {
    name: "a saved set",
    work: (raw) => raw.exec(`UPDATE hot_${generation(raw)} SET all_rows = x'000000000100000005000000' WHERE id = 1`),
    found: { "items.saved": 0 },
  },
  {
    name: "a posting list",
    work: (raw) => raw.exec(`UPDATE postings_${generation(raw)} SET postings = zeroblob(length(postings)) WHERE n = 1`),
    found: { "items.saved": 0 },
  },
  {
    name: "the tokens of posting lists",
    work: (raw) => raw.exec(`UPDATE postings_${generation(raw)} SET tokens = replace(tokens, 'a', 'q') WHERE n = 1`),
    found: { "items.saved": 0 },
  },
  {
    name: "the number of items",
    work: (raw) => raw.exec(`UPDATE generation SET count = count - 1 WHERE g = ${generation(raw)}`),
    found: { "generation.counters": 1 },
  },
  {
    name: "tables that belong to nothing",
    work: (raw) =>
      raw.exec("CREATE TABLE term_990(id INTEGER PRIMARY KEY, ext TEXT); INSERT INTO term_990 VALUES(1, 'x')"),
    found: { "generation.leftovers": 1 },
  },
  {
    name: "entries of an import that never came to be",
    work: (raw) => raw.exec("INSERT INTO change_term VALUES(991, 1, 'taxid:1', 'created', 1)"),
    found: { "changes.imports": 1 },
  },
  {
    name: "the last change of an item",
    work: (raw) => raw.exec("UPDATE change SET revision = 40 WHERE kind = 'term' AND id = 'taxid:562'"),
    found: { "changes.terms": 1 },
  },
  {
    name: "an item that is noted as gone",
    work: (raw) => raw.exec("INSERT INTO life VALUES('organisms', 'taxid:562', 1, 'deleted', NULL)"),
    found: { "items.lives": 1 },
  },
];

/** What cannot be made again. */
const FOR_GOOD: readonly Break[] = [
  {
    name: "a body that is no JSON",
    work: (raw) => raw.exec(`UPDATE doc SET json = '{"id": ' WHERE id = ${firstOf(raw).id}`),
    found: { "record.body": 1 },
  },
  {
    name: "a body that says something else than was written",
    work: (raw) => raw.exec(`UPDATE doc SET json = replace(json, 'nM', 'mM') WHERE id = ${firstOf(raw).id}`),
    found: { "record.body": 1 },
  },
  {
    name: "a record without its body",
    work: (raw) => raw.exec(`DELETE FROM doc WHERE id = ${firstOf(raw).id}`),
    found: { "record.body": 1 },
  },
  {
    name: "an item that is no JSON",
    work: (raw) => raw.exec(`UPDATE term_${generation(raw)} SET title = '{' WHERE id = 5`),
    found: { "items.content": 1, "column.type": 1 },
  },
  {
    name: "a change that is gone",
    work: (raw) => raw.exec("DELETE FROM change WHERE seq = 1"),
    found: { "changes.order": 1, "changes.terms": 0, "changes.imports": 0 },
  },
  {
    name: "a public number that is gone",
    work: (raw) => raw.exec("UPDATE change SET shown = NULL WHERE shown = 1"),
    found: { "changes.order": 1 },
  },
];

/** 0 stands for any number above it: how many rows a break reaches is not what it is about. */
function expectFound(counts: Readonly<Record<string, number>>, { found, name }: Break): void {
  const required = Object.entries(found).filter(([, times]) => times > 0);
  for (const [check, times] of required) expect(counts[check], `${name}: ${check}`).toBe(times);
  expect(Object.keys(found), name).toEqual(expect.arrayContaining(Object.keys(counts)));
  expect(Object.keys(counts), name).not.toEqual([]);
}

it("has nothing to say of a store after some life", { timeout: 60_000 }, async () => {
  expect(verifyStore(store.folder, CATALOG, quiet).verification).toMatchObject({ counts: {}, notes: [] });
  const large = await makeLivedStore(1_010);
  onTestFinished(() => large.dispose());
  const { verification } = verifyStore(large.folder, CATALOG, quiet);
  expect(verification.findings).toEqual([]);
  expect(verification).toMatchObject({ counts: {}, notes: [], records: 14 });
  expect(verification.terms).toBeGreaterThan(1_010);
});

describe.each([...ON_RECORDS, ...ON_TERMS])("$name", (broken) => {
  it("is found, and repaired so that searches answer as before", { timeout: 60_000 }, async () => {
    const folder = store.copy();
    breakStore(folder, broken.work);
    const { before, repaired, after } = await repairStore(folder, CATALOG, quiet);
    expectFound(before.counts, broken);
    expect(after.findings).toEqual([]);
    const raw = new Sqlite(join(folder, DATABASE_FILE), { readonly: true });
    const lines = raw
      .prepare("SELECT place, sum(times) AS times FROM audit WHERE action = 'store.repair' GROUP BY place")
      .raw()
      .all();
    expect(Object.fromEntries(lines as [string, number][])).toEqual(repaired);
    raw.close();
    if (broken.changesAnswers !== true) expect(await answersOf(folder)).toEqual(answers);
  });
});

it.each([
  ["store", "a column of a record"],
  ["index", "a word of the list for similar words"],
  ["between", "an index row of a record"],
])("tells where a disagreement lies: %s, for %s", (place, name) => {
  const folder = store.copy();
  breakStore(folder, ON_RECORDS.find((broken) => broken.name === name)!.work);
  const { findings } = verifyStore(folder, CATALOG, quiet).verification;
  expect([...new Set(findings.map((finding) => finding.place))]).toEqual([place]);
});

it("rebuilds an index that lacks rows before it repairs anything that was read through it", async () => {
  const folder = store.copy();
  breakStore(folder, (raw) => loseIndexRows(raw, "change_shown"));
  const counted = "SELECT count(*) AS changes, (SELECT count(*) FROM change_term) AS entries FROM change";
  // The repair has what is kept in memory read again, which changes nothing.
  const changes = `${counted} WHERE action <> 'reindexed'`;
  const countChanges = (): unknown => {
    const raw = new Sqlite(join(folder, DATABASE_FILE), { readonly: true });
    const counts = raw.prepare(changes).get();
    raw.close();
    return counts;
  };
  const counts = countChanges();
  const { before, repaired, after } = await repairStore(folder, CATALOG, quiet);
  expect(before.counts["file.integrity"]).toBeGreaterThan(0);
  expect(repaired).toEqual({ indexes: 1 });
  expect(after.findings).toEqual([]);
  expect(countChanges()).toEqual(counts);
  expect(await answersOf(folder)).toEqual(answers);
});

/** Empties an index without its table, as a lost page does: SQLite fills one whose condition nothing fulfils. */
function loseIndexRows(raw: Database, index: string): void {
  const { sql } = raw.prepare<[string], { sql: string }>("SELECT sql FROM sqlite_schema WHERE name = ?").get(index)!;
  raw.unsafeMode(true);
  raw.pragma("writable_schema = ON");
  const change = raw.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = ?");
  raw.exec(`DROP INDEX ${index}; CREATE INDEX ${index} ON change(seq) WHERE kind = 'none'`);
  change.run(sql, index);
  raw.pragma("writable_schema = OFF");
  raw.unsafeMode(false);
}

describe.each(FOR_GOOD)("$name", (broken) => {
  it("is found, and said to be beyond repair", { timeout: 60_000 }, async () => {
    const folder = store.copy();
    breakStore(folder, broken.work);
    const { before, after } = await repairStore(folder, CATALOG, quiet);
    expectFound(before.counts, broken);
    const check = Object.keys(broken.found)[0]!;
    expect(after.findings).toContainEqual(expect.objectContaining({ check, isMendable: false }));
  });
});
