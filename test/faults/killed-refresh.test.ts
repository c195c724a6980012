import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { databaseFile, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { mainFile, runCommand, settings } from "../support/bindery.js";
import { newStore } from "../support/new-store.js";
import { smallRecord } from "../support/small-record.js";

/** They take seconds to be refreshed: time enough to be killed in the middle. */
const RECORDS = 600;
let data: string;

const bindery = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand(process.execPath, [mainFile(), ...args], settings(data));
  expect(code, stderr).toBe(0);
  return stdout;
};

function write(name: string, lines: readonly object[]): string {
  const file = join(data, name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "bindery-killed-"));
  await newStore(data);
  await bindery("user", "add", "ada");
  const content = { model: "mst", rights: "open", isValid: true } as const;
  const records = Array.from({ length: RECORDS }, (_, n) => smallRecord({ ...content, title: `No. ${n}` }));
  await bindery("import", "records", "mst", write("records.ndjson", records), "--owner", "ada", "--publish");
}, 120_000);
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** Records that were refreshed, by the audit log, which is written with each of them. */
function refreshed(): number {
  const raw = new Sqlite(databaseFile(data), { readonly: true });
  try {
    const sql = "SELECT count(*) FROM audit WHERE action = 'record.refresh'";
    return raw.prepare<[], number>(sql).pluck().get() ?? 0;
  } finally {
    raw.close();
  }
}

it("is continued by the next refresh: each record is written once", { timeout: 300_000 }, async () => {
  await bindery(
    "import",
    "vocabulary",
    "instruments",
    write("terms.ndjson", [{ id: "ins:2", title: { en: "Renamed" } }]),
  );
  const running = spawn(process.execPath, [mainFile(), "refresh", "--published"], {
    env: settings(data),
    stdio: "ignore",
  });
  onTestFinished(() => void running.kill("SIGKILL"));
  await vi.waitFor(() => expect(refreshed()).toBeGreaterThan(0), { timeout: 60_000, interval: 5 });
  running.kill("SIGKILL");
  await new Promise((resolve) => running.once("close", resolve));
  const done = refreshed();
  expect(done).toBeLessThan(RECORDS);

  const summary = JSON.parse(await bindery("refresh", "--published", "--json"));
  expect(summary).toEqual({ drafts: 0, published: RECORDS - done, unchanged: 0, refused: [] });
  expect(refreshed()).toBe(RECORDS);
  expect(await bindery("verify")).toContain("all agrees");
});
