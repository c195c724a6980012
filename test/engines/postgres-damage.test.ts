/** Values of the tables that are not what was written: each is an error that names its row, and never one of ours. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { storedBody } from "../../src/core/record.js";
import type { Pool } from "../../src/engines/postgres/connection/sql.js";
import { openPool, openPostgres, type PostgresEngine } from "../../src/engines/postgres/index.js";
import { contractCatalog, makeClock, putAll, tinyRecord } from "../support/engines/engine-under-test.js";
import { dropDatabase, HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";

const SCRATCHES = ["''", "'{\"a\":'", "'7'", "'null'", "'[[1]]'", "'\"text\"'"];

let url: string;
let pool: Pool;
let engine: PostgresEngine;

beforeAll(async () => {
  if (!HAS_POSTGRES) return;
  url = await newDatabase();
  pool = await openPool({ url, connections: 4 });
  const catalog = contractCatalog();
  engine = await openPostgres({ pool, catalog, clock: makeClock(), migrates: true, secrets: testSecrets() });
  await putAll(engine, [tinyRecord("r1", { text: "a" })]);
  await engine.store.transaction(async (tx) => {
    const user = await tx.users.addUser({ name: "ada", role: "depositor" });
    await tx.users.addToken({ user: user.id, name: "t", scopes: ["records:read"], digest: "d" });
    await tx.answers.keep("1", "key", { request: "digest", outcome: { id: "a" } });
    await tx.webhooks.add({ url: "https://example.org/hook", filter: {}, secret: "s".repeat(32) });
  });
}, 60_000);
afterAll(async () => {
  await engine?.close();
  if (url !== undefined) await dropDatabase(url);
});

const READS: readonly (readonly [table: string, column: string, names: string, read: () => Promise<unknown>])[] = [
  ["token", "scopes", "The token", () => engine.store.users.findToken("d")],
  ["webhook", "filter", "The webhook", () => engine.store.webhooks.list()],
  ["webhook", "place", "The webhook", () => engine.store.webhooks.list()],
  ["answer", "outcome", "The kept answer", () => engine.store.transaction((tx) => tx.answers.find("1", "key"))],
  ["rec", "json", 'The record "r1"', async () => storedBody((await engine.store.records.get("r1", "published"))!)],
];

it.runIf(HAS_POSTGRES).each(READS)("%s.%s", async (table, column, names, read) => {
  await read();
  const [row] = await pool.rows<{ readonly value: string }>(`SELECT ${column} AS value FROM bindery.${table}`);
  for (const scratch of SCRATCHES) {
    await pool.run(`UPDATE bindery.${table} SET ${column} = ${scratch}`);
    const outcome = await read().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(outcome, scratch).toMatchObject({ code: "STORE_DAMAGED", message: expect.stringContaining(names) });
  }
  await pool.run(`UPDATE bindery.${table} SET ${column} = $1`, [row!.value]);
  await read();
});
