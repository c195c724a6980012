import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WARNING_REPORTER } from "../../src/core/background.js";
import { openPool, openPostgres, type PostgresEngine } from "../../src/engines/postgres/index.js";
import { hearBackground } from "../support/background.js";
import { eventually } from "../support/deposit.js";
import { contractCatalog } from "../support/engines/engine-under-test.js";
import { dropDatabase, HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";

describe.skipIf(!HAS_POSTGRES)("a node whose clock is not that of the database", () => {
  let url: string;
  let engine: PostgresEngine | undefined;
  beforeEach(async () => {
    url = await newDatabase();
  });
  afterEach(async () => {
    await engine?.close();
    engine = undefined;
    await dropDatabase(url);
  });

  const open = async (aheadSeconds: number, background = WARNING_REPORTER): Promise<PostgresEngine> => {
    const clock = { nowMicros: () => (Date.now() + aheadSeconds * 1_000) * 1_000 };
    const pool = openPool({ url, connections: 4 });
    const options = { pool, catalog: contractCatalog(), clock, migrates: true, secrets: testSecrets() };
    engine = await openPostgres({ ...options, checksClock: true, background });
    return engine;
  };
  const addUser = (name: string) => engine!.store.transaction((tx) => tx.users.addUser({ name, role: "depositor" }));

  it.each([0, 30, -30])("measures %i seconds, and writes", async (seconds) => {
    const { clockOffset } = await open(seconds, hearBackground());
    expect(Math.abs((await clockOffset!()) - seconds)).toBeLessThan(1);
    expect(await addUser("ada")).toMatchObject({ name: "ada" });
  });

  it.each([
    [75, "ahead of"],
    [-75, "behind"],
  ])("refuses writes where it is %i seconds ahead, and reads", async (seconds, how) => {
    await open(seconds, hearBackground());
    await expect(addUser("ada")).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      status: 503,
      message: expect.stringMatching(new RegExp(`clock of this machine is 7[45]\\.\\d s ${how} that of the database`)),
    });
    expect(await engine!.store.users.listUsers()).toEqual([]);
    expect((await engine!.store.changes.head()).seq).toBe(0);
  });

  it("tells operators from two seconds on, and no earlier", async () => {
    const heard = hearBackground();
    await open(4, heard);
    await eventually(async () => expect(heard.last("clock")).toMatchObject({ code: "STORE_UNAVAILABLE" }));
    await engine!.close();
    const calm = hearBackground();
    await open(1, calm);
    await eventually(async () => expect(calm.all("clock")).toEqual(["success"]));
  });
});
