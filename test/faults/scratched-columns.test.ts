/**
 * Scratches single values of a filled store while it is served, and asks all kinds of addresses and commands: none may
 * fail without saying what is damaged. TEST_LONG=1 scratches every column of every table in every way.
 */
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { seeded } from "../support/random.js";
import { type LivedStore, makeLivedStore } from "../support/store-to-break.js";

const isLong = process.env.TEST_LONG === "1";
const random = seeded(Number(process.env.TEST_SEED));

/** Number of tables in which the short run scratches a column, each before a start of the service. */
const TABLES_BY_DEFAULT = 4;

/** Replacements of a value, as SQL. If one fails (NOT NULL, UNIQUE), the value stays as it is. */
const SCRATCHES: Readonly<Record<string, (column: string) => string>> = {
  "cut off": (column) => `CASE typeof(${column}) WHEN 'blob' THEN substr(${column}, 1, length(${column}) / 2 + 1)
    ELSE substr(${column}, 1, length(${column}) / 2) END`,
  "random bytes": (column) => `CAST(substr(${column}, 1, 2) || randomblob(7) || substr(${column}, 10) AS TEXT)`,
  "a blob": () => "x'00ff10'",
  "a number": () => "7",
  "a text": () => "'scratched'",
  "other JSON": () => "'[[1]]'",
  "a large number": () => "9223372036854775000",
  nothing: () => "NULL",
};

interface Column {
  readonly table: string;
  readonly column: string;
}

let store: LivedStore;
let bindery: Bindery;
let ann: TestUser;
let raw: Database;
let addresses: readonly string[];
let drafts: readonly string[];

beforeAll(async () => {
  store = await makeLivedStore(60);
  bindery = await startBindery({ data: store.copy(), env: { BINDERY_WEBHOOK_PRIVATE: "on" } });
  ann = await bindery.user("dan", { scopes: ["records:write", "vocabularies:write"] });
  await fill();
  openRaw();
  addresses = publicAddresses();
  drafts = raw.prepare<[], string>("SELECT pid FROM rec WHERE state = 0 AND owner <> '' LIMIT 3").pluck().all();
}, 120_000);
afterAll(async () => {
  raw?.close();
  await bindery?.dispose();
  if (bindery !== undefined) rmSync(bindery.data, { recursive: true, force: true });
  store?.dispose();
});

function openRaw(): void {
  raw = new Sqlite(join(bindery.data, "bindery.sqlite"), { timeout: 20_000 });
}

/** Fills tables that a store after some life may leave empty. */
async function fill(): Promise<void> {
  const added = await bindery.cli("webhook", "add", "http://127.0.0.1:9/hook");
  expect(added.code, added.stderr).toBe(0);
  await ann.client.post("/api/records/mst/", { metadata: {} }, { headers: { "idempotency-key": "scratched" } });
}

function publicAddresses(): readonly string[] {
  const pid = raw.prepare<[], string>("SELECT pid FROM rec WHERE state = 1 ORDER BY id LIMIT 2").pluck().all();
  const gone = raw.prepare<[], string>("SELECT id FROM tombstone LIMIT 1").pluck().all();
  const term = encodeURIComponent("taxid:562");
  return [
    "/api/search/",
    "/api/search/?q=results.value:>0&sort=newest",
    "/api/records/mst?facets=none&sort=-kd",
    "/api/records/mst?q=coli&highlight=true",
    "/api/records/mst?q=polymer&format=csv",
    ...[...pid, ...gone].flatMap((id) => [
      `/api/records/mst/${id}`,
      `/api/records/mst/${id}/versions`,
      `/records/mst/${id}`,
    ]),
    ...pid.map((id) => `/api/records/mst/${id}/export/bibtex`),
    "/api/vocabularies/",
    `/api/vocabularies/organisms/${term}`,
    `/api/vocabularies/organisms/${term}/history`,
    `/vocabularies/organisms/${term}`,
    "/api/vocabularies/organisms?q=bacterium&facets=all",
    "/api/vocabularies/organisms?suggest=esch",
    "/api/vocabularies/organisms?sort=title",
    "/api/vocabularies/organisms?sort=newest",
    `/api/vocabularies/organisms?ancestor=${term}`,
    "/api/vocabularies/organisms?format=csv",
    "/api/changes",
    "/search?q=polymer",
    "/",
  ];
}

/** Sends a request. A stream that meets a damaged value is cut off: its status was sent before. */
async function ask(address: string, token?: string): Promise<readonly [status: number, text: string]> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(bindery.url + address, { headers, signal: AbortSignal.timeout(30_000) });
  return [answer.status, await answer.text().catch((error: Error) => `cut off: ${error.message}`)];
}

/** Statuses of the answers by address that are faults: no address may answer 500. */
async function faults(): Promise<readonly string[]> {
  const all: string[] = [];
  const note = (address: string, status: number, text: string): void => {
    const isDamage = status === 503 && /STORE_DAMAGED|is damaged/.test(text);
    if (status >= 500 && !isDamage) all.push(`${address}: ${status} ${text.slice(0, 200)}`);
    if (isDamage && !text.includes("verify --repair")) all.push(`${address}: no cure: ${text.slice(0, 200)}`);
  };
  for (const address of addresses) {
    // A page is another one each time, so that no kept answer hides the store.
    const query = `${address.includes("?") ? "&" : "?"}lang=en`;
    for (const each of [address, ...(address.startsWith("/api/vocabularies") ? [`${address}${query}`] : [])]) {
      note(each, ...(await ask(each)));
    }
  }
  for (const address of ["/api/user/tokens", "/api/records/mst/?drafts=only", "/api/search/?drafts=include"]) {
    note(address, ...(await ask(address, ann.token)));
  }
  const post = await ann.client.post(
    "/api/records/mst/",
    { metadata: {} },
    { headers: { "idempotency-key": "scratched" } },
  );
  note("POST", post.status, post.text);
  for (const id of drafts) note(`draft ${id}`, ...(await ask(`/api/records/mst/${id}/draft`, ann.token)));
  return all;
}

