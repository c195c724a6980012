import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseFile, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { mainFile, ROOT, runProgram, settings } from "../support/bindery.js";
import { organismLines } from "../support/items.js";
import { openServices } from "../support/open-services.js";
import { recordLines } from "../support/records.js";
import { SEED } from "../support/seed.js";
import { breakStore } from "../support/store-to-break.js";

/** So many that their full text is filled again in several transactions. */
const RECORDS = 150;

/** More than one transaction takes: the import makes a generation. */
const ORGANISMS = 1_400;

let folder: string;
let raw: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-killed-repair-"));
  const services = await openServices();
  await services.addUser("ann", "depositor");
  const items = services.file("items.ndjson", organismLines(ORGANISMS));
  await services.importTerms({ vocabulary: "organisms", file: items, skipRefused: false });
  const file = services.file("records.ndjson", recordLines(RECORDS));
  await services.importRecords({ model: "mst", file, owner: "ann", publish: false });
  await services.backupStore(databaseFile(folder), false);
  await services.dispose();
  breakStore(folder, () => undefined);
  raw = new Sqlite(databaseFile(folder), { readonly: true });
}, 120_000);
afterAll(() => {
  raw.close();
  rmSync(folder, { recursive: true, force: true });
});

const one = (sql: string): number => raw.prepare<[], number>(sql).pluck().get() ?? 0;

/** Starts a repair and ends it with SIGKILL in the middle. @returns how it ended */
async function repairAndKill(isInTheMiddle: () => boolean): Promise<NodeJS.Signals | null> {
  const args = [mainFile(), "verify", "--repair"];
  const child = spawn(process.execPath, args, { env: settings(folder), cwd: ROOT, stdio: "ignore" });
  const watch = setInterval(() => {
    if (isInTheMiddle()) child.kill("SIGKILL");
  }, 1);
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => child.on("close", (_, ended) => resolve(ended)));
  clearInterval(watch);
  return signal;
}

const KILLS = [
  {
    name: "the full text of records is filled again",
    isInTheMiddle: () => {
      const filled = one("SELECT count(*) FROM leaf_docsize");
      return filled > 0 && filled < RECORDS;
    },
  },
  {
    name: "a vocabulary is made again",
    isInTheMiddle: () => one("SELECT count(*) FROM generation WHERE state = 'building'") > 0,
  },
];

/** A repair takes half a minute of a processor: one of them a day, all of them in the long tests. */
const TRIED = process.env.TEST_LONG === undefined ? [KILLS[SEED % KILLS.length]!] : KILLS;

it.each(TRIED)(
  "a repair that is killed while $name is completed by the next one",
  { timeout: 120_000 },
  async (kill) => {
    const g = one("SELECT g FROM generation WHERE vocabulary = 'organisms' AND state = 'current'");
    breakStore(folder, (file) => {
      file.exec("UPDATE leaf_data SET block = x'00' WHERE id > 10; UPDATE use SET n = n + 3");
      file.exec(`UPDATE term_${g} SET hash = x'00', status = 1 WHERE id % 3 = 0; DELETE FROM name_${g} WHERE id < 100`);
    });
    expect(await repairAndKill(kill.isInTheMiddle)).toBe("SIGKILL");

    const again = await runProgram(["verify", "--repair"], settings(folder));
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toMatch(/^repaired: index, \d+$[\s\S]*all agrees\.\n$/m);
    expect(one("SELECT count(*) FROM leaf_docsize")).toBe(RECORDS);
    expect(one("SELECT count(*) FROM generation WHERE vocabulary = 'organisms'")).toBe(1);
  },
);
