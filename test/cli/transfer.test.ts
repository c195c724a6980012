import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
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
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^The output cannot be written: ENOSPC.*\n$/)]);
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

describe("a record that is larger than the limits, in the dump of an older store", () => {
  /** Writes a dump in which the first published record has a title of 9 MB. @returns the id of the record */
  function enlarge(from: string, to: string): string {
    const lines = readFileSync(from, "utf8").trimEnd().split("\n");
    const end = JSON.parse(lines.pop()!) as object;
    let id = "";
    const larger = lines.map((line) => {
      const row = JSON.parse(line) as { readonly rows: string; readonly json: string };
      const body = row.rows === "record" && id === "" ? JSON.parse(row.json) : undefined;
      if (body?.state !== "published") return line;
      id = body.id;
      body.metadata.general_parameters.record_information.title = "enlarged ".repeat(1_000_000);
      return JSON.stringify({ ...row, json: JSON.stringify(body) });
    });
    const text = `${larger.join("\n")}\n`;
    const sha256 = createHash("sha256").update(text).digest("hex");
    writeFileSync(to, `${text}${JSON.stringify({ ...end, sha256 })}\n`);
    return id;
  }

  it("is loaded as it is, and `verify` names it with the limit", async () => {
    await newStore(inFolder("small"), "demo");
    await runCli(["dump", inFolder("small.dump")], on("small"));
    const id = enlarge(inFolder("small.dump"), inFolder("large.dump"));
    expect(await runCli(["load", inFolder("large.dump")], on("large"))).toMatchObject({ code: 0 });
    const verified = await runCli(["verify"], on("large"));
    const printed = verified.stdout + verified.stderr;
    expect(printed).toContain(id);
    expect(printed).toContain("9000000 bytes, but one text may have at most");
    await runCli(["dump", inFolder("again.dump")], on("large"));
    expect(readFileSync(inFolder("again.dump")).equals(readFileSync(inFolder("large.dump")))).toBe(true);
  });
});
