import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bindery, startBindery } from "../support/bindery.js";
import { eventually, publish } from "../support/deposit.js";
import type { Client, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import { newSharedStore, type SharedStore } from "../support/services/shared-store.js";

interface Ready {
  readonly index: { readonly behind_changes: number; readonly refused: number };
}

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("two programs on one database and one OpenSearch", () => {
  let folder: string;
  let shared: SharedStore;
  let first: Bindery;
  let second: Bindery;
  let clients: readonly [Client, Client];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bindery-programs-"));
    shared = await newSharedStore(folder);
    const env = {
      ...shared.env,
      BINDERY_PUBLIC_URL: "http://bindery.example",
      BINDERY_RATE_LIMITS: "off",
      BINDERY_METRICS: "everyone",
    };
    first = await startBindery({ env });
    second = await startBindery({ env });
    // The first one makes the index.
    while ((await first.client.get("/api/records/")).status === 503) await sleep(50);
    const { token } = await first.user("ada");
    clients = [first.client.as(token), second.client.as(token)];
  }, 120_000);
  afterAll(async () => {
    await second?.dispose();
    await first?.dispose();
    await shared?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const ready = async (client: Client): Promise<Ready["index"]> => (await client.get<Ready>("/readyz")).body.index;
  /** Each sample by its name and labels. */
  const metricsOf = async (client: Client): Promise<ReadonlyMap<string, number>> => {
    const lines = (await client.get("/metrics")).text.split("\n").filter((line) => line.startsWith("bindery_"));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
  };
  const block = async (isBlocked: boolean): Promise<void> => {
    const { BINDERY_SEARCH_URL: url, BINDERY_SEARCH_PREFIX: prefix } = shared.env;
    const body = JSON.stringify({ "index.blocks.write": isBlocked });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/${prefix}-*/_settings`, { method: "PUT", headers, body })).status).toBe(200);
  };
  const total = async (client: Client, q: string): Promise<number> => {
    const { status, body, text } = await client.get<SearchBody>(`/api/records/?q=${encodeURIComponent(q)}`);
    expect(status, text).toBe(200);
    return body.hits.total;
  };

  it("find on one what was published on the other, at once, and say how far the index is", async () => {
    for (let n = 0; n < 6; n++) {
      const [writer, reader] = n % 2 === 0 ? clients : [clients[1], clients[0]];
      const { id } = await publish(writer!, makeRecord(n));
      expect(await total(reader!, `id:${id}`)).toBe(1);
    }
    await eventually(async () => expect(await ready(clients[1])).toMatchObject({ behind_changes: 0, refused: 0 }));
    const { code, stdout } = await first.cli("status");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Index: \S+-1: used by searches, level, fed from 127\.0\.0\.1$/m),
    ]);
    expect(stdout).toMatch(/^Bindery \S+, data: PostgreSQL, .*\nService: not asked, .*\nSize: the database \S+ MB\n/);
    expect(stdout).toMatch(/^mst +6 +0 +0$/m);
  });

  it("count how the index is fed and searched, each for itself", async () => {
    const { id } = await publish(clients[0], makeRecord(10));
    expect(await total(clients[1], `id:${id}`)).toBe(1);
    await eventually(async () => {
      const all = await Promise.all(clients.map(metricsOf));
      const leads = all.map((metrics) => metrics.get("bindery_relay_leader"));
      expect([...leads].sort()).toEqual([0, 1]);
      const leader = all[leads.indexOf(1)]!;
      expect(leader.get("bindery_relay_cycle_seconds")).toBeGreaterThan(0);
      // It was the first one that published.
      expect(all[0]!.get("bindery_store_commits_total")).toBeGreaterThan(0);
      expect(all[0]!.get("bindery_store_commit_seconds_total")).toBeGreaterThan(0);
      expect(all[leads.indexOf(0)]!.get("bindery_relay_cycle_seconds")).toBeNaN();
      for (const metrics of all) {
        expect(metrics.get("bindery_search_repeats_total")).toBeGreaterThanOrEqual(0);
        expect(Math.abs(metrics.get("bindery_clock_offset_seconds")!)).toBeLessThan(2);
        for (const thread of ["http", "search", "loader", "writer"]) {
          expect(metrics.get(`bindery_store_pool_waiting{thread="${thread}"}`)).toBe(0);
        }
        for (const reason of ["deadlock", "serialization", "conflict"]) {
          expect(metrics.get(`bindery_store_retries_total{reason="${reason}"}`)).toBeGreaterThanOrEqual(0);
        }
      }
    });
  });

  it("say what searches judge beside an index that takes nothing", async () => {
    await eventually(async () => expect((await ready(clients[1])).behind_changes).toBe(0));
    await block(true);
    try {
      const { id } = await publish(clients[0], makeRecord(11));
      expect(await total(clients[1], `id:${id}`)).toBe(1);
      expect((await metricsOf(clients[1])).get("bindery_overlay_records")).toBe(1);
    } finally {
      await block(false);
    }
    await eventually(async () => expect((await ready(clients[1])).behind_changes).toBe(0));
  });

  it("feed the index on when the one that did is killed", async () => {
    const before = await total(clients[1], "model:mst");
    await publish(clients[0], makeRecord(20));
    await first.end("SIGKILL");
    for (let n = 1; n <= 5; n++) {
      await publish(clients[1], makeRecord(20 + n));
      expect(await total(clients[1], "model:mst")).toBe(before + 1 + n);
    }
    await eventually(async () => expect((await ready(clients[1])).behind_changes).toBe(0));
    expect(await total(clients[1], "model:mst")).toBe(before + 6);
  });
});
