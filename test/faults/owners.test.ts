/** Root runs commands on the folder of another user, and another user on the folder of root. */
import { spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, mainFile, settings } from "../support/bindery.js";
import { newStore } from "../support/new-store.js";

/** The user `nobody` of most systems. */
const NOBODY = 65_534;

describe.runIf(process.getuid?.() === 0)("a data folder of another user", () => {
  let folder: string;
  let backup: string;
  beforeAll(async () => {
    // The folder of the tests is closed to other users.
    folder = mkdtempSync("/tmp/bindery-owners-");
    chmodSync(folder, 0o755);
    backup = join(folder, "root.bak");
    await newStore(join(folder, "root"));
    expect((await run(0, join(folder, "root"), "backup", backup)).code).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(uid: number, data: string, ...args: readonly string[]): Promise<CommandResult> {
    const child = spawn(process.execPath, [mainFile(), ...args], { uid, gid: uid, env: settings(data), cwd: "/" });
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].on("data", (text: Buffer) => {
        said[name] += text.toString();
      });
    }
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...said })));
  }

  const ownersIn = (data: string): readonly number[] => [
    ...new Set(readdirSync(data).map((name) => statSync(join(data, name)).uid)),
  ];

  it("has no file of root after root's commands, and is used by its owner", { timeout: 120_000 }, async () => {
    const home = join(folder, "home");
    mkdirSync(home);
    chownSync(home, NOBODY, NOBODY);
    const data = join(home, "data");
    const copy = join(home, "copy.bak");
    for (const args of [
      ["restore", backup],
      ["restore", backup, "--force"],
      ["user", "add", "ada"],
      ["backup", copy],
      ["verify", "--repair"],
      ["dump", join(home, "store.dump")],
    ]) {
      const { code, stderr } = await run(0, data, ...args);
      expect(code, `${args.join(" ")}: ${stderr}`).toBe(0);
      expect([statSync(data).uid, ...ownersIn(data), ...ownersIn(home)], args.join(" ")).toSatisfy(
        (uids: readonly number[]) => uids.every((uid) => uid === NOBODY),
      );
    }
    expect((await run(NOBODY, data, "user", "add", "bob")).code).toBe(0);
    const loaded = join(home, "loaded");
    expect((await run(0, loaded, "load", join(home, "store.dump"))).code).toBe(0);
    expect([statSync(loaded).uid, ...ownersIn(loaded)].every((uid) => uid === NOBODY)).toBe(true);
    expect((await run(NOBODY, loaded, "user", "list")).stdout).toContain("ada");
  });

  it("is refused to another user with its owner and the cure", { timeout: 60_000 }, async () => {
    const data = join(folder, "root");
    chmodSync(data, 0o755);
    for (const args of [
      ["status"],
      ["user", "add", "eve"],
      ["serve"],
      ["restore", join(folder, "root.bak"), "--force"],
    ]) {
      const { code, stderr } = await run(NOBODY, data, ...args);
      expect([args[0], code], stderr).toEqual([args[0], 1]);
      if (args[0] !== "restore") expect(stderr, args[0]).toMatch(/belongs to root \(mode 0\d{3}\).*chown -R/);
    }
  });
});
