import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import type { RecordShape, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

const RECORDS = 12;

let bindery: Bindery;
let alice: TestUser;
let published: RecordShape[];

beforeAll(async () => {
  bindery = await startBindery();
  alice = await bindery.user("alice");
  published = [];
  for (let n = 0; n < RECORDS; n++) {
    published.push(await publish(alice.client, makeRecord(n, { title: `Zirconium number ${n}` })));
  }
});
afterAll(() => bindery.dispose());

function withFile<T>(work: (raw: Database) => T): T {
  const raw = new Sqlite(join(bindery.data, "bindery.sqlite"), { timeout: 5_000 });
  try {
    return work(raw);
  } finally {
    raw.close();
  }
}

async function search(query: string): Promise<SearchBody<RecordShape>> {
  const { status, body } = await bindery.client.get<SearchBody<RecordShape>>(`/api/search/?${query}`);
  expect(status).toBe(200);
  return body;
}

const totals = async (): Promise<unknown> => {
  const all = await search("q=zirconium");
  const { hits } = await search(`q=id:${published[0]!.id}`);
  return [all.hits.total, all.aggregations, hits.total];
};

it("mends the store beside a service, whose searches are right again at once", { timeout: 120_000 }, async () => {
  const right = await totals();
  withFile((raw) => {
    raw.exec("DELETE FROM leaf WHERE rowid IN (SELECT id FROM rec WHERE state = 1 ORDER BY id LIMIT 5)");
    raw.exec("UPDATE rec SET vals = x'' WHERE id IN (SELECT id FROM rec WHERE state = 1 ORDER BY id LIMIT 3)");
    raw.exec("UPDATE use SET n = n + 3");
  });
  // Searches keep what they read: so they have read it wrong.
  await bindery.end("SIGKILL");
  await bindery.restart();
  expect(await totals()).not.toEqual(right);
  expect(await totals()).not.toEqual(right);

  const found = await bindery.cli("verify", "--json");
  expect(found.code).toBe(1);
  const { counts } = JSON.parse(found.stdout) as { counts: Record<string, number> };
  expect(counts).toMatchObject({ "index.rows": 5, "index.text": 5, "index.values": 3 });
  const said = await bindery.cli("verify");
  expect(said.stderr).toMatch(/^index\.text: \S+ \(published\): expected the tokens of the record, found others$/m);
  expect(said.stderr).toContain("--repair");

  let isOver = false;
  const writer = (async (): Promise<number> => {
    let n = 0;
    for (; !isOver; n++) await deposit(alice.client, makeRecord(100 + n));
    return n;
  })();
  const repaired = await bindery.cli("verify", "--repair");
  isOver = true;
  expect(await writer).toBeGreaterThan(0);
  expect([repaired.code, repaired.stderr]).toEqual([0, ""]);
  expect(repaired.stdout).toMatch(/^repaired: index, 5$[\s\S]*^repaired: citations, \d+$[\s\S]*all agrees\.\n$/m);
  expect(await totals()).toEqual(right);
  const changes = await bindery.client.get<{ changes: readonly { action: string }[] }>(
    "/api/changes?since=0&size=1000",
  );
  expect(changes.body.changes.map(({ action }) => action)).not.toContain("reindexed");
  const lines = withFile((raw) =>
    raw.prepare("SELECT who, place FROM audit WHERE action = 'store.repair'").raw().all(),
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      ["operator", "index"],
      ["operator", "citations"],
    ]),
  );
  expect((await bindery.cli("verify")).code).toBe(0);
});

it("says what is lost, and ends with 1", { timeout: 60_000 }, async () => {
  const { id } = published[7]!;
  withFile((raw) => raw.exec(`UPDATE doc SET json = 'lost' WHERE id = (SELECT id FROM rec WHERE pid = '${id}')`));
  const { code, stdout, stderr } = await bindery.cli("verify", "--repair");
  expect(code).toBe(1);
  expect(stderr).toContain(`record.body: ${id} (published): expected the record as JSON, found not JSON`);
  expect(stderr).toContain("(cannot be rebuilt)");
  expect(stdout).toContain("1 disagreement.");
});
