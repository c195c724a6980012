import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { type Bindery, mainFile, runCommand, settings, startBindery, type TestUser } from "../support/bindery.js";
import { deposit, eventually, publish } from "../support/deposit.js";
import type { Problem } from "../support/http-client.js";
import { newStore } from "../support/new-store.js";
import { makeRecord } from "../support/records.js";

const DATABASE = "bindery.sqlite";
let place: string;

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "bindery-damage-"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("a start on a file that is no whole store ends with 1 and one line", () => {
  const HOSTILE: Readonly<Record<string, (file: string) => void | Promise<void>>> = {
    garbage: (file) => writeFileSync(file, Buffer.from(Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 251))),
    "a few bytes": (file) => writeFileSync(file, "SQLite"),
    "another program's database": (file) => {
      const raw = new Sqlite(file);
      raw.exec("CREATE TABLE meta(key TEXT, content TEXT); CREATE TABLE song(title TEXT)");
      raw.close();
    },
    "a truncated store": async (file) => {
      await newStore(join(file, ".."));
      truncateSync(file, 200_000);
    },
  };

  it.each(Object.keys(HOSTILE))("%s", async (name) => {
    const data = join(place, name.replaceAll(/\W/g, "-"));
    const file = join(data, DATABASE);
    mkdirSync(data, { mode: 0o700 });
    await HOSTILE[name]!(file);
    chmodSync(file, 0o600);
    const before = readFileSync(file);
    const { code, stdout, stderr } = await runCommand(process.execPath, [mainFile(), "serve"], settings(data));
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining(file)]);
    expect(stderr).not.toMatch(/\bat .*\.js:\d+|SqliteError|SQLITE_/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("packed values that cannot be read", () => {
  const SCRATCHES = ["substr(vals, 1, length(vals) - 3)", "x'0102'", "'text'", "zeroblob(6)"];

  it.each(SCRATCHES)("answer 503 with the record and the cure, and are repaired: %s", async (scratch) => {
    const bindery = await startBindery();
    try {
      const alice = await bindery.user("alice");
      const { id } = await publish(alice.client, makeRecord(1));
      await publish(alice.client, makeRecord(2));
      await bindery.end("SIGTERM");
      const raw = new Sqlite(join(bindery.data, DATABASE));
      raw.exec(`UPDATE rec SET vals = ${scratch} WHERE pid = '${id}'`);
      raw.close();
      await bindery.restart();

      for (const path of ["/api/search/?q=results.value:>0", "/api/records/mst?facets=none&sort=-kd", "/api/search/"]) {
        const { status, body } = await bindery.client.get<Problem>(path);
        expect([path, status, body.code]).toEqual([path, 503, "STORE_DAMAGED"]);
        expect(body.message).toContain(`record "${id}"`);
        expect(body.message).toContain("bindery verify --repair");
      }
      expect((await bindery.client.get(`/api/records/mst/${id}`)).status).toBe(200);
      expect((await bindery.client.get("/readyz")).status).toBe(503);
      const repaired = await bindery.program("verify", "--repair");
      expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining("all agrees")]);
      await bindery.end("SIGTERM");
      await bindery.restart();
      expect((await bindery.client.get("/api/search/?q=results.value:>0")).status).toBe(200);
    } finally {
      await bindery.dispose();
    }
  });
});

