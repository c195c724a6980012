import { expect, it } from "vitest";
import { keptAnswer } from "../../rows/write-log-rows.js";
import { Sqlite } from "./database.js";
import { MIGRATIONS, migrate } from "./migrations.js";

it("learns from the audit log which token made which, and ends what was made by a revoked one", () => {
  const before = MIGRATIONS.findIndex((sql) => sql.includes("ADD COLUMN parent"));
  const raw = new Sqlite(":memory:");
  for (const sql of MIGRATIONS.slice(0, before)) migrate(raw, sql);
  const token = raw.prepare(
    "INSERT INTO token(user, name, scopes, digest, created, revoked) VALUES(1, '', '', ?, '', ?)",
  );
  const revoked = "2026-11-21T10:00:00.000000+00:00";
  for (const [n, when] of [null, revoked, null, null, null].entries()) token.run(`d${n + 1}`, when);
  const audit = raw.prepare(`INSERT INTO audit(time, token, who, action, kind, target, outcome)
    VALUES(0, ?, '', ?, 'token', ?, ?)`);
  audit.run(null, "token.create", "1", "done");
  audit.run(null, "token.create", "2", "done");
  audit.run(2, "token.create", "3", "done");
  audit.run(3, "token.create", "4", "done");
  audit.run(1, "token.create", "5", "done");
  audit.run(2, "token.revoke", "5", "done");
  migrate(raw, MIGRATIONS[before]!);
  expect(raw.prepare("SELECT id, parent, revoked FROM token ORDER BY id").all()).toEqual([
    { id: 1, parent: null, revoked: null },
    { id: 2, parent: null, revoked },
    { id: 3, parent: 2, revoked },
    { id: 4, parent: 3, revoked },
    { id: 5, parent: 1, revoked: null },
  ]);
  raw.close();
});

it("gives the items of each vocabulary that is there a place for their sources", () => {
  const before = MIGRATIONS.findIndex((sql) => sql.includes("ADD COLUMN sources"));
  const raw = new Sqlite(":memory:");
  raw.exec("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  for (const sql of MIGRATIONS.slice(0, before)) migrate(raw, sql);
  for (const g of [3, 12]) {
    raw.exec(`CREATE TABLE term_${g}(id INTEGER PRIMARY KEY, successor TEXT)`);
    raw.exec(`INSERT INTO term_${g}(id) VALUES(1)`);
  }
  for (const sql of MIGRATIONS.slice(before)) migrate(raw, sql);
  for (const g of [3, 12]) expect(raw.prepare(`SELECT sources FROM term_${g}`).pluck().all()).toEqual([0]);
  expect(raw.prepare("SELECT count(*) FROM term_history").pluck().get()).toBe(0);
  raw.close();
});

it("gives the texts of values a table of their own", () => {
  const before = MIGRATIONS.findIndex((sql) => sql.includes("CREATE TABLE rec_text"));
  const raw = new Sqlite(":memory:");
  raw.exec("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  for (const sql of MIGRATIONS.slice(0, before)) migrate(raw, sql);
  const insert =
    raw.prepare(`INSERT INTO rec(pid, parent, state, twin, latest, model, owner, created, updated, revision,
    cites, elements, vals, texts) VALUES(?, '', 0, 0, 1, 'mst', '', 0, 0, 1, '[]', 0, ?, ?)`);
  for (const pid of ["a", "b", "c"]) insert.run(pid, Buffer.from(`values of ${pid}`), Buffer.from(`texts of ${pid}`));
  raw.exec("DELETE FROM rec WHERE pid = 'c'");
  const indexes = raw.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'rec' AND type = 'index' ORDER BY name",
  );
  const indexed = indexes.all();
  migrate(raw, MIGRATIONS[before]!);
  expect(indexes.all()).toEqual(indexed);
  // No row id is given twice, not even that of a record that is gone.
  expect(raw.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'rec'").pluck().all()).toEqual([3]);
  const rows = raw.prepare("SELECT pid, vals, version, texts FROM rec JOIN rec_text USING(id) ORDER BY id").raw().all();
  expect(rows.map((row) => (row as unknown[]).map(String))).toEqual([
    ["a", "values of a", "1", "texts of a"],
    ["b", "values of b", "1", "texts of b"],
  ]);
  expect(raw.prepare("SELECT name FROM pragma_table_info('rec')").pluck().all()).not.toContain("texts");
  raw.close();
});

it("says of kept answers which record they are about", () => {
  const before = MIGRATIONS.findIndex((sql) => sql.includes("answer_about"));
  const raw = new Sqlite(":memory:");
  raw.exec("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  for (const sql of MIGRATIONS.slice(0, before)) migrate(raw, sql);
  const record = { id: "zv0gv-btp27", parent: "p", model: "mst", state: "draft", json: '{"a":"\\u0000"}' };
  const [done, failed] = [
    { kind: "done", value: { record } },
    { kind: "failed", code: "BODY_MISSING", params: {} },
  ];
  const keep = raw.prepare("INSERT INTO answer(token, key, request, time, outcome) VALUES(1, ?, 'r', 0, ?)");
  for (const [key, outcome] of Object.entries({ done, failed })) keep.run(key, JSON.stringify(outcome));
  migrate(raw, MIGRATIONS[before]!);
  const rows = raw.prepare<[], { request: string; outcome: string }>(
    "SELECT request, outcome FROM answer ORDER BY key",
  );
  expect(rows.all().map((row) => keptAnswer(row, "key"))).toEqual([
    { request: "r", about: { id: record.id, state: "draft" }, outcome: done },
    { request: "r", outcome: failed },
  ]);
  raw.close();
});
