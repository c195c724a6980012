import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DATABASE_FILE, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { type Bindery, startBindery } from "../support/bindery.js";
import { eventually } from "../support/deposit.js";

let bindery: Bindery;

beforeAll(async () => {
  bindery = await startBindery({ env: { BINDERY_WORKERS: "2" } });
});
afterAll(() => bindery.dispose());

/** Changes the file behind the back of the service. */
function withFile(sql: string): void {
  const raw = new Sqlite(join(bindery.data, DATABASE_FILE));
  raw.unsafeMode(true);
  raw.exec(sql);
  raw.close();
}

interface Ready {
  readonly status: string;
  readonly background_errors?: readonly { readonly task: string; readonly source: string; readonly times: number }[];
}

/** Tasks that fail, as one of the processes tells it. */
async function failing(): Promise<readonly string[]> {
  const { status, body } = await bindery.client.get<Ready>("/readyz");
  expect([status, body.status]).toEqual([200, "ready"]);
  return (body.background_errors ?? []).map(({ task }) => task).sort();
}

const counted = async (task: string): Promise<number> => {
  const { text } = await bindery.client.get("/metrics");
  return Number(new RegExp(`^bindery_background_errors_total\\{task="${task}"\\} (\\d+)$`, "m").exec(text)?.[1]);
};

it("is told of work that fails in any thread of any process, until it works again", async () => {
  const alice = await bindery.user("alice");
  const bob = await bindery.user("bob");
  expect(await failing()).toEqual([]);
  withFile(`
    ALTER TABLE audit RENAME TO away;
    CREATE TRIGGER refused BEFORE UPDATE ON token BEGIN SELECT raise(ABORT, 'not this token'); END;
  `);
  // A token that is used for the first time today, and a request that is refused.
  expect((await alice.client.get("/api/records/mst/00000-00000/draft")).status).toBe(404);
  await eventually(async () => expect(await failing()).toEqual(["audit-log", "token-use"]));
  for (const task of ["audit-log", "token-use"]) expect(await counted(task)).toBeGreaterThan(0);
  expect(await counted("webhooks")).toBe(0);
  // What the processes print comes through pipes, later than what they count.
  await eventually(async () => {
    for (const cause of ["no such table: audit", "not this token"]) expect(bindery.output()).toContain(cause);
  });

  withFile("DROP TRIGGER refused; ALTER TABLE away RENAME TO audit");
  // Either process may have been the one that failed.
  await eventually(async () => {
    for (const { client } of [alice, bob]) await client.get("/api/records/mst/00000-00000/draft");
    expect(await failing()).not.toContain("audit-log");
  });
});