function shuffled<T>(values: readonly T[]): readonly T[] {
  const keyed = values.map((value) => [random.next(), value] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, value]) => value);
}

function columnsOf(table: string): readonly Column[] {
  const names = raw.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
  return names.map((column) => ({ table, column }));
}

function tables(): readonly string[] {
  return raw
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite%'
       AND name NOT IN ('meta', 'imported')`,
    )
    .pluck()
    .all()
    .filter((table) => raw.prepare(`SELECT 1 FROM "${table}"`).get() !== undefined);
}

/** Scratches some rows. @returns what puts the values back, or undefined if none could be scratched */
function scratch({ table, column }: Column, how: string): (() => void) | undefined {
  const keys = raw
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .pluck()
    .all(table);
  const key = keys.length === 0 ? ["rowid"] : keys;
  const rows = raw
    .prepare<[], unknown[]>(`SELECT "${column}", ${key.join(", ")} FROM "${table}" ORDER BY random() LIMIT 5`)
    .raw()
    .all() as unknown[][];
  const at = key.map((name) => `${name} IS ?`).join(" AND ");
  const undo: (() => void)[] = [];
  const isKey = key.includes(column);
  for (const [value, ...place] of rows) {
    try {
      const sql = `UPDATE "${table}" SET "${column}" = ${SCRATCHES[how]!(`"${column}"`)} WHERE ${at}`;
      if (isKey || raw.prepare(sql).run(...place).changes === 0) continue;
    } catch {
      continue;
    }
    // The service may have written the value again, into a row of its own.
    undo.push(() => raw.prepare(`UPDATE OR REPLACE "${table}" SET "${column}" = ? WHERE ${at}`).run(value, ...place));
  }
  return undo.length === 0
    ? undefined
    : () => {
        for (const each of undo) each();
      };
}

describe("a scratched value of a served store", () => {
  it("is never a 500, and no command crashes", { timeout: 3_600_000 }, async () => {
    const chosen = shuffled(tables());
    const failed: string[] = [];
    const tried: string[] = [];
    for (const table of chosen) {
      // Many tables are all key, and nothing of them is scratched.
      if (!isLong && tried.length === TABLES_BY_DEFAULT) break;
      let count = 0;
      for (const place of shuffled(columnsOf(table))) {
        for (const how of shuffled(Object.keys(SCRATCHES))) {
          if (!isLong && count > 0) continue;
          const undo = scratch(place, how);
          if (undo === undefined) continue;
          count += 1;
          tried.push(`${place.table}.${place.column}: ${how}`);
          const name = `${place.table}.${place.column}: ${how}`;
          if (!isLong || how === "cut off") {
            raw.close();
            await bindery.end("SIGTERM");
            failed.push(...(await startFaults()).map((fault) => `${name}: start: ${fault}`));
            openRaw();
          }
          if (isServed()) failed.push(...(await faults()).map((fault) => `${name}: ${fault}`));
          if (count === 1) failed.push(...(await commandFaults()).map((fault) => `${name}: ${fault}`));
          undo();
          if (!isServed()) await bindery.restart();
        }
      }
    }
    expect(failed).toEqual([]);
    expect(tried.length).toBeGreaterThanOrEqual(isLong ? 100 : TABLES_BY_DEFAULT);
  });
});

/** Returns whether the service is running. It ends if it cannot start on a damaged store. */
function isServed(): boolean {
  try {
    return process.kill(bindery.pid, 0);
  } catch {
    return false;
  }
}

/** Starts the service again. A start that is refused has to say what is damaged. */
async function startFaults(): Promise<readonly string[]> {
  try {
    await bindery.restart();
    return [];
  } catch (error) {
    const text = (error as Error).message;
    return isExplained(text) ? [] : [text.slice(0, 500)];
  }
}

const isExplained = (text: string): boolean =>
  /is damaged/.test(text) && !/\bat .*\.[jt]s:\d+|SqliteError|TypeError|RangeError|SyntaxError/.test(text);

const COMMANDS = [
  ["status"],
  ["audit"],
  ["user", "list"],
  ["token", "list"],
  ["webhook", "list"],
  ["dump", "DUMP"],
  ["verify"],
];

async function commandFaults(): Promise<readonly string[]> {
  const file = join(tmpdir(), `scratched-${process.pid}.dump`);
  const all: string[] = [];
  for (const command of isLong ? COMMANDS : [random.pick(COMMANDS)]) {
    const { code, stderr } = await bindery.cli(...command.map((word) => (word === "DUMP" ? file : word)));
    rmSync(file, { force: true });
    const isSaid = code === 0 || /is damaged|column\.type|expected/.test(stderr);
    if (!isSaid || /\bat .*\.[jt]s:\d+|SqliteError|TypeError|RangeError|SyntaxError/.test(stderr)) {
      all.push(`${command.join(" ")}: ${code} ${stderr.slice(0, 600)}`);
    }
  }
  return all;
}
