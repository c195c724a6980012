import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { MIGRATIONS } from "../../src/engines/sqlite/connection/migrations.js";
import { ANALYSIS_VERSION } from "../../src/query/text/analyse.js";
import {
  type Bindery,
  type CommandResult,
  mainFile,
  ROOT,
  runCommand,
  settings,
  startBindery,
  type TestUser,
} from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import type { Client, RecordShape, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

const DATABASE = "bindery.sqlite";

let bindery: Bindery;
let alice: TestUser;
let place: string;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "bindery-backups-"));
  bindery = await startBindery();
  alice = await bindery.user("alice");
  for (let n = 0; n < 5; n++) await publish(alice.client, makeRecord(n));
});
afterAll(async () => {
  await bindery.dispose();
  rmSync(place, { recursive: true, force: true });
});

const run = (data: string, ...args: string[]): Promise<CommandResult> =>
  runCommand(process.execPath, [mainFile(), ...args], settings(data));

/** Runs a command and ends it with SIGKILL so many milliseconds after a file of its work is there. */
async function runAndKill(data: string, work: string, afterMs: number, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [mainFile(), ...args], { env: settings(data), cwd: ROOT, stdio: "ignore" });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const watch = setInterval(() => {
    if (!existsSync(work)) return;
    clearInterval(watch);
    setTimeout(() => child.kill("SIGKILL"), afterMs);
  }, 1);
  await ended;
  clearInterval(watch);
}

/** Creates, replaces and publishes until told to end. @returns what was acknowledged */
async function writeUntil(client: Client, isOver: () => boolean): Promise<number> {
  let written = 0;
  for (let n = 100; !isOver(); n++) {
    const { id } = await deposit(client, makeRecord(n));
    await client.put(`/api/records/mst/${id}/draft`, makeRecord(n + 1));
    if (n % 2 === 0) await client.post(`/api/records/mst/${id}/draft/actions/publish`);
    written += 1;
  }
  return written;
}

/** All that a store has, read without the service. */
function contentOf(file: string): unknown {
  const raw = new Sqlite(file, { readonly: true });
  try {
    const all = (table: string): unknown[] => raw.prepare(`SELECT * FROM ${table}`).raw().all();
    return ["doc", "rec", "change", "change_term", "taken", "use", "user", "audit"].map((table) => [table, all(table)]);
  } finally {
    raw.close();
  }
}

/** What the service answers, without its address. */
async function answersOf(client: Client): Promise<unknown> {
  const paths = [
    "/api/search/?s=100&q=a*",
    "/api/search/?s=100",
    "/api/vocabularies/organisms?q=coli",
    "/api/user/search/?s=100",
  ];
  const answers = await Promise.all(paths.map((path) => client.get<SearchBody<RecordShape>>(path)));
  return answers.map(({ status, body }) => [
    status,
    body.hits.total,
    body.aggregations,
    body.hits.hits.map(({ links: _, ...hit }) => hit),
  ]);
}

describe("verify and backup beside a service that is written to", () => {
  it("finds nothing, and copies one moment of it", { timeout: 120_000 }, async () => {
    let isOver = false;
    const writers = [1, 2, 3].map(() => writeUntil(alice.client, () => isOver));
    const file = join(place, "loaded.bak");
    const verified = [await bindery.cli("verify", "--json"), await bindery.cli("verify")];
    const made = await bindery.cli("backup", file, "--json");
    isOver = true;
    const written = await Promise.all(writers);
    expect(Math.min(...written)).toBeGreaterThan(0);
    for (const { code, stdout, stderr } of verified) expect(code, stdout + stderr).toBe(0);
    expect(JSON.parse(verified[0]!.stdout)).toMatchObject({ findings: [], counts: {}, notes: [] });
    expect(verified[1]!.stdout).toMatch(/^Compared [\d,]+ records, .* all agrees\.\n$/);

    expect(made.code, made.stderr).toBe(0);
    const { file: path, ...summary } = JSON.parse(made.stdout) as { file: string; records: number };
    expect([path, summary]).toEqual([file, expect.objectContaining({ bytes: statSync(file).size })]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(place)).toEqual(["loaded.bak"]);

    const data = mkdtempSync(join(tmpdir(), "bindery-restored-"));
    const restored = await run(data, "restore", file, "--json");
    expect(restored.code, restored.stderr).toBe(0);
    expect(JSON.parse(restored.stdout)).toMatchObject(summary);
    expect(contentOf(join(data, DATABASE))).toEqual(contentOf(file));
    const again = await startBindery({ data });
    try {
      const { code, stdout, stderr } = await again.cli("verify");
      expect(code, stdout + stderr).toBe(0);
      const { body } = await again.client.as(alice.token).get<SearchBody>("/api/user/search/");
      expect(body.hits.total).toBe(summary.records);
    } finally {
      await again.dispose();
      rmSync(data, { recursive: true, force: true });
    }
  });
});

