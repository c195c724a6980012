import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newStore } from "../support/new-store.js";
import { runCli, runProgram } from "./run-cli.js";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

let folder: string;
const inFolder = (name: string): string => join(folder, name);
const on = (data: string) => ({ BINDERY_DATA: inFolder(data) });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-transfer-"));
  await newStore(inFolder("data"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line of shell, in which `bindery` is the built program on the store. */
function shell(line: string) {
  const env = { ...process.env, ...on("data"), NODE: process.execPath, MAIN };
  return spawnSync("sh", ["-c", line.replaceAll("bindery", '"$NODE" "$MAIN"')], { cwd: folder, env, encoding: "utf8" });
}

describe("bindery dump", () => {
  it("writes a file that only its owner can read, and that a new store is filled from", async () => {
    const { code, stderr } = await runCli(["dump", inFolder("a.dump")], on("data"));
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Wrote \S+a\.dump: [\d,]+ bytes\n$/)]);
    expect(statSync(inFolder("a.dump")).mode & 0o777).toBe(0o600);
    const loaded = await runCli(["load", inFolder("a.dump")], on("b"));
    expect(loaded).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Loaded .*a\.dump into .*b$/m) });
    expect((await runCli(["verify"], on("b"))).stdout).toContain("all agrees");
    await runCli(["dump", inFolder("b.dump")], on("b"));
    expect(readFileSync(inFolder("b.dump"), "utf8")).toBe(readFileSync(inFolder("a.dump"), "utf8"));
  });

  it("prints the same without a file", () => {
    const { status, stdout } = shell("bindery dump");
    expect([status, stdout]).toEqual([0, readFileSync(inFolder("a.dump"), "utf8")]);
  });

  it("overwrites nothing, and says why it writes nothing", async () => {
    writeFileSync(inFolder("mine"), "mine");
    const there = await runCli(["dump", inFolder("mine")], on("data"));
    expect(there).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("mine cannot be written: it is there already."),
    });
    expect(readFileSync(inFolder("mine"), "utf8")).toBe("mine");
    const nowhere = await runCli(["dump", inFolder("nowhere/a")], on("data"));
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining("nowhere/a cannot be written: ENOENT") });
  });

  it("replaces the part of a dump that was killed", async () => {
    writeFileSync(inFolder("late.dump.part"), "half of a dump");
    expect(await runCli(["dump", inFolder("late.dump")], on("data"))).toMatchObject({ code: 0 });
    expect(readFileSync(inFolder("late.dump"), "utf8")).toBe(readFileSync(inFolder("a.dump"), "utf8"));
    expect(existsSync(inFolder("late.dump.part"))).toBe(false);
  });

  it("leaves no part of a file that it could not write whole", () => {
    // In blocks of 512 bytes: no file may become larger.
    const { status, stderr } = shell("ulimit -f 200; bindery dump cut.dump");
    expect([status, stderr]).toEqual([1, expect.stringContaining("cut.dump cannot be written: EFBIG")]);
    expect(readdirSync(folder).filter((name) => name.startsWith("cut.dump"))).toEqual([]);
  });

  it.runIf(existsSync("/dev/full"))("says in a line that what it prints finds no room", () => {
    const { status, stderr } = shell("bindery dump >/dev/full");
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^What this prints cannot be written: ENOSPC.*\n$/)]);
  });
});

describe("bindery load", () => {
  it("takes nothing of a dump that is cut off, and afterwards the whole one", async () => {
    const whole = readFileSync(inFolder("a.dump"), "utf8");
    writeFileSync(inFolder("half.dump"), whole.slice(0, whole.length / 2));
    const half = await runCli(["load", inFolder("half.dump")], on("c"));
    expect(half).toMatchObject({ code: 1, stderr: expect.stringMatching(/damaged or cut off|cut off after line/) });
    expect(readdirSync(inFolder("c")).sort()).toEqual(["bindery.unfinished", "server.lock"]);
    const served = await runProgram(["serve"], { ...on("c"), BINDERY_PORT: "0" });
    expect([served.code, served.stderr]).toEqual([1, expect.stringMatching(/`bindery load`, begun at .* not finish/)]);
    expect((await runCli(["demo"], on("c"))).stderr).toContain("No empty store is made in its place");
    expect(await runCli(["load", inFolder("a.dump")], on("c"))).toMatchObject({ code: 0 });
    expect(readdirSync(inFolder("c")).sort()).toEqual(["bindery.sqlite", "server.lock"]);
    const again = await runCli(["load", inFolder("a.dump")], on("c"));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/exists|not empty/) });
  });

  it("begins nothing with a file that does not exist", async () => {
    const { code, stderr } = await runCli(["load", inFolder("no.dump")], on("d"));
    expect([code, stderr]).toEqual([1, expect.stringContaining("no.dump does not exist.")]);
    expect(existsSync(inFolder("d"))).toBe(false);
  });
});
