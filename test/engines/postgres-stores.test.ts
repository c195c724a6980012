/** A database that is of another version, that is empty, or of which a load was not finished. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { migrate, prepareTables } from "../../src/engines/postgres/connection/migrate.js";
import { MIGRATIONS } from "../../src/engines/postgres/connection/migrations.js";
import { openPool, type Pool } from "../../src/engines/postgres/index.js";
import { runCommandHere } from "../support/run-command.js";
import { dropDatabase, HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";

const COMMANDS: readonly (readonly string[])[] = [
  ["status"],
  ["audit"],
  ["user", "list"],
  ["user", "add", "ada"],
  ["token", "list"],
  ["token", "revoke", "--all"],
  ["webhook", "list"],
  ["verify"],
  ["verify", "--repair"],
  ["dump"],
  ["refresh"],
  ["demo"],
];

/** The rights of a service, and of a command. */
const SERVICE = { migrates: true, creates: true } as const;
const COMMAND = { migrates: false, creates: true } as const;

describe.skipIf(!HAS_POSTGRES)("a database", () => {
  let folder: string;
  let url: string;
  let pool: Pool;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bindery-databases-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    url = await newDatabase();
    pool = openPool({ url, connections: 2 });
    onTestFinished(async () => {
      await pool.close();
      await dropDatabase(url);
    });
  });

  const run = (...args: readonly string[]) =>
    runCommandHere(args, { BINDERY_DATABASE_URL: url, BINDERY_KEY_FILE: join(folder, "bindery.key") });
  const version = async (): Promise<number> =>
    Number((await pool.row<{ value: string }>("SELECT value FROM meta WHERE name = 'schema'"))?.value);
  const expectRefusals = async (words: RegExp): Promise<void> => {
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await run(...command);
      expect([code, stdout, stderr], command.join(" ")).toEqual([1, "", expect.stringMatching(words)]);
    }
  };

  it("of an older version is refused by every command, and migrated by a service", { timeout: 60_000 }, async () => {
    const older = MIGRATIONS.length - 1;
    await migrate(pool, MIGRATIONS.slice(0, -1));
    await expectRefusals(
      new RegExp(`older Bindery \\(tables ${older}, here ${MIGRATIONS.length}\\).*start the service`, "i"),
    );
    expect(await version()).toBe(older);
    expect(await prepareTables(pool, SERVICE)).toBe(false);
    expect(await version()).toBe(MIGRATIONS.length);
    expect((await run("user", "add", "ada")).code).toBe(0);
  });

  it("of the next version is used, and of the one after that refused by all", { timeout: 60_000 }, async () => {
    await migrate(pool, [...MIGRATIONS, "SELECT 1"]);
    expect((await run("user", "add", "ada")).code).toBe(0);
    expect(await version()).toBe(MIGRATIONS.length + 1);
    await migrate(pool, [...MIGRATIONS, "SELECT 1", "SELECT 1"]);
    await expectRefusals(new RegExp(`newer Bindery \\(tables ${MIGRATIONS.length + 2}, here ${MIGRATIONS.length}\\)`));
    await expect(prepareTables(pool, SERVICE)).rejects.toThrow("newer Bindery");
  });

  it("without tables gets them from commands that write and from services, unless that is forbidden", async () => {
    expect(await run("status")).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no store") });
    for (const rights of [SERVICE, COMMAND]) {
      const refused = prepareTables(pool, { ...rights, creates: "refused" });
      await expect(refused).rejects.toThrow(/BINDERY_NEW_STORE=off .*BINDERY_NEW_STORE=on/);
    }
    expect(await pool.row("SELECT to_regclass('bindery.meta') AS meta")).toEqual({ meta: null });
    const { code, stderr } = await run("user", "add", "ada");
    expect([code, stderr]).toEqual([0, expect.stringContaining("Created a new store in PostgreSQL")]);
    expect(await prepareTables(pool, { ...SERVICE, creates: "refused" })).toBe(false);
  });

  it("that a load did not fill is refused until one does", { timeout: 60_000 }, async () => {
    const whole = join(folder, "whole.dump");
    const data = { BINDERY_DATA: join(folder, "data") };
    expect((await runCommandHere(["demo"], data)).code).toBe(0);
    expect((await runCommandHere(["dump", whole], data)).code).toBe(0);
    writeFileSync(join(folder, "half.dump"), '{"format":"bindery-store","version":1}\n');
    expect((await run("load", join(folder, "half.dump"))).code).toBe(1);
    await expectRefusals(/the `bindery load` that began at \S+Z did not finish.*run it again/);
    await expect(prepareTables(pool, SERVICE)).rejects.toThrow("did not finish");

    expect((await run("load", whole)).code).toBe(0);
    expect(await prepareTables(pool, SERVICE)).toBe(false);
    expect((await run("verify")).stdout).toContain("all agrees");
    expect(await run("load", whole)).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty") });
    expect(await prepareTables(pool, SERVICE)).toBe(false);
  });
});
