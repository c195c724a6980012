/** The SQL of each kind of scan, and how SQLite goes about it: a scan where an index was meant shows here. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractCatalog, makeClock, putAll, tinyDraft } from "../../../../test/support/engines/engine-under-test.js";
import { tinyRecord } from "../../../../test/support/tiny-catalog.js";
import { elementToken } from "../../../query/index-model/record-document.js";
import { type Db, openDatabase } from "../connection/database.js";
import { makePathDictionary, makeValueDictionary } from "../documents/dictionaries.js";
import { phrase } from "../documents/fts-expression.js";
import { elementNumber, owningRecord } from "../documents/record-rows.js";
import { openSqlite, type SqliteEngine } from "../index.js";
import {
  type ColumnScan,
  type IndexScan,
  runColumnScans,
  runScan,
  runScanUpTo,
  type ScanResult,
} from "./index-scan.js";

let folder: string;
let engine: SqliteEngine;
let db: Db;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-scans-"));
  engine = openSqlite({
    folder,
    catalog: contractCatalog(),
    clock: makeClock(),
    role: "writer",
    searchTimeoutMs: 1_000,
  });
  const samples = [{ name: "beta", concentration: { value: 2, unit: "M" } }, { name: "alpha" }];
  await putAll(engine, [
    tinyRecord("r1", { title: "one serum", ph: 7, keywords: ["y"], samples }),
    tinyRecord("r2", { title: "two serum", ph: 2, keywords: ["x", "y"], samples: [{ name: "gamma" }] }),
    tinyRecord("r3", { title: "three" }, { model: "other" }),
    tinyDraft("r4", { title: "four serum", ph: 2 }),
  ]);
  db = openDatabase(folder, "reader");
});

afterAll(async () => {
  db.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = (name: string): number => makePathDictionary(db).findPathId(`metadata.${name}`) as number;

/** Asks, and notes what was said to SQLite. */
function watch(work: (context: Parameters<typeof runScan>[1]) => ScanResult | undefined): {
  answer: string[];
  said: string[];
} {
  const said: string[] = [];
  const watched: Db = {
    ...db,
    sql: <Row>(text: string) => {
      said.push(text.replace(/\s+/gu, " ").trim().replace(" WHERE ", "\nWHERE "));
      return db.sql<Row>(text);
    },
  };
  const answer = work({ db: watched, keys: makeValueDictionary(db), check: () => undefined });
  const rows = Array.from(answer?.rows ?? [], (row) =>
    row > 2 ** 20 ? `${owningRecord(row)}.${elementNumber(row)}` : `${row}`,
  );
  return { answer: rows.map((row, i) => (answer?.values ? `${row}=${answer.values[i]}` : row)), said };
}

const all = (scan: IndexScan) => watch((context) => runScan(scan, context));
const some = (scan: IndexScan) => watch((context) => runScan(scan, context, [{ first: 2, last: 4 }]));

/** How SQLite answers, in its own words; full-text tables say what they were given: M a MATCH, = > < the row id. */
function steps(sql: string): string[] {
  const parameters = [...sql].filter((sign) => sign === "?").length;
  const rows = db.raw
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Array(parameters).fill(1n));
  return rows.map(({ detail }) => detail);
}

describe("a scan of words", () => {
  it("is one MATCH; of some records, with bounds that FTS5 takes", () => {
    const scan: IndexScan = { kind: "records", matches: [phrase(["serum"])] };
    expect(all(scan)).toMatchInlineSnapshot(`
      {
        "answer": [
          "1",
          "2",
          "4",
        ],
        "said": [
          "SELECT rowid FROM leaf
      WHERE leaf MATCH ?",
        ],
      }
    `);
    expect(some(scan)).toMatchInlineSnapshot(`
      {
        "answer": [
          "2",
          "4",
        ],
        "said": [
          "SELECT rowid FROM leaf
      WHERE leaf MATCH ? AND rowid BETWEEN ? AND ?",
        ],
      }
    `);
    expect(steps(some(scan).said[0]!)).toMatchInlineSnapshot(`
      [
        "SCAN leaf VIRTUAL TABLE INDEX 0:M4><",
      ]
    `);
  });

  it("of elements has bounds of their row ids", () => {
    const scan: IndexScan = { kind: "elements", matches: [phrase([elementToken(path("samples"))])] };
    expect(all(scan)).toMatchInlineSnapshot(`
      {
        "answer": [
          "1.1",
          "1.2",
          "2.1",
        ],
        "said": [
          "SELECT rowid FROM elem
      WHERE elem MATCH ?",
        ],
      }
    `);
    expect(some(scan)).toMatchInlineSnapshot(`
      {
        "answer": [
          "2.1",
        ],
        "said": [
          "SELECT rowid FROM elem
      WHERE elem MATCH ? AND rowid BETWEEN ? AND ?",
        ],
      }
    `);
  });

  it("ends early where there is more than can be few", () => {
    const scan: IndexScan = { kind: "records", matches: [phrase(["serum"]), phrase(["three"])] };
    expect(watch((context) => runScanUpTo(scan, context, 4)).answer).toEqual(["1", "2", "3", "4"]);
    expect(watch((context) => runScanUpTo(scan, context, 3))).toMatchInlineSnapshot(`
      {
        "answer": [],
        "said": [
          "SELECT rowid FROM leaf
      WHERE leaf MATCH ? LIMIT ?",
          "SELECT rowid FROM leaf
      WHERE leaf MATCH ? LIMIT ?",
        ],
      }
    `);
    expect(watch((context) => runScanUpTo({ kind: "keys", path: 1 }, context, 3)).said).toEqual([]);
  });
});