describe("a store that is damaged while it is served", () => {
  let bindery: Bindery;
  let alice: TestUser;
  let intact: string;
  let flipped: string;

  beforeAll(async () => {
    bindery = await startBindery({ env: { BINDERY_WORKERS: "2" } });
    alice = await bindery.user("alice");
    intact = (await publish(alice.client, makeRecord(1))).id;
    flipped = (await publish(alice.client, makeRecord(2, { title: "flipped 1234567" }))).id;
  });
  afterAll(() => bindery.dispose());

  const get = (path: string) => bindery.client.get<Problem & { integrity_check?: { state: string } }>(path);
  const expectDamaged = (answer: { status: number; body: Problem; headers: Record<string, unknown> }, what: string) => {
    expect(answer.body).toMatchObject({ status: 503, code: "STORE_DAMAGED" });
    expect(answer.body.message).toContain(what);
    expect(answer.body.message).toMatch(/bindery verify.*restore a backup/);
    expect(answer.headers).not.toHaveProperty("retry-after");
  };
  /** Writes bytes into the file, which nobody has open. */
  const writeBytes = (at: number, bytes: Buffer | string): void => {
    const file = openSync(join(bindery.data, DATABASE), "r+");
    writeSync(file, Buffer.from(bytes), 0, undefined, at);
    closeSync(file);
  };

  it("is checked after a stop that was not clean, while it is served", async () => {
    await bindery.end("SIGKILL");
    await bindery.restart();
    expect((await get(`/api/records/mst/${intact}`)).status).toBe(200);
    await eventually(async () => expect((await get("/readyz")).body.integrity_check?.state).toBe("passed"), 20_000);
    await bindery.end("SIGTERM");
    await bindery.restart();
    expect((await get("/readyz")).body).toEqual({ status: "ready" });
  });

  it("never serves a record of which a byte is another, and serves and takes the others", async () => {
    await bindery.end("SIGTERM");
    const content = readFileSync(join(bindery.data, DATABASE));
    const title = '"flipped 1234567"';
    // What is left of its draft on a page that is free has it too.
    for (let at = content.indexOf(title); at !== -1; at = content.indexOf(title, at + 1)) {
      writeBytes(at + '"flipped 123'.length, "9");
    }
    await bindery.restart();

    for (const path of [`/api/records/mst/${flipped}`, "/api/search/?q=flipped"]) {
      expectDamaged(await get(path), `The record "${flipped}" in ${DATABASE}`);
    }
    expect((await get(`/api/records/mst/${intact}`)).status).toBe(200);
    await deposit(alice.client, makeRecord(3));
    await eventually(async () => expectDamaged(await get("/readyz"), flipped));
    expect((await get("/healthz")).status).toBe(200);
    expect(bindery.output().split(`The record \\"${flipped}\\" in`).length - 1).toBeGreaterThan(0);
    const verified = await bindery.cli("verify", "--repair");
    expect(verified.code).toBe(1);
    expect(verified.stderr).toContain(`record.body: ${flipped} (published): expected what was written`);
    const copied = await bindery.cli("backup", join(place, "damaged.sqlite"));
    expect([copied.code, copied.stderr]).toEqual([1, expect.stringContaining(flipped)]);
  });

  it("refuses writes in all processes once a page turns out to be damaged, and goes on reading", async () => {
    await bindery.end("SIGTERM");
    const raw = new Sqlite(join(bindery.data, DATABASE));
    const root = raw.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'tombstone'").pluck().get()!;
    const size = raw.pragma("page_size", { simple: true }) as number;
    raw.close();
    writeBytes((root - 1) * size, Buffer.alloc(size, 0xff));
    await bindery.restart();

    const draft = await deposit(alice.client, makeRecord(4));
    // Whether it was retracted stands on that page.
    expectDamaged(await get(`/api/records/mst/${draft.id}`), `The data file ${DATABASE}`);
    await eventually(async () => {
      for (let i = 0; i < 4; i++) {
        const refused = await alice.client.post<Problem>("/api/records/mst/", makeRecord(5));
        expectDamaged(refused, `The data file ${DATABASE}`);
      }
    });
    for (let i = 0; i < 4; i++) expectDamaged(await get("/readyz"), `The data file ${DATABASE}`);
    for (const path of [`/api/records/mst/${intact}`, "/api/vocabularies/organisms?q=coli", "/healthz"]) {
      expect((await get(path)).status, path).toBe(200);
    }
    expect(bindery.output()).toContain("Writes are refused from now on.");
    expect(bindery.output()).toContain("malformed");
  });

  it("is found damaged after the next start without any request that reads the page", async () => {
    await bindery.end("SIGTERM");
    await bindery.restart();
    await eventually(async () => expectDamaged(await get("/readyz"), "integrity_check found problems"), 20_000);
    await eventually(async () => {
      const refused = await alice.client.post<Problem>("/api/records/mst/", makeRecord(6));
      expect(refused.status).toBe(503);
    });
    expect((await get(`/api/records/mst/${intact}`)).status).toBe(200);
  });
});
