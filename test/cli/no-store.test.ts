/** Only `serve`, `demo` and `import` make a store: what else is run in a folder without one is in the wrong place. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mainFile, runCommand, runProgram, settings } from "../support/bindery.js";
import { runCommandHere } from "../support/run-command.js";

const DATABASE = "bindery.sqlite";

let folder: string;
let file: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "bindery-no-store-")));
  file = join(folder, "records.json");
  writeFileSync(file, "[]");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (data: string, ...args: readonly string[]) => runCommandHere(args, { BINDERY_DATA: data });

const canLimit = ((): boolean => {
  try {
    execFileSync("prlimit", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Every command that works on a store which must be there. */
const COMMANDS: readonly (() => readonly string[])[] = [
  () => ["backup", join(folder, "copy.sqlite")],
  () => ["status"],
  () => ["verify"],
  () => ["verify", "--repair"],
  () => ["user", "add", "ada"],
  () => ["user", "list"],
  () => ["user", "role", "ada", "curator"],
  () => ["token", "create", "--user", "ada", "--scope", "records:read"],
  () => ["token", "list"],
  () => ["token", "revoke", "1"],
  () => ["audit"],
  () => ["webhook", "add", "https://example.org/hook"],
  () => ["webhook", "list"],
  () => ["webhook", "list", "--dead", "1"],
  () => ["webhook", "remove", "1"],
  () => ["webhook", "replay", "1", "--dead"],
  () => ["validate", "mst", file],
  () => ["match", "affiliations", file],
];

describe("a folder without a store", () => {
  it("is refused by every command that does not fill one, with its absolute path, and stays as it is", async () => {
    const before = readdirSync(folder);
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await run(join(folder, "nowhere"), ...command());
      expect([code, stdout], command().join(" ")).toEqual([1, ""]);
      const where = `There is no store: ${join(folder, "nowhere", DATABASE)} does not exist. Set BINDERY_DATA`;
      expect(stderr, command().join(" ")).toContain(where);
      expect(stderr.trimEnd().split("\n"), "one line, no stack").toHaveLength(1);
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  it("is named as an absolute path where BINDERY_DATA is not set, as in a line of cron", async () => {
    const { BINDERY_DATA: _, ...env } = settings("");
    const { code, stderr } = await runCommand(
      ...(["sh", ["-c", 'cd "$0" && exec "$@"', folder, process.execPath, mainFile(), "backup", "b"], env] as const),
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining(join(folder, "bindery-data", DATABASE))]);
    expect(readdirSync(folder)).toEqual(["records.json"]);
  });

  it("is not touched by commands that need no store", async () => {
    for (const command of [["config"], ["catalog", "check"], ["--version"], ["backup", "--help"]]) {
      expect((await run(join(folder, "nowhere"), ...command)).code, command.join(" ")).toBe(0);
    }
    expect(readdirSync(folder)).toEqual(["records.json"]);
  });

  it("gets a whole store by an import, which a backup then counts", async () => {
    const data = join(folder, "new");
    const items = join(folder, "organisms.json");
    writeFileSync(items, JSON.stringify([{ id: "taxid:990001", title: { en: "An organism" } }]));
    expect((await run(data, "import", "vocabulary", "organisms", items)).code).toBe(0);
    expect(readdirSync(data)).toEqual([DATABASE]);
    const copy = join(folder, "copy.sqlite");
    const { code, stdout } = await run(data, "backup", copy);
    expect(code).toBe(0);
    expect(stdout).toMatch(/copy\.sqlite: [\d,]+ bytes, 0 records, [\d,]+ terms, last change [1-9]\d*\n$/);
    const restored = await run(join(folder, "restored"), "restore", copy);
    expect(restored.code).toBe(0);
    expect((await run(join(folder, "restored"), "verify")).code).toBe(0);
  });

  it.runIf(canLimit)("is empty again after a start that could not write a whole store", async () => {
    const data = join(folder, "full");
    // No file may be longer than 64 kB, which is less than the tables need.
    const limited = ["--fsize=65536", process.execPath, mainFile(), "serve"];
    const { code } = await runCommand("prlimit", limited, settings(data));
    expect(code).toBe(1);
    expect(readdirSync(data).filter((name) => name !== "server.lock")).toEqual([]);
  });
});

describe("a database of 0 bytes", () => {
  it("is refused by commands, and by those that make a store", async () => {
    const data = mkdtempSync(join(folder, "empty-"));
    writeFileSync(join(data, DATABASE), "");
    for (const args of [["demo"], ["backup", join(folder, "b")], ["verify"], ["user", "list"]]) {
      const { code, stdout, stderr } = await run(data, ...args);
      expect([code, stdout, stderr]).toEqual([
        1,
        "",
        expect.stringContaining(`${join(data, DATABASE)} is empty (0 bytes)`),
      ]);
      expect(stderr).toContain("restore");
    }
    expect(readdirSync(data)).toEqual([DATABASE]);
  });

  it("is refused by the service", async () => {
    const data = mkdtempSync(join(folder, "empty-"));
    writeFileSync(join(data, DATABASE), "");
    const { code, stderr } = await runProgram(["serve"], settings(data));
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${join(data, DATABASE)} is empty (0 bytes)`)]);
    expect(statSync(join(data, DATABASE)).size).toBe(0);
  });
});
