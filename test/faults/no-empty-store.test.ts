/** No empty store takes the place of data that is missing. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram, settings, startBindery } from "../support/bindery.js";

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "bindery-no-empty-"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("a folder without a database", () => {
  it("gets none with BINDERY_NEW_STORE=off, from no command, and stays as it is", async () => {
    const data = join(place, "unmounted");
    mkdirSync(data, { mode: 0o700 });
    const file = join(place, "terms.ndjson");
    writeFileSync(file, '{"id":"taxid:9","title":{"en":"Nine"}}\n');
    for (const command of [["serve"], ["import", "vocabulary", "organisms", file]]) {
      const { code, stdout, stderr } = await runProgram(command, settings(data, { BINDERY_NEW_STORE: "off" }));
      expect([command[0], code, stdout]).toEqual([command[0], 1, ""]);
      expect(stderr, command[0]).toMatch(/BINDERY_NEW_STORE/);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(readdirSync(data).filter((name) => name !== "server.lock")).toEqual([]);
    }
  });

  it("gets one with a warning that names it and the setting", async () => {
    const data = join(place, "new");
    const bindery = await startBindery({ data, env: { BINDERY_CATALOG: "" } });
    try {
      expect(bindery.output()).toContain(`Created a new store in ${data}.`);
      expect(bindery.output()).toContain("BINDERY_NEW_STORE=off");
      await bindery.end("SIGTERM");
      await bindery.restart();
      expect(bindery.output()).not.toContain("Created a new store");
    } finally {
      await bindery.dispose();
    }
  });

  it.each([
    ["bindery.key", "key"],
    ["bindery.sqlite.20261101T101010Z", "SQLite format 3"],
    ["bindery.unfinished", "`bindery restore`\n2026-11-01T10:10:10.000Z\n"],
    // A loss of power, or a full disk, left nothing in it.
    ["bindery.unfinished", ""],
  ])("is refused if %s shows that there was one", async (name, content) => {
    const data = mkdtempSync(join(place, `sign-${name}-`));
    writeFileSync(join(data, name), content, { mode: 0o600 });
    const { code, stderr } = await runProgram(["serve"], settings(data));
    expect([code, stderr]).toEqual([1, expect.stringContaining(name)]);
    expect(existsSync(join(data, "bindery.sqlite"))).toBe(false);
    // What the message says makes a new store possible.
    rmSync(join(data, name));
    const bindery = await startBindery({ data, env: { BINDERY_CATALOG: "" } });
    await bindery.dispose();
    expect(existsSync(join(data, "bindery.sqlite"))).toBe(true);
  });
});
