import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChangePlace, type FeedChange, FIRST_PLACE } from "../../src/core/feed/feed.js";
import type { RecordBody } from "../../src/core/record.js";
import { openPool, openPostgres, type Pool } from "../../src/engines/postgres/index.js";
import type { Engine } from "../../src/ports/engine.js";
import { contractCatalog, putOne } from "../support/engines/engine-under-test.js";
import { chooseWork, type Done, type Known } from "../support/engines/record-races.js";
import { seeded } from "../support/random.js";
import { SEED } from "../support/seed.js";
import { dropDatabase, HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";

const WRITERS = 8;
const OPERATIONS = process.env.TEST_LONG === "1" ? 200_000 : 1_500;
const HOUR_MS = 3_600_000;

/** Ids that writers choose from. */
const HOT_IDS = 12;
const FIRST_USERS = 4;

/** Clocks of two nodes are never the same. */
const BEHIND_MICROS = 700_000;

describe.skipIf(!HAS_POSTGRES)("eight writers on two nodes, and a reader of the feed", () => {
  let url: string;
  let pool: Pool;
  let nodes: readonly Engine[] = [];
  const done: Done[] = [];
  let seen: readonly FeedChange[] = [];

  beforeAll(async () => {
    url = await newDatabase();
    pool = openPool({ url, connections: 1 });
    const open = (behind: number): Promise<Engine> => {
      const clock = { nowMicros: () => Date.now() * 1_000 - behind };
      const own = openPool({ url, connections: WRITERS });
      return openPostgres({ pool: own, catalog: contractCatalog(), clock, migrates: true, secrets: testSecrets() });
    };
    nodes = await Promise.all([open(0), open(BEHIND_MICROS)]);
    const known: Known = { ids: [], users: [], chosen: 0 };
    for (let n = 0; n < FIRST_USERS; n++) {
      const name = `first user ${n}`;
      known.users.push((await nodes[0]!.store.transaction((tx) => tx.users.addUser({ name, role: "depositor" }))).id);
    }
    const began = performance.now();
    let isOver = false;
    const reading = readFeed(nodes[1]!, () => isOver);
    try {
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(nodes[writer % 2]!, writer, known)));
    } finally {
      isOver = true;
    }
    seen = await reading;
    const rate = Math.round((OPERATIONS / (performance.now() - began)) * 1_000);
    if (process.env.TEST_LONG === "1") process.stdout.write(`${OPERATIONS} random writes, ${rate}/s\n`);
  }, HOUR_MS);

  afterAll(async () => {
    for (const node of nodes) await node.close();
    await pool?.close();
    await dropDatabase(url);
  });

  async function write(node: Engine, writer: number, known: Known): Promise<void> {
    const random = seeded(SEED * 100 + writer);
    while (known.chosen < OPERATIONS) {
      const work = chooseWork(known, random);
      const result = await node.store.transaction((tx) => work(tx, (within, body) => putOne(node, within, body)));
      if (result === undefined) continue;
      done.push(result);
      if (result.deposited !== undefined) known.ids.push(result.deposited);
      if (result.added !== undefined) known.users.push(result.added);
      if (known.ids.length > HOT_IDS) known.ids.shift();
      if (known.users.length > HOT_IDS) known.users.shift();
    }
  }

  it("give each id its revisions one by one, and none twice", async () => {
    const given = new Map<string, number[]>();
    for (const [id, revision] of done.flatMap(({ revisions = [] }) => revisions)) {
      given.set(id, [...(given.get(id) ?? []), revision]);
    }
    const last = new Map<string, number>();
    for (const [id, revisions] of given) {
      expect([id, revisions.sort((a, b) => a - b)]).toEqual([id, revisions.map((_, i) => i + 1)]);
      last.set(id, revisions.length);
    }
    const rows = await pool.rows<{ id: string; revision: number }>("SELECT id, revision FROM taken WHERE revision > 0");
    expect(new Map(rows.map(({ id, revision }) => [id, revision]))).toEqual(last);
  });

  it("lose no edit", async () => {
    const edits = new Map<string, number>();
    for (const id of done.flatMap(({ edited = [] }) => edited)) edits.set(id, (edits.get(id) ?? 0) + 1);
    const kept = new Map(done.flatMap(({ ended }) => (ended === undefined ? [] : [ended])));
    for (const { json } of await pool.rows<{ json: string }>("SELECT json FROM rec")) {
      const { id, metadata } = JSON.parse(json) as RecordBody;
      kept.set(id, Math.max(kept.get(id) ?? 0, Number(metadata.edits)));
    }
    expect(edits.size).toBeGreaterThan(OPERATIONS / 50);
    expect(new Map([...kept].filter(([, count]) => count > 0))).toEqual(edits);
  });

  it("do once what is asked for with one key", () => {
    const keys = done.flatMap(({ key }) => key ?? []);
    expect(keys.length).toBeGreaterThan(OPERATIONS / 80);
    expect(keys).toEqual([...new Set(keys)]);
  });

  it("number the changes without gaps, and the reader missed none", async () => {
    const [head] = await pool.rows<{ seq: number }>("SELECT seq FROM feed_head");
    const changes = await pool.rows<{ seq: number; time: number; shown: number | null; isPublic: boolean }>(
      `SELECT seq, time, shown, state = 'published' AS "isPublic" FROM change ORDER BY seq`,
    );
    expect(changes.map(({ seq }) => seq)).toEqual(Array.from({ length: head!.seq }, (_, i) => i + 1));
    expect(changes.findIndex(({ time }, i) => i > 0 && time < changes[i - 1]!.time)).toBe(-1);
    // Public changes have numbers of their own, without gaps and in the same order.
    const numbers = changes.filter(({ isPublic }) => isPublic).map(({ shown }) => shown);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1));
    expect(changes.some(({ isPublic, shown }) => !isPublic && shown !== null)).toBe(false);
    expect(seen.map(({ seq }) => seq)).toEqual(numbers);
    expect(seen.findIndex(({ time }, i) => i > 0 && time < seen[i - 1]!.time)).toBe(-1);
  });

  it("leave one latest version in each family that has a published one, the newest", async () => {
    const rows = await pool.rows<{ parent: string; latest: number; newest: number }>(
      `SELECT parent, count(*) FILTER (WHERE latest) AS latest,
        max(version) = max(version) FILTER (WHERE latest) AS newest FROM rec WHERE state = 'published' GROUP BY parent`,
    );
    expect(rows.filter(({ latest, newest }) => latest !== 1 || !newest)).toEqual([]);
  });

  it("count the citations that the bodies have", async () => {
    const rows = await pool.rows<{ json: string; latest: boolean }>("SELECT json, latest FROM rec");
    const counted = new Map<string, { latest: number; others: number }>();
    for (const { json, latest } of rows) {
      const { organism } = (JSON.parse(json) as RecordBody).metadata as { organism?: { id: string } };
      if (organism === undefined) continue;
      const count = counted.get(organism.id) ?? { latest: 0, others: 0 };
      count[latest ? "latest" : "others"] += 1;
      counted.set(organism.id, count);
    }
    const stored = await pool.rows<{ ext: string; latest: number; others: number }>(
      "SELECT ext, latest, others FROM citation_count WHERE latest <> 0 OR others <> 0",
    );
    expect(new Map(stored.map(({ ext, ...count }) => [ext, count]))).toEqual(counted);
  });

  it("number the rows in the order in which records were first committed", async () => {
    const rows = await pool.rows<{ row: number; seq: number; first: number; last: number }>(
      `SELECT rec.row, rec.seq, max(c.seq) AS last,
          max(c.seq) FILTER (WHERE c.action IN ('created', 'published')) AS first
        FROM rec JOIN change c ON c.id = rec.pid AND c.state = rec.state
        GROUP BY rec.pid, rec.state ORDER BY rec.row`,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(
      rows.findIndex(({ row, first }, i) => i > 0 && !(row > rows[i - 1]!.row && first > rows[i - 1]!.first)),
    ).toBe(-1);
    expect(rows.filter(({ seq, last }) => seq !== last)).toEqual([]);
  });

  it("leave nothing that verify finds fault with, but for the flags that services write, not these", async () => {
    const { counts } = await nodes[0]!.admin.verify(() => undefined);
    const { "record.versions": _, ...others } = counts;
    expect(others).toEqual({});
  });

  it("leave nothing that belongs to nobody", async () => {
    const [left] = await pool.rows(
      `SELECT (SELECT count(*) FROM rec WHERE NOT EXISTS (SELECT FROM "user" WHERE id::text = owner)) AS "withoutOwner",
        (SELECT count(*) FROM access WHERE NOT EXISTS (SELECT FROM "user" WHERE id = access."user")) AS "withoutUser",
        (SELECT count(*) FROM access
          WHERE NOT EXISTS (SELECT FROM rec WHERE pid = access.pid AND state = 'draft')) AS "withoutDraft"`,
    );
    expect(left).toEqual({ withoutOwner: 0, withoutUser: 0, withoutDraft: 0 });
  });
});

/** Reads the feed from its beginning as it grows, until the writers are done and nothing is left. */
async function readFeed(node: Engine, isOver: () => boolean): Promise<readonly FeedChange[]> {
  const seen: FeedChange[] = [];
  for (let after: ChangePlace = FIRST_PLACE; ; ) {
    // Asked before the page is read: what was written until then is on it.
    const wasOver = isOver();
    const { changes, next, isEnd } = await node.store.changes.page({ after, limit: 100 });
    seen.push(...changes);
    after = next;
    if (wasOver && isEnd) return seen;
    if (isEnd) await sleep(1);
  }
}
