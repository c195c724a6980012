import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Heard, hearBackground } from "../../../test/support/background.js";
import { makeClock, putAll } from "../../../test/support/engines/engine-under-test.js";
import { tinyCatalog, tinyModel, tinyRecord } from "../../../test/support/tiny-catalog.js";
import type { BackgroundTask } from "../../core/background.js";
import type { Catalog } from "../../core/catalog/types.js";
import { makeServices } from "../../services/index.js";
import { startCheckpoints } from "./admin/wal-checkpoints.js";
import { DATABASE_FILE, openDatabase, Sqlite } from "./connection/database.js";
import { makeWriter } from "./connection/write-connection.js";
import { openSqlite, type SqliteEngine, type SqliteOptions } from "./index.js";
import { startTermLoads } from "./vocabulary/load/term-loads.js";

const CATALOG = tinyCatalog();

let folder: string;
let heard: Heard;
let engines: SqliteEngine[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-background-"));
  heard = hearBackground();
  engines = [];
});
afterEach(async () => {
  for (const engine of engines) await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(options: Partial<SqliteOptions> = {}): SqliteEngine {
  const clock = makeClock();
  const all = { folder, catalog: CATALOG, clock, role: "writer", searchTimeoutMs: 5_000, background: heard } as const;
  const engine = openSqlite({ ...all, ...options });
  engines.push(engine);
  return engine;
}

/** Changes the file behind the back of the engine. */
function withFile(sql: string): void {
  const raw = new Sqlite(join(folder, DATABASE_FILE));
  raw.unsafeMode(true);
  raw.exec(sql);
  raw.close();
}

const hears = (task: BackgroundTask, outcome: object | string): Promise<void> =>
  vi.waitFor(() => expect(heard.last(task)).toEqual(outcome), { timeout: 10_000 });
const message = (text: string | RegExp) => expect.objectContaining({ message: expect.stringMatching(text) });

const addUser = (engine: SqliteEngine, name: string) =>
  engine.store.transaction((tx) => tx.users.addUser({ name, role: "depositor" }));

describe("background work of the engine tells", () => {
  it("that the full-text index cannot be merged, and that it can again", async () => {
    const engine = open();
    withFile("ALTER TABLE elem RENAME TO away");
    await addUser(engine, "alice");
    await hears("index-merge", message("no such table: elem"));
    withFile("ALTER TABLE away RENAME TO elem");
    await addUser(engine, "bob");
    await hears("index-merge", "success");
  });

  it("that the write-ahead log cannot be written back, and that it can again", async () => {
    await addUser(open({ runsCheckpoints: false }), "alice");
    const [file, away] = [join(folder, DATABASE_FILE), join(folder, "away")];
    renameSync(file, away);
    const tending = startCheckpoints(folder, heard);
    await hears("wal-checkpoint", message("the data file cannot be opened"));
    renameSync(away, file);
    await hears("wal-checkpoint", "success");
    tending.stop();
  });

  it("that the write-ahead log cannot be written back no longer once somebody else did it", async () => {
    await addUser(open({ runsCheckpoints: false }), "alice");
    const [file, log] = [join(folder, DATABASE_FILE), join(folder, `${DATABASE_FILE}-wal`)];
    renameSync(file, `${file}.away`);
    const tending = startCheckpoints(folder, heard);
    await hears("wal-checkpoint", message("the data file cannot be opened"));
    // As if it had been made empty and removed.
    renameSync(log, `${log}.away`);
    await hears("wal-checkpoint", "success");
    tending.stop();
    renameSync(`${log}.away`, log);
    renameSync(`${file}.away`, file);
  });

  it("that the index does not follow a model, and when it does", async () => {
    const { leaves } = tinyModel();
    const without = tinyModel("tiny", { leaves: new Map([...leaves].filter(([path]) => path !== "metadata.ph")) });
    const changed: Catalog = tinyCatalog({ models: new Map([["tiny", without]]) });
    const first = open({ runsReindexing: true });
    await hears("record-index", "success");
    await putAll(first, [tinyRecord("r1", { title: "One", ph: 7 })]);
    await first.close();
    withFile("CREATE TRIGGER refused BEFORE UPDATE ON rec BEGIN SELECT raise(ABORT, 'not this row'); END");
    open({ runsReindexing: true, catalog: changed });
    await hears("record-index", message("not this row"));
    withFile("DROP TRIGGER refused");
    await hears("record-index", "success");
  });

  it("that vocabularies cannot be looked after, and that they can again", async () => {
    open();
    const db = openDatabase(folder, "writer");
    const loads = startTermLoads(makeWriter(db, makeClock(), { background: heard }), CATALOG, async () => undefined);
    withFile("ALTER TABLE generation RENAME TO away");
    await loads.maintain();
    expect(heard.last("vocabulary-maintenance")).toEqual(message("no such table"));
    withFile("ALTER TABLE away RENAME TO generation");
    await loads.maintain();
    expect(heard.last("vocabulary-maintenance")).toBe("success");
    await loads.stop();
    db.close();
  });

  it("that changes cannot be looked for while requests wait for them", async () => {
    const { store, index, admin } = open();
    const random = { bytes: (count: number) => new Uint8Array(count) };
    const parts = { store, index, admin, catalog: CATALOG, clock: makeClock(), random };
    const { awaitChange } = makeServices({ ...parts, background: heard });
    withFile("ALTER TABLE change RENAME TO away");
    await awaitChange({ since: "0", waitMs: 60_000, caller: "a" }, new AbortController().signal);
    expect(heard.last("change-feed")).toEqual(message("no such table: change"));
    withFile("ALTER TABLE away RENAME TO change");
    void awaitChange({ since: "0", waitMs: 500, caller: "a" }, new AbortController().signal);
    await hears("change-feed", "success");
  });
});
