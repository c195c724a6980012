import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { databaseFile, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { mainFile, runCommand, settings } from "../support/bindery.js";
import { newStore } from "../support/new-store.js";

let data: string;

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "bindery-killed-"));
  await newStore(data);
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

const lines = (count: number): string =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify({ id: `taxid:${9_900_000 + n}`, title: { en: `No. ${n}` } }),
  ).join("\n");

/** It takes seconds to compare so many items: time enough to be killed in the middle. */
const LONG = 200_000;
/** More than are written in one transaction. */
const NEXT = 1_500;

/** Imports that work, by the row that each has in the store. */
function working(): number {
  const raw = new Sqlite(databaseFile(data), { readonly: true });
  try {
    return raw.prepare<[], number>("SELECT count(*) FROM generation WHERE state = 'building'").pluck().get() ?? 0;
  } finally {
    raw.close();
  }
}

/** Starts a long import under a parent that never asks how it ended. @returns its pid */
async function startLong(): Promise<number> {
  const file = join(data, "long.ndjson");
  writeFileSync(file, lines(LONG));
  const command = `"$0" "$1" import vocabulary organisms "${file}" & echo $!; exec sleep 100`;
  const parent = spawn("sh", ["-c", command, process.execPath, mainFile()], {
    env: settings(data),
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  return new Promise((resolve) => {
    createInterface({ input: parent.stdout }).once("line", (line) => resolve(Number(line)));
  });
}

it.runIf(existsSync("/proc/self/stat"))(
  "of which nobody has asked how it ended does not block the next one",
  async () => {
    const pid = await startLong();
    await vi.waitFor(() => expect(working()).toBe(1), { timeout: 30_000, interval: 50 });
    process.kill(pid, "SIGKILL");
    // It was killed in the middle: its row is still there.
    expect(working()).toBe(1);
    await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, "latin1")).toMatch(/\) Z /));

    const file = join(data, "next.ndjson");
    writeFileSync(file, lines(NEXT));
    const { code, stdout, stderr } = await runCommand(
      ...([process.execPath, [mainFile(), "import", "vocabulary", "organisms", file], settings(data)] as const),
    );
    expect([code, stdout, stderr]).toEqual([0, "organisms: 1,500 new, 0 changed, 0 unchanged, 0 refused\n", ""]);
    expect(working()).toBe(0);
  },
);

it("whose full text is being built leaves no file of it once the next one has run", async () => {
  const pid = await startLong();
  const built = (): string[] => readdirSync(data).filter((name) => name.startsWith("texts-"));
  await vi.waitFor(() => expect(built()).not.toEqual([]), { timeout: 60_000, interval: 20 });
  process.kill(pid, "SIGKILL");
  const [textFile = ""] = built();
  // SQLite writes a journal during each of its transactions, so the kill leaves one only sometimes.
  writeFileSync(join(data, `${textFile.replace("-journal", "")}-journal`), "");

  const file = join(data, "next.ndjson");
  writeFileSync(file, lines(NEXT));
  const run = (...args: string[]) => runCommand(process.execPath, [mainFile(), ...args], settings(data));
  const { code, stdout } = await run("import", "vocabulary", "organisms", file);
  expect([code, stdout]).toEqual([0, "organisms: 0 new, 0 changed, 1,500 unchanged, 0 refused\n"]);
  expect(built()).toEqual([]);
  expect((await run("verify")).code).toBe(0);
}, 120_000);
