/** Rights that were withdrawn after a backup was made stay withdrawn when it is restored, or the restore says so. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseFile, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { newStore } from "../support/new-store.js";
import { runCli } from "./run-cli.js";

let folder: string;
let backup: string;
const inFolder = (name: string): string => join(folder, name);
const dataOf = (name: string) => ({ BINDERY_DATA: inFolder(name) });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-rights-"));
  backup = inFolder("early.bak");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command that has to succeed. @returns what it printed: on the standard output, else on the standard error */
async function ok(data: string, ...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await runCli(args, dataOf(data));
  expect([args.join(" "), code, stderr]).toEqual([args.join(" "), 0, stderr]);
  return { stdout, stderr };
}

async function json<T>(data: string, ...args: readonly string[]): Promise<readonly T[]> {
  return JSON.parse((await ok(data, ...args, "--json")).stdout) as readonly T[];
}

/** The tokens by their ids. */
async function tokensOf(data: string) {
  const tokens = await json<{ readonly id: string; readonly revoked?: string }>(data, "token", "list");
  return tokens.toSorted((a, b) => Number(a.id) - Number(b.id));
}
const usersOf = (data: string) =>
  json<{ readonly name: string; readonly role: string; readonly disabled?: string }>(data, "user", "list");

/** Runs one statement on the store. @returns its rows */
function sql<T = unknown>(data: string, text: string): readonly T[] {
  const raw = new Sqlite(databaseFile(inFolder(data)));
  try {
    const statement = raw.prepare<[], T>(text);
    if (statement.reader) return statement.all();
    statement.run();
    return [];
  } finally {
    raw.close();
  }
}

/** A store of which a backup is made, and from which rights are withdrawn afterwards. */
async function withdrawnStore(data: string): Promise<void> {
  await newStore(inFolder(data));
  for (const [name, role] of [
    ["ann", "depositor"],
    ["bob", "depositor"],
    ["cid", "admin"],
    ["dora", "depositor"],
  ] as const) {
    await ok(data, "user", "add", name, "--role", role);
    await ok(data, "token", "create", "--user", name, "--scope", "records:read");
  }
  await ok(data, "token", "create", "--user", "ann", "--scope", "records:write");
  await ok(data, "webhook", "add", "https://example.org/gone");
  await ok(data, "webhook", "add", "https://example.org/stays");
  // Shares end with their draft, which nobody looks for here.
  sql(
    data,
    "INSERT INTO access VALUES('shared-1', 2, 'write', 1), ('shared-2', 2, 'write', 1), ('shared-3', 2, 'read', 1)",
  );
  await ok(data, "backup", backup, "--force");
  await ok(data, "token", "revoke", "1");
  await ok(data, "user", "disable", "bob");
  await ok(data, "user", "role", "cid", "depositor");
  await ok(data, "user", "delete", "dora");
  await ok(data, "webhook", "remove", "1");
  sql(data, "DELETE FROM access WHERE pid = 'shared-1'");
  sql(data, "UPDATE access SET permission = 'read' WHERE pid = 'shared-2'");
  await ok(data, "user", "add", "late");
  await ok(data, "token", "create", "--user", "late", "--scope", "records:read");
}