describe("restore", () => {
  it("brings back records, searches and changes as they were, and keeps what was there", {
    timeout: 120_000,
  }, async () => {
    const file = join(place, "quiet.bak");
    expect((await bindery.cli("backup", file)).code).toBe(0);
    const before = await answersOf(alice.client);
    await publish(alice.client, makeRecord(900));
    expect(await answersOf(alice.client)).not.toEqual(before);

    const running = await bindery.cli("restore", file, "--force");
    expect([running.code, running.stderr]).toEqual([1, expect.stringContaining("Another server runs")]);
    await bindery.end("SIGKILL");
    const unforced = await bindery.cli("restore", file);
    expect([unforced.code, unforced.stderr]).toEqual([1, expect.stringContaining("--force renames it")]);
    const forced = await bindery.cli("restore", file, "--force", "--json");
    expect(forced.code, forced.stderr).toBe(0);
    const { kept } = JSON.parse(forced.stdout) as { kept: string };
    expect(contentOf(join(bindery.data, DATABASE))).toEqual(contentOf(file));
    expect(JSON.stringify(contentOf(kept)).length).toBeGreaterThan(JSON.stringify(contentOf(file)).length);
    await bindery.restart();
    expect(await answersOf(alice.client)).toEqual(before);
    expect((await bindery.cli("verify")).code).toBe(0);
  });

  it("says what is wrong with a file, and touches nothing", { timeout: 120_000 }, async () => {
    const file = join(place, "good.bak");
    expect((await bindery.cli("backup", file)).code).toBe(0);
    const spoil = (name: string, work: (path: string) => void): string => {
      const path = join(place, name);
      cpSync(file, path);
      work(path);
      return path;
    };
    const withSql = (sql: string) => (path: string) => {
      const raw = new Sqlite(path);
      raw.exec(sql);
      raw.close();
    };
    const bad: [path: string, word: RegExp][] = [
      [join(place, "missing"), /does not exist/],
      [
        spoil("text", (path) => writeFileSync(path, "no database at all, only a text of some length")),
        /is not a database/,
      ],
      [spoil("foreign", withSql("DROP TABLE meta")), /not one of Bindery/],
      [spoil("newer", withSql("UPDATE meta SET value = '99' WHERE name = 'schema'")), /newer Bindery \(tables 99/],
      [spoil("cut", (path) => writeFileSync(path, new Uint8Array(100_000), { flag: "r+" })), /not a database|damaged/],
    ];
    const data = mkdtempSync(join(tmpdir(), "bindery-restored-"));
    for (const [path, word] of bad) {
      const { code, stderr } = await run(data, "restore", path);
      expect([code, stderr], path).toEqual([1, expect.stringMatching(word)]);
      expect(readdirSync(data).filter((name) => !/^(server.lock|bindery.unfinished)$/.test(name))).toEqual([]);
    }
    rmSync(data, { recursive: true, force: true });
  });

  it("takes a backup of an older version, which the next start raises", { timeout: 60_000 }, async () => {
    const data = mkdtempSync(join(tmpdir(), "bindery-restored-"));
    const old = join(place, "old.bak");
    const raw = new Sqlite(old);
    raw.exec("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    raw.exec(`INSERT INTO meta VALUES('schema', '1'), ('analysis', '${ANALYSIS_VERSION}'); ${MIGRATIONS[0]}`);
    raw.close();
    const { code, stderr } = await run(data, "restore", old);
    expect(code, stderr).toBe(0);
    const early = await run(data, "verify");
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("start the service once")]);
    const raised = await startBindery({ data });
    await raised.dispose();
    const { code: verified, stdout } = await run(data, "verify");
    expect([verified, stdout]).toEqual([0, expect.stringContaining("all agrees")]);
    rmSync(data, { recursive: true, force: true });
  });
});

describe("a file that is there", () => {
  it("is overwritten only by force, and the data never", async () => {
    const file = join(place, "twice.bak");
    writeFileSync(file, "mine");
    const refused = await bindery.cli("backup", file);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--force overwrites it")]);
    expect((await bindery.cli("backup", file, "--force")).code).toBe(0);
    expect(statSync(file).size).toBeGreaterThan(10_000);
    const own = await bindery.cli("backup", join(bindery.data, DATABASE), "--force");
    expect([own.code, own.stderr]).toEqual([1, expect.stringContaining("is the data itself")]);
  });
});

describe("kill -9", () => {
  it("leaves no half backup and no half database", { timeout: 180_000 }, async () => {
    const good = join(place, "for-kills.bak");
    expect((await bindery.cli("backup", good)).code).toBe(0);
    const whole = JSON.stringify(contentOf(good));
    const data = mkdtempSync(join(tmpdir(), "bindery-killed-"));
    expect((await run(data, "restore", good)).code).toBe(0);
    const file = join(place, "killed.bak");
    let leftHalf = 0;
    for (const afterMs of [0, 1, 3, 6, 10, 20, 40, 80]) {
      await runAndKill(bindery.data, `${file}.part`, afterMs, "backup", file, "--force");
      if (existsSync(`${file}.part`)) leftHalf += 1;
      if (existsSync(file)) expect(JSON.stringify(contentOf(file))).toBe(whole);
      await runAndKill(data, `${join(data, DATABASE)}.restore`, afterMs, "restore", good, "--force");
      expect(JSON.stringify(contentOf(join(data, DATABASE)))).toBe(whole);
    }
    expect(leftHalf).toBeGreaterThan(0);
    expect((await bindery.cli("backup", file, "--force")).code).toBe(0);
    expect(readdirSync(place).filter((name) => name.startsWith("killed"))).toEqual(["killed.bak"]);
    rmSync(data, { recursive: true, force: true });
  });
});