describe("a scan of visibility", () => {
  it.each<[string, IndexScan]>([
    ["of everybody", { kind: "visible", scope: { kind: "public", models: ["tiny"] } }],
    ["of everybody, in several models", { kind: "visible", scope: { kind: "public", models: ["other", "tiny"] } }],
    ["of an owner", { kind: "visible", scope: { kind: "owner", owner: "1", models: ["other", "tiny"] } }],
    ["of models", { kind: "visible", scope: { kind: "models", models: ["tiny"] } }],
  ])("%s is answered by one index", (_, scan) => {
    const { answer, said } = all(scan);
    expect({ answer, said, steps: steps(said[0]!), some: some(scan).answer }).toMatchSnapshot();
  });
});

describe("a scan of values", () => {
  it("reads the records that have the path, and gives numbers in their order", () => {
    const scan: IndexScan = { kind: "numbers", path: path("ph") };
    expect(all(scan)).toMatchInlineSnapshot(`
      {
        "answer": [
          "2.0=2",
          "4.0=2",
          "1048576=7",
        ],
        "said": [
          "SELECT rec.id, vals FROM leaf CROSS JOIN rec
      WHERE rec.id = leaf.rowid AND leaf MATCH ?",
        ],
      }
    `);
    expect(some(scan)).toMatchInlineSnapshot(`
      {
        "answer": [
          "2.0=2",
          "4.0=2",
        ],
        "said": [
          "SELECT rec.id, vals FROM leaf CROSS JOIN rec
      WHERE rec.id = leaf.rowid AND leaf MATCH ? AND leaf.rowid BETWEEN ? AND ?",
        ],
      }
    `);
    expect(steps(some(scan).said[0]!)).toMatchInlineSnapshot(`
      [
        "SCAN leaf VIRTUAL TABLE INDEX 0:M4><",
        "SEARCH rec USING INTEGER PRIMARY KEY (rowid=?)",
      ]
    `);
  });

  it("reads the records once for several paths", () => {
    const scans: ColumnScan[] = [
      { kind: "numbers", path: path("ph") },
      { kind: "keys", path: path("keywords") },
      { kind: "numbers", path: path("samples.concentration.value") },
    ];
    const answers: ScanResult[] = [];
    const { said } = watch((context) => {
      answers.push(...runColumnScans(scans, context));
      return undefined;
    });
    expect(said).toHaveLength(1);
    expect(answers).toEqual(
      scans.map((scan) => runScan(scan, { db, keys: makeValueDictionary(db), check: () => undefined })),
    );
    expect(answers.map(({ rows }) => rows.length)).toEqual([3, 3, 1]);
  });

  it("gives keys in the order of their records, and keywords with their elements", () => {
    expect(all({ kind: "keys", path: path("keywords") }).answer).toMatchInlineSnapshot(`
      [
        "1048576=3",
        "2.0=4",
        "2.0=3",
      ]
    `);
    const range = { from: { value: "alpha", inclusive: false } };
    expect(all({ kind: "keywords", paths: [path("samples.name")], range })).toMatchInlineSnapshot(`
      {
        "answer": [
          "1.1",
          "2.1",
        ],
        "said": [
          "SELECT rec.id, vals, texts FROM leaf CROSS JOIN rec CROSS JOIN rec_text ON rec_text.id = rec.id
      WHERE rec.id = leaf.rowid AND leaf MATCH ?",
        ],
      }
    `);
  });

  it("reads all records where keywords may stand at very many paths", () => {
    const range = { from: { value: "alpha", inclusive: false } };
    const paths = [path("samples.name"), ...Array.from({ length: 64 }, (_, n) => 1_000 + n)];
    expect(all({ kind: "keywords", paths, range })).toEqual({
      answer: ["1.1", "2.1"],
      said: ["SELECT rec.id, vals, texts FROM rec CROSS JOIN rec_text ON rec_text.id = rec.id\nWHERE true"],
    });
  });
});
