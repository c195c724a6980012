import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { eventually, publish } from "../support/deposit.js";
import type { Problem } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

let bindery: Bindery;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startBindery();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

/** What the command prints; it never fails where there is a store. */
async function status(...options: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await bindery.cli("status", ...options);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

interface Printed {
  readonly service: { readonly state: string; readonly pid?: number; readonly url?: string; readonly ready?: object };
  readonly store: Readonly<Record<"schema" | "analysis" | "bytes" | "log_bytes" | "disk_free_bytes", number>>;
  readonly last_change?: { readonly seq: number; readonly time: string };
  readonly last_backup?: { readonly time: string; readonly file: string; readonly last_change: number };
  readonly models: readonly object[];
  readonly vocabularies: readonly { readonly name: string; readonly terms: number; readonly is_served: boolean }[];
  readonly largest_users: readonly { readonly user: string; readonly drafts: number; readonly bytes: number }[];
  readonly indexes: readonly object[];
  readonly stale_terms: number;
}

const printed = async (): Promise<Printed> => JSON.parse(await status("--json")) as Printed;

describe("bindery status", () => {
  it("says what a store holds, which is counted anew each time", async () => {
    const before = await printed();
    expect(before).toMatchObject({ models: [], largest_users: [], indexes: [], stale_terms: 0 });
    const { total } = (await bindery.client.get<{ hits: { total: number } }>("/api/vocabularies/organisms?s=1")).body
      .hits;
    expect(before.vocabularies).toContainEqual({ name: "organisms", terms: total, is_served: true });
    const { id } = await publish(alice.client, makeRecord(1));
    await publish(alice.client, makeRecord(2));
    expect((await alice.client.post("/api/records/mst/", makeRecord(3))).status).toBe(201);
    expect((await alice.client.post(`/api/records/mst/${id}/versions`)).status).toBe(201);
    const after = await printed();
    expect(after.models).toEqual([{ name: "mst", published: 2, older_versions: 0, drafts: 2, is_served: true }]);
    expect(after.last_change!.seq).toBeGreaterThan((before.last_change?.seq ?? 0) + 3);
    expect(Date.now() - Date.parse(after.last_change!.time)).toBeLessThan(60_000);
    expect(await status()).toMatch(/^mst +2 +0 +2$/m);
    expect(after.largest_users).toEqual([{ user: "alice", drafts: 2, bytes: expect.any(Number) }]);
    expect(after.largest_users[0]!.bytes).toBeGreaterThan(2_000);
    expect(await status()).toMatch(/^Largest users +Drafts +Size of drafts$\n^alice +2 +[\d.]+ kB$/m);
  });

  it("says how large its files are, and which versions they have", async () => {
    const { store } = await printed();
    expect(store.bytes).toBe(statSync(join(bindery.data, "bindery.sqlite")).size);
    expect(store.log_bytes).toBeGreaterThan(0);
    expect(store.disk_free_bytes).toBeGreaterThan(0);
    expect([store.schema, store.analysis].every(Number.isInteger)).toBe(true);
    expect(await status()).toMatch(
      /^Size: the database [\d.]+ [kMG]B, its log .*; [\d.]+ [kMGT]B are free on the disk$/m,
    );
  });

  it("says which service runs on it, and what that says of itself", async () => {
    const { service } = await printed();
    expect(service).toMatchObject({ state: "runs", pid: bindery.pid, url: bindery.url, ready: { status: "ready" } });
    expect(await status()).toContain(`Service: ${bindery.url}, process ${bindery.pid} since `);
  });

  it("knows the last backup", async () => {
    expect(await status()).toMatch(/^Last backup: none is known$/m);
    const file = join(bindery.data, "copy.bak");
    expect((await bindery.cli("backup", file)).stderr).toBe("");
    const { last_backup, last_change } = await printed();
    expect(last_backup).toMatchObject({ file, last_change: last_change!.seq });
    expect(Date.now() - Date.parse(last_backup!.time)).toBeLessThan(60_000);
    expect(await status()).toContain(`Last backup: ${last_backup!.time}, up to change ${last_change!.seq}: ${file}`);
  });

  it("says that the last change lies in the future, as the service does, which then refuses to write", async () => {
    const moveLastChange = (hours: number): void => {
      const raw = new Sqlite(join(bindery.data, "bindery.sqlite"));
      const time = Date.now() * 1_000 + hours * 3_600_000_000;
      raw.prepare("UPDATE change SET time = ? WHERE seq = (SELECT max(seq) FROM change)").run(time);
      raw.close();
    };
    const WARNING = /last change is dated .*, 48\.0 h ahead of the clock.*See docs\/operating\.md, "A wrong clock"/;
    await bindery.end("SIGTERM");
    moveLastChange(48);
    expect(await status()).toMatch(/^Warning: the last change is dated 48\.0 h ahead of the clock; see docs/m);
    await bindery.restart();
    const create = () => alice.client.post<Problem>("/api/records/mst/", makeRecord(9));
    await eventually(async () =>
      expect((await printed()).service.ready).toMatchObject({ warning: expect.stringMatching(WARNING) }),
    );
    expect(await status()).toMatch(WARNING);
    expect((await create()).body).toMatchObject({ status: 503, code: "STORE_UNAVAILABLE" });
    expect((await bindery.client.get("/api/search/")).status).toBe(200);
    // The clock has passed it: as if two days had gone by.
    await bindery.end("SIGTERM");
    moveLastChange(-0.1);
    await bindery.restart();
    expect((await create()).status).toBe(201);
    expect(await status()).not.toContain("48.0 h");
  });

  it("says that none runs, and whether the last one was killed", async () => {
    await bindery.end("SIGKILL");
    expect((await printed()).service).toMatchObject({ state: "ended early", pid: expect.any(Number) });
    expect(await status()).toMatch(/^Service: none runs, and the last one did not shut down cleanly/m);
    await bindery.restart();
    // What checks the database after a kill is done, or the next end would be no clean one either.
    await eventually(async () =>
      expect((await printed()).service.ready).toMatchObject({ integrity_check: { state: "passed" } }),
    );
    await bindery.end("SIGTERM");
    expect((await printed()).service).toEqual({ state: "none" });
    expect(await status()).toMatch(/^Service: none runs on this data folder\.$/m);
  });
});
