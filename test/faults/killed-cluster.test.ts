import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Bindery, startBindery } from "../support/bindery.js";
import { eventually, publish } from "../support/deposit.js";
import type { Client, Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { startReceiver } from "../support/receiver.js";
import { makeRecord } from "../support/records.js";
import { dropIndexes, HAS_OPENSEARCH, newPrefix, searchUrl } from "../support/services/opensearch.js";
import { type Cluster, HAS_POSTGRES, makeCluster } from "../support/services/postgres.js";
import { ALLOWED, addWebhook, idsOf, listWebhooks } from "../support/webhooks.js";

const ROUNDS = process.env.TEST_LONG === "1" ? 50 : 3;
const WRITERS = 4;

interface Change {
  readonly seq: number;
  readonly time: string;
  readonly id: string;
  readonly action: string;
}

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("nodes of a cluster that are killed, and their database", () => {
  let folder: string;
  let cluster: Cluster;
  let nodes: readonly [Bindery, Bindery];
  let token: string;
  let index: { readonly BINDERY_SEARCH_URL: string; readonly BINDERY_SEARCH_PREFIX: string } | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bindery-cluster-"));
    cluster = await makeCluster(folder, { durable: true });
    index = { BINDERY_SEARCH_URL: await searchUrl(), BINDERY_SEARCH_PREFIX: newPrefix() };
    const env = {
      ...ALLOWED,
      ...index,
      BINDERY_DATABASE_URL: `${cluster.url}/postgres`,
      BINDERY_KEY_FILE: join(folder, "bindery.key"),
      BINDERY_RATE_LIMITS: "off",
      // As clients reach both, so that both make the same links.
      BINDERY_PUBLIC_URL: "http://bindery.example",
    };
    nodes = [await startBindery({ env }), await startBindery({ env })];
    ({ token } = await nodes[0].user("ada"));
    while ((await nodes[0].client.get("/api/records/")).status === 503) await sleep(50);
  }, 300_000);
  afterAll(async () => {
    for (const node of nodes ?? []) await node.dispose();
    await cluster?.stop("immediate");
    if (index !== undefined) await dropIndexes(index.BINDERY_SEARCH_URL, index.BINDERY_SEARCH_PREFIX);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Searches that were answered, in this test. */
  let searches = 0;
  beforeEach(() => {
    searches = 0;
  });
  const clientOf = (node: Bindery): Client => node.client.as(token);

  /**
   * Expects that a search on this node finds what was acknowledged. A node or an index that is away answers 503; a
   * search that the busy machine does not finish in its time is refused.
   */
  async function find(node: Bindery, id: string): Promise<void> {
    const { status, body, text } = await clientOf(node).get<SearchBody & Problem>(`/api/records/?q=id:${id}`);
    if (status === 503 || body.code === "QUERY_TOO_COSTLY") return;
    expect(status, text).toBe(200);
    expect([id, body.hits.total]).toEqual([id, 1]);
    searches += 1;
  }

  /**
   * Deposits and publishes until it is told to stop, whatever ends meanwhile; what was acknowledged is noted. The other
   * node is asked at once for what was published.
   */
  async function write(name: string, acknowledged: Map<string, RecordShape>, signal: AbortSignal): Promise<void> {
    for (let n = 0; !signal.aborted; n++) {
      const node = nodes[n % 2]!;
      const key = { headers: { "idempotency-key": `${name} ${n}` } };
      try {
        const draft = await clientOf(node).post<RecordShape>("/api/records/mst/", makeRecord(n), key);
        expect([201, 503], draft.text).toContain(draft.status);
        if (draft.status !== 201) continue;
        acknowledged.set(draft.body.id, draft.body);
        if (n % 3 !== 0) continue;
        const done = await clientOf(node).post<RecordShape>(`/api/records/mst/${draft.body.id}/draft/actions/publish`);
        expect([202, 503], done.text).toContain(done.status);
        if (done.status !== 202) continue;
        acknowledged.set(done.body.id, done.body);
        await find(nodes[(n + 1) % 2]!, done.body.id);
      } catch (error) {
        // The connection to a node that is killed, or not yet back.
        expect(error).toMatchObject({ code: expect.stringMatching(/^(ECONN|EPIPE)/) });
        await sleep(20);
      }
    }
  }

  /** Writes while `fault` happens, and looks that all that was acknowledged is there, on both nodes. */
  async function surviving(name: string, fault: () => Promise<void>): Promise<number> {
    const acknowledged = new Map<string, RecordShape>();
    const stop = new AbortController();
    const writers = Array.from({ length: WRITERS }, (_, i) => write(`${name} ${i}`, acknowledged, stop.signal));
    await sleep(150 + Math.random() * 200);
    await fault();
    await sleep(150);
    stop.abort();
    await Promise.all(writers);
    for (const [id, { state, revision_id }] of acknowledged) {
      for (const node of nodes) {
        const path = `/api/records/mst/${id}${state === "draft" ? "/draft" : ""}`;
        let found = await clientOf(node).get<RecordShape>(path);
        // Published by a request whose answer was lost.
        if (found.status === 404) found = await clientOf(node).get<RecordShape>(`/api/records/mst/${id}`);
        expect(found.status, path).toBe(200);
        expect(found.body.revision_id).toBeGreaterThanOrEqual(revision_id);
        if (state === "published") await find(node, id);
      }
    }
    return acknowledged.size;
  }

  async function readFeed(node: Bindery): Promise<readonly Change[]> {
    const changes: Change[] = [];
    for (let since = "0"; ; ) {
      const { body } = await node.client.get<{ changes: Change[]; next: string }>(
        `/api/changes?since=${since}&size=1000`,
      );
      changes.push(...body.changes);
      if (body.changes.length === 0) return changes;
      since = body.next;
    }
  }

  it(`lose nothing that was acknowledged over ${ROUNDS} kills of a node`, { timeout: ROUNDS * 60_000 }, async () => {
    let written = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const victim = nodes[round % 2]!;
      written += await surviving(`node ${round}`, async () => {
        await victim.end("SIGKILL");
        await victim.restart();
      });
    }
    expect(written).toBeGreaterThanOrEqual(ROUNDS);
    expect(searches).toBeGreaterThanOrEqual(ROUNDS);
  });

  it(`lose nothing over ${ROUNDS} kills of the database, and go on by themselves`, {
    timeout: ROUNDS * 60_000,
  }, async () => {
    let written = 0;
    for (let round = 0; round < ROUNDS; round++) {
      written += await surviving(`database ${round}`, async () => {
        await cluster.kill();
        await cluster.start();
        for (const node of nodes) {
          await eventually(async () => {
            expect((await node.client.get("/api/vocabularies/organisms/taxid:562")).status).toBe(200);
          }, 20_000);
        }
      });
    }
    expect(written).toBeGreaterThanOrEqual(ROUNDS);
    expect(searches).toBeGreaterThanOrEqual(ROUNDS);
    const feeds = [await readFeed(nodes[0]), await readFeed(nodes[1])] as const;
    expect(feeds[1]).toEqual(feeds[0]);
    const published = feeds[0].filter(({ action }) => action === "published").map(({ id }) => id);
    expect(new Set(published).size).toBe(published.length);
    const times = feeds[0].map(({ time }) => time);
    expect(times).toEqual([...times].sort());
  });

  it("leave a store in which all agrees", { timeout: 60_000 }, async () => {
    const { code, stdout, stderr } = await nodes[0].cli("verify");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("all agrees");
  });

  it("deliver to webhooks by one of them, and by the other one when that is killed", { timeout: 120_000 }, async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await addWebhook(nodes[0], receiver.url);
    const ids: string[] = [];
    const add = async (node: Bindery, count: number): Promise<void> => {
      for (let n = 0; n < count; n++) ids.push((await publish(clientOf(node), makeRecord(n))).id);
    };
    await add(nodes[0], 5);
    await add(nodes[1], 5);
    await eventually(async () => expect(idsOf(receiver.received).sort()).toEqual([...ids].sort()), 20_000);
    await nodes[0].end("SIGKILL");
    await add(nodes[1], 5);
    await eventually(async () => expect(new Set(idsOf(receiver.received))).toEqual(new Set(ids)), 20_000);
    await nodes[0].restart();
    await nodes[1].end("SIGKILL");
    await add(nodes[0], 5);
    await eventually(async () => expect(new Set(idsOf(receiver.received))).toEqual(new Set(ids)), 20_000);
    await nodes[1].restart();
    expect(await listWebhooks(nodes[1])).toMatchObject([{ pending: 0, dead: 0 }]);
  });
});
