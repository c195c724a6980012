/** A store of another version: only the service migrates it, and no command does beside a service of that version. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseFile, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { MIGRATIONS, migrate } from "../../src/engines/sqlite/connection/migrations.js";
import { ANALYSIS_VERSION } from "../../src/query/text/analyse.js";
import { startBindery } from "../support/bindery.js";
import { publish, recordWith } from "../support/deposit.js";
import type { SearchBody } from "../support/http-client.js";
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

describe("a store with the indexes of an older text analysis", () => {
  it("is refused by every command, and indexed again by the service", { timeout: 120_000 }, async () => {
    const data = mkdtempSync(join(folder, "analysed-"));
    const first = await startBindery({ data });
    const { client } = await first.user("alice");
    const { id } = await publish(client, recordWith(1, {}, { title: "Immuno\u00adglobulin" }));
    await first.dispose();
    const raw = new Sqlite(databaseFile(data));
    const older = ANALYSIS_VERSION - 1;
    raw.exec(`UPDATE meta SET value = '${older}' WHERE name = 'analysis'`);
    raw.exec("UPDATE meta SET value = 'of before' WHERE name LIKE 'index of %'; DELETE FROM rec_text");
    raw.exec("UPDATE generation SET signature = 'of before'");
    raw.close();
    const versions = `older Bindery \\(text analysis ${older}, here ${ANALYSIS_VERSION}\\)`;
    await expectRefusals(data, new RegExp(`${versions}.*nothing was changed.*Start the service once`));

    const service = await startBindery({ data });
    const ids = async (): Promise<readonly unknown[]> => {
      const { body } = await service.client.get<SearchBody>("/api/search/?q=immunoglobulin");
      return body.hits.hits.map((hit) => hit.id);
    };
    await expect.poll(ids, { timeout: 20_000 }).toEqual([id]);
    const left = (): unknown => {
      const reader = new Sqlite(databaseFile(data), { readonly: true });
      const count = reader.prepare("SELECT count(*) FROM generation WHERE signature = 'of before'").pluck().get();
      reader.close();
      return count;
    };
    await expect.poll(left, { timeout: 20_000 }).toBe(0);
    await service.dispose();
    expect((await runCommandHere(["status"], { BINDERY_DATA: data })).stdout).toContain(`version ${ANALYSIS_VERSION}`);
    expect((await runCommandHere(["verify"], { BINDERY_DATA: data })).code).toBe(0);
  });

  it("is not said to agree while its vocabularies wait to be indexed again", { timeout: 60_000 }, async () => {
    const data = mkdtempSync(join(folder, "waiting-"));
    await newStore(data);
    const raw = new Sqlite(databaseFile(data));
    raw.exec("UPDATE generation SET signature = 'of before' WHERE vocabulary IN ('organisms', 'grants')");
    raw.close();
    const verify = (...options: string[]) => runCommandHere(["verify", ...options], { BINDERY_DATA: data });
    for (const options of [[], ["--repair"]]) {
      const { code, stdout, stderr } = await verify(...options);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^not compared yet: grants, organisms\. .*repeat this command/m);
      expect(stdout).toMatch(/2 vocabularies left out, the rest agrees\.$/m);
      expect(stdout).not.toContain("all agrees");
    }
    const { code, stdout } = await verify("--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { leftOut: ["grants", "organisms"], counts: {} }]);
  });

  it("is refused if it is of a newer one", { timeout: 60_000 }, async () => {
    const data = mkdtempSync(join(folder, "analysed-newer-"));
    await newStore(data);
    const raw = new Sqlite(databaseFile(data));
    raw.exec(`UPDATE meta SET value = '${ANALYSIS_VERSION + 1}' WHERE name = 'analysis'`);
    raw.close();
    await expect(startBindery({ data })).rejects.toThrow(/newer Bindery \(text analysis/u);
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
