import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fail } from "../../../core/errors.js";
import { noteChange } from "./change-table.js";
import { createDatabase, type Db, openDatabase, readMeta, Sqlite, writeMeta } from "./database.js";
import { makeWriter, type Writer } from "./write-connection.js";

const CHANGE = { kind: "record", action: "created", place: "tiny" } as const;

let folder: string;
let db: Db;
let writer: Writer;
let commits: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-group-"));
  createDatabase(folder);
  db = openDatabase(folder, "writer");
  writer = makeWriter(db, { nowMicros: () => 1_000 });
  commits = 0;
  writer.onCommit(() => {
    commits += 1;
  });
});
afterEach(async () => {
  await writer.idle();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Notes a value under a name, and how often it was done. */
function noting() {
  const runs: string[] = [];
  const instants: number[] = [];
  const note = (name: string, failure?: Error): Promise<string> =>
    writer.share((now) => {
      runs.push(name);
      instants.push(now);
      writeMeta(db.raw, name, `${runs.filter((run) => run === name).length}`);
      if (failure !== undefined) throw failure;
      return name;
    });
  return { note, runs, instants };
}

const stored = (name: string): string | undefined => readMeta(db.raw, name);

it("commits together what waits at the same time, each at a later instant", async () => {
  const { note, runs, instants } = noting();
  const names = ["a", "b", "c", "d"];
  expect(await Promise.all(names.map((name) => note(name)))).toEqual(names);
  expect([runs, commits]).toEqual([names, 1]);
  expect(instants).toEqual([...new Set(instants)].sort((x, y) => x - y));
  expect(names.map(stored)).toEqual(["1", "1", "1", "1"]);
});

it("tells no caller before the commit", async () => {
  const other = new Sqlite(db.raw.name, { readonly: true });
  const { note } = noting();
  const seen = ["a", "b"].map((name) => note(name).then(() => readMeta(other, name)));
  expect(await Promise.all(seen)).toEqual(["1", "1"]);
  const told: string[] = [];
  const failing = writer.share(() => Promise.reject(new Error("no"))).catch(() => told.push("failed"));
  const last = writer.share(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    told.push("ran");
  });
  await Promise.all([failing, last]);
  expect(told).toEqual(["ran", "failed"]);
  other.close();
});

it("lets a work that fails before it wrote anything fail by itself", async () => {
  const { note, runs } = noting();
  const failure = new Error("refused");
  const refuse = (): Promise<never> =>
    writer.share(() => {
      runs.push("refused");
      throw failure;
    });
  const outcomes = await Promise.allSettled([note("a"), refuse(), note("b")]);
  expect(outcomes).toEqual([
    { status: "fulfilled", value: "a" },
    { status: "rejected", reason: failure },
    { status: "fulfilled", value: "b" },
  ]);
  expect([runs, commits]).toEqual([["a", "refused", "b"], 1]);
});

it("runs each again alone where one fails after it wrote", async () => {
  const { note, runs, instants } = noting();
  const failure = new Error("changed my mind");
  const outcomes = await Promise.allSettled([note("a"), note("b", failure), note("c")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(outcomes[1]).toMatchObject({ reason: failure });
  expect(["a", "b", "c"].map(stored)).toEqual(["2", undefined, "1"]);
  // What waited behind the one that failed had not begun.
  expect([runs, commits]).toEqual([["a", "b", "a", "b", "c"], 2]);
  expect(instants).toEqual([...new Set(instants)].sort((x, y) => x - y));
});

it("does the same where SQLite itself rolled back", async () => {
  const { note } = noting();
  let isFull = true;
  const fill = (): Promise<string> =>
    writer.share(() => {
      writeMeta(db.raw, "full", "yes");
      if (isFull) db.raw.exec("ROLLBACK");
      isFull = false;
      return "done";
    });
  expect(await Promise.all([note("a"), fill(), note("b")])).toEqual(["a", "done", "b"]);
  expect(["a", "full", "b"].map(stored)).toEqual(["2", "yes", "1"]);
});

it("shares nothing with a work of its own transaction, nor with maintenance, and keeps the order", async () => {
  const { note, runs } = noting();
  const alone = (): Promise<unknown> => writer.run(() => void runs.push("alone"));
  const between = (): Promise<unknown> => {
    return writer.between(() => void runs.push(db.raw.inTransaction ? "inside" : "between"));
  };
  await Promise.all([note("a"), note("b"), alone(), note("c"), between(), note("d"), note("e")]);
  expect(runs).toEqual(["a", "b", "alone", "c", "between", "d", "e"]);
  expect(commits).toBe(4);
});

it("adds nothing to a group that takes long", async () => {
  const { note } = noting();
  const long = writer.share(() => new Promise((resolve) => setTimeout(resolve, 50)));
  const first = note("a").then(() => commits);
  await Promise.all([long, first, note("b")]);
  expect([await first, commits]).toEqual([2, 2]);
});

it("is alone in bulk until another process writes, and never where single writes are waited for", async () => {
  const bulk = makeWriter(db, { nowMicros: () => 1_000 }, { isBulk: true });
  const write = (): Promise<number> => bulk.run((now) => noteChange(db, now, CHANGE));
  await write();
  await write();
  expect([writer.isAlone(), bulk.isAlone()]).toEqual([false, true]);
  const other = openDatabase(folder, "writer");
  const seen = await bulk.run((now) => now);
  noteChange(other, seen + 1, CHANGE);
  other.close();
  expect(bulk.isAlone()).toBe(true);
  await write();
  expect(bulk.isAlone()).toBe(false);
});

it("begins no further work on a file that is known to be damaged", async () => {
  const { note, runs } = noting();
  const damage = fail("STORE_DAMAGED", { part: "The data file", reason: "a test" });
  const findDamage = (): Promise<never> =>
    writer.share(() => {
      throw damage;
    });
  const outcomes = await Promise.allSettled([note("a"), findDamage(), note("b"), note("c")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  expect(outcomes[3]).toMatchObject({ reason: damage });
  expect([runs, stored("a")]).toEqual([["a"], "1"]);
});
