/** A store of another version: only the service migrates it, and no command does beside a service of that version. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseFile } from "../../src/engines/sqlite/connection/database.js";
import { Sqlite } from "../../src/engines/sqlite/connection/driver.js";
import { MIGRATIONS, migrate } from "../../src/engines/sqlite/connection/migrations.js";
import { ANALYSIS_VERSION } from "../../src/query/text/analyse.js";
import { startBindery } from "../support/bindery.js";
import { newStore } from "../support/new-store.js";
import { runCommandHere } from "../support/run-command.js";

let folder: string;
let records: string;
let terms: string;
let table: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-versions-"));
  records = join(folder, "records.json");
  terms = join(folder, "terms.json");
  table = join(folder, "people.csv");
  writeFileSync(records, "[]");
  writeFileSync(terms, JSON.stringify([{ id: "taxid:990001", title: { en: "An organism" } }]));
  writeFileSync(table, "affiliation\nUniversity of Somewhere\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every command that opens a store. */
const COMMANDS: readonly (() => readonly string[])[] = [
  () => ["status"],
  () => ["audit"],
  () => ["user", "list"],
  () => ["user", "add", "ada"],
  () => ["user", "disable", "ada"],
  () => ["token", "list"],
  () => ["token", "create", "--user", "ada", "--scope", "records:read"],
  () => ["token", "revoke", "--all"],
  () => ["webhook", "list"],
  () => ["webhook", "add", "https://example.org/hook"],
  () => ["authority", "status"],
  () => ["term", "history", "organisms", "taxid:562"],
  () => ["validate", "mst", records],
  () => ["match", "affiliations", table, "--column", "affiliation"],
  () => ["verify"],
  () => ["verify", "--repair"],
  () => ["backup", join(folder, "copy.bak")],
  () => ["dump", join(folder, "copy.dump")],
  () => ["refresh"],
  () => ["import", "vocabulary", "organisms", terms],
  () => ["import", "vocabulary", "organisms", terms, "--dry-run"],
  () => ["import", "records", "mst", records, "--owner", "ada"],
  () => ["demo"],
];

/** Runs each command, which has to refuse the store and leave it as it is. */
async function expectRefusals(data: string, words: RegExp): Promise<void> {
  const before = readFileSync(databaseFile(data));
  for (const command of COMMANDS) {
    const { code, stdout, stderr } = await runCommandHere(command(), { BINDERY_DATA: data });
    expect([code, stdout], command().join(" ")).toEqual([1, ""]);
    expect(stderr, command().join(" ")).toMatch(words);
    expect(readFileSync(databaseFile(data)).equals(before), command().join(" ")).toBe(true);
  }
}

describe("a store of an older version", () => {
  it("is refused by every command, and migrated by the service", { timeout: 60_000 }, async () => {
    const data = mkdtempSync(join(folder, "older-"));
    const raw = new Sqlite(databaseFile(data));
    raw.exec("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    for (const sql of MIGRATIONS.slice(0, -1)) migrate(raw, sql);
    const older = MIGRATIONS.length - 1;
    raw.exec(`INSERT INTO meta VALUES('schema', '${older}'), ('analysis', '${ANALYSIS_VERSION}')`);
    raw.close();
    const versions = `older Bindery \\(tables ${older}, here ${MIGRATIONS.length}\\)`;
    await expectRefusals(data, new RegExp(`${versions}.*nothing was changed.*start the service once`));

    const service = await startBindery({ data });
    await service.dispose();
    expect((await runCommandHere(["status"], { BINDERY_DATA: data })).stdout).toContain(`version ${MIGRATIONS.length}`);
    expect((await runCommandHere(["user", "list"], { BINDERY_DATA: data })).code).toBe(0);
  });
});

describe("a store of a newer version", () => {
  it("is refused by every command and by the service", { timeout: 60_000 }, async () => {
    const data = mkdtempSync(join(folder, "newer-"));
    await newStore(data);
    const raw = new Sqlite(databaseFile(data));
    raw.exec(`UPDATE meta SET value = '${MIGRATIONS.length + 1}' WHERE name = 'schema'`);
    raw.close();
    const versions = `newer Bindery \\(tables ${MIGRATIONS.length + 1}, here ${MIGRATIONS.length}\\)`;
    await expectRefusals(data, new RegExp(`${versions}.*nothing was changed`));
    await expect(startBindery({ data })).rejects.toThrow(new RegExp(versions));
  });
});