describe("a restore over the store that the backup was made of", () => {
  it("leaves revoked, disabled, lowered and removed what was so, and says what is gone", async () => {
    await withdrawnStore("data");
    const { stderr } = await ok("data", "restore", backup, "--force");
    expect(stderr).toContain(
      "Carried over from the replaced database: 2 revoked tokens, 2 disabled users, 1 lowered role, " +
        "2 removed shares, 1 removed webhook (bob, dora).",
    );
    expect(stderr).toContain("does not have 1 user and 1 valid token of it: they are gone.");
    const tokens = await tokensOf("data");
    expect(tokens.map(({ id, revoked }) => [id, revoked !== undefined])).toEqual([
      ["1", true],
      ["2", false],
      ["3", false],
      ["4", true],
      ["5", false],
    ]);
    const users = await usersOf("data");
    expect(users.map(({ name, role, disabled }) => [name, role, disabled !== undefined])).toEqual([
      ["ann", "depositor", false],
      ["bob", "depositor", true],
      ["cid", "depositor", false],
      ["dora", "depositor", true],
    ]);
    expect(sql("data", "SELECT pid, permission FROM access ORDER BY pid")).toEqual([
      { pid: "shared-2", permission: "read" },
      { pid: "shared-3", permission: "read" },
    ]);
    expect(await json<{ url: string }>("data", "webhook", "list")).toMatchObject([
      { url: "https://example.org/stays" },
    ]);
  });

  it("gives no number of a user or a token a second time", async () => {
    await ok("data", "user", "add", "next");
    expect((await json<{ id: string }>("data", "user", "list")).at(-1)?.id).toBe("6");
    await ok("data", "token", "create", "--user", "next", "--scope", "records:read");
    expect((await tokensOf("data")).at(-1)?.id).toBe("7");
  });

  it("names the records that were retracted and are public again", async () => {
    await newStore(inFolder("demo"), "demo");
    const [record] = sql<{ pid: string }>("demo", "SELECT pid FROM rec WHERE state = 1 LIMIT 1");
    await ok("demo", "backup", inFolder("demo.bak"));
    sql(
      "demo",
      `INSERT INTO tombstone SELECT pid, parent, model, owner, version, revision, 1, '{}' FROM rec
      WHERE pid = '${record!.pid}' AND state = 1`,
    );
    const { stderr } = await ok("demo", "restore", inFolder("demo.bak"), "--force");
    expect(stderr).toContain(`public again: 1 record:\n  ${record!.pid}. Retract`);
  });

  it("names the records that were transferred and have their former owner again", async () => {
    const demo = inFolder("owners");
    await newStore(demo, "demo");
    await ok("owners", "user", "add", "heir");
    const [record] = sql<{ pid: string; owner: string }>(
      "owners",
      "SELECT pid, owner FROM rec WHERE state = 1 LIMIT 1",
    );
    const users = await json<{ id: string; name: string }>("owners", "user", "list");
    const owner = users.find(({ id }) => id === record!.owner)!;
    await ok("owners", "backup", inFolder("owners.bak"));
    await ok("owners", "user", "transfer", owner.name, "heir", "--record", record!.pid);
    const { stderr } = await ok("owners", "restore", inFolder("owners.bak"), "--force");
    // All versions of a record have one owner.
    expect(stderr).toMatch(/with their former owner again: \d+ records?:\n.* Transfer them again/);
    expect(stderr).toContain(record!.pid);
  });

  it("takes everything as it was in the backup if it is told to, and says so", async () => {
    await withdrawnStore("as-is");
    const { stderr } = await ok("as-is", "restore", backup, "--force", "--as-in-backup");
    expect(stderr).toMatch(
      /as they were in the backup \(4 enabled users and 5 valid tokens\): .* may be valid again.*token revoke/,
    );
    expect((await tokensOf("as-is")).filter(({ revoked }) => revoked !== undefined)).toEqual([]);
  });
});

describe("a restore that has nothing to carry over", () => {
  it("says so in a new folder", async () => {
    const { stderr } = await ok("new", "restore", backup);
    // How much comes back: who restores a store for a drill need not look, who restores the service has to.
    expect(stderr).toMatch(/as they were in the backup \(4 enabled users and 5 valid tokens\): .* may be valid again/);
  });

  it("says so if the replaced store is another one, and revokes nothing there", async () => {
    await newStore(inFolder("other"));
    await ok("other", "user", "add", "zoe");
    sql("other", "UPDATE change SET time = time + 1");
    const { stderr } = await ok("other", "restore", backup, "--force");
    expect(stderr).toMatch(/not a later state of the backup: .* may be valid again/);
    expect((await tokensOf("other")).filter(({ revoked }) => revoked !== undefined)).toEqual([]);
  });

  it("is refused if the replaced store cannot be read, until the operator says so", async () => {
    await newStore(inFolder("broken"));
    writeFileSync(databaseFile(inFolder("broken")), new Uint8Array(60_000).fill(7), { flag: "r+" });
    const { code, stderr } = await runCli(["restore", backup, "--force"], dataOf("broken"));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be read .* Nothing was changed.*--as-in-backup/)]);
    await ok("broken", "restore", backup, "--force", "--as-in-backup");
    expect((await tokensOf("broken")).length).toBe(5);
  });
});
