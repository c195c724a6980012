import { execFileSync, spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { databaseFile } from "../../src/engines/sqlite/database.js";
import { Sqlite } from "../../src/engines/sqlite/driver.js";
import { mainFile, runCommand, settings } from "../support/bindery.js";
import { newStore } from "../support/new-store.js";

let data: string;

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "bindery-killed-"));
  await newStore(data);
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** More than are written in one transaction: smaller imports need no place of their own. */
const ITEMS = 1_500;
const LINES = Array.from({ length: ITEMS }, (_, n) =>
  JSON.stringify({ id: `taxid:${9_900_000 + n}`, title: { en: `No. ${n}` } }),
);

/** Imports that work, by the row that each has in the store. */
function working(): number {
  const raw = new Sqlite(databaseFile(data), { readonly: true });
  try {
    return raw.prepare<[], number>("SELECT count(*) FROM generation WHERE state = 'building'").pluck().get() ?? 0;
  } finally {
    raw.close();
  }
}

/** Starts an import that never comes to its end, under a parent that never asks how it ended. @returns its pid */
async function startEndless(): Promise<number> {
  const pipe = join(data, "endless.ndjson");
  execFileSync("mkfifo", [pipe]);
  const command = `"$0" "$1" import vocabulary organisms "${pipe}" & echo $!; exec sleep 100`;
  const parent = spawn("sh", ["-c", command, process.execPath, mainFile()], {
    env: settings(data),
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const pid = await new Promise<number>((resolve) => {
    createInterface({ input: parent.stdout }).once("line", (line) => resolve(Number(line)));
  });
  const feed = createWriteStream(pipe);
  feed.on("error", () => undefined);
  onTestFinished(() => void feed.destroy());
  feed.write(`${LINES.join("\n")}\n`);
  return pid;
}

it.runIf(existsSync("/proc/self/stat"))(
  "of which nobody has asked how it ended does not block the next one",
  async () => {
    const pid = await startEndless();
    await vi.waitFor(() => expect(working()).toBe(1), { timeout: 30_000, interval: 50 });
    process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, "latin1")).toMatch(/\) Z /));

    const file = join(data, "next.ndjson");
    writeFileSync(file, LINES.join("\n"));
    const { code, stdout, stderr } = await runCommand(
      ...([process.execPath, [mainFile(), "import", "vocabulary", "organisms", file], settings(data)] as const),
    );
    expect([code, stdout, stderr]).toEqual([0, "organisms: 1,500 new, 0 changed, 0 unchanged, 0 refused\n", ""]);
    expect(working()).toBe(0);
  },
);
