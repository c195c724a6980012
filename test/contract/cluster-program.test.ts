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
    const env = { ...shared.env, BINDERY_PUBLIC_URL: "http://bindery.example", BINDERY_RATE_LIMITS: "off" };
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
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\S+-1: asked by searches, level\n$/)]);
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
