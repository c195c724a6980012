import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseFile, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { mainFile, runCommand, settings } from "../support/bindery.js";
import { type DumpFolder, makeDumpFolder, type Taxon, taxdump } from "../support/dumps.js";
import { makeTar } from "../support/make-archive.js";
import { newStore } from "../support/new-store.js";

/** More than one transaction writes: the load makes a new generation. */
const TAXA = 20_000;
const FIRST = 9_000_000;
const KILLS = process.env.TEST_LONG === "1" ? 12 : 2;

let data: string;
let dumps: DumpFolder;
let dump: string;

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "bindery-killed-"));
  await newStore(data);
  dumps = makeDumpFolder();
  const taxa = Array.from({ length: TAXA }, (_, i): Taxon => {
    const id = FIRST + i;
    return { id, parent: i === 0 ? id : FIRST + Math.floor((i - 1) / 8), rank: "species", name: `Taxon ${i}` };
  });
  const merged = Array.from({ length: 3_000 }, (_, i) => [FIRST + TAXA + i, FIRST + i] as const);
  dump = dumps.file("taxdump.tar.gz", gzipSync(makeTar(taxdump(taxa, { merged }))));
});
afterAll(() => {
  dumps.dispose();
  rmSync(data, { recursive: true, force: true });
});

const run = (...args: readonly string[]) => runCommand(process.execPath, [mainFile(), ...args], settings(data));

/** What is current, and what is being built. */
function look(): { readonly terms: number; readonly redirects: number; readonly building: number } {
  const raw = new Sqlite(databaseFile(data), { readonly: true });
  const one = (sql: string): number => raw.prepare<[], number | null>(sql).pluck().get() ?? 0;
  try {
    const current = "SELECT g FROM generation WHERE vocabulary = 'organisms' AND state = 'current'";
    return {
      terms: one(`SELECT count FROM generation WHERE g = (${current})`),
      redirects: one(`SELECT count(*) FROM redirect WHERE g = (${current})`),
      building: one("SELECT count(*) FROM generation WHERE state = 'building'"),
    };
  } finally {
    raw.close();
  }
}

/** Starts the load, and kills it so long after it began to build, if it still runs. */
async function killLoad(afterMs: number): Promise<void> {
  const args = [mainFile(), "authority", "load", "ncbi", dump];
  const load = spawn(process.execPath, args, { env: settings(data), stdio: "ignore" });
  const ended = new Promise((resolve) => load.once("exit", resolve));
  while (look().building === 0 && load.exitCode === null) await sleep(10);
  await sleep(afterMs);
  load.kill("SIGKILL");
  await ended;
}

it("that is killed in the middle leaves nothing that anybody sees, and the next one does all of it", async () => {
  const before = look();
  for (let n = 0; n < KILLS; n++) {
    await killLoad((n * 2_000) / KILLS);
    const { terms, redirects } = look();
    // All or nothing: a load that had ended by then is loaded again below.
    if (terms !== before.terms) break;
    expect(redirects).toBe(0);
    expect((await run("authority", "status")).stdout).toContain("No dump of an authority was loaded.");
  }
  const { code, stderr } = await run("authority", "load", "ncbi", dump);
  expect([code, stderr]).toEqual([0, ""]);
  expect(look()).toEqual({ terms: before.terms + TAXA, redirects: 3_000, building: 0 });
  expect((await run("authority", "status")).stdout).toContain("taxdump.tar.gz");
  expect((await run("verify")).code).toBe(0);
}, 300_000);
