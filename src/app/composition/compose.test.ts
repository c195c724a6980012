import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Heard, hearBackground } from "../../../test/support/background.js";
import { makeClock } from "../../../test/support/engines/engine-under-test.js";
import { tinyCatalog } from "../../../test/support/tiny-catalog.js";
import { OPERATOR } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import { openSqlite } from "../../engines/sqlite/index.js";
import type { Store } from "../../ports/store.js";
import { watchWrites } from "./compose.js";

const RETRY_MS = 10;
const FULL = fail("STORE_UNAVAILABLE", { reason: "the disk is full", cure: "Free room." });

let folder: string;
let store: Store;
let watched: Store;
let heard: Heard;
/** Whether the disk is full. */
let isFull: boolean;
let checks: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-writes-"));
  heard = hearBackground();
  [isFull, checks] = [false, 0];
  store = openSqlite({
    folder,
    catalog: tinyCatalog(),
    clock: makeClock(),
    role: "writer",
    searchTimeoutMs: 1_000,
  }).store;
  const onDisk = {
    ...store,
    transaction: ((...args) => (isFull ? Promise.reject(FULL) : store.transaction(...args))) as Store["transaction"],
    checkWrites: async () => {
      checks += 1;
      if (isFull) throw FULL;
      await store.checkWrites();
    },
  };
  watched = watchWrites(onDisk, heard, RETRY_MS);
});
afterEach(async () => {
  await watched.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = () => watched.transaction((tx) => tx.audit(OPERATOR, { action: "store.repair", kind: "store" }));

/** Counts entries of the audit log: checks of writes must leave none. */
const countEntries = async () => (await store.audit.list({ limit: 10 })).length;

describe("watched writes", () => {
  it("report nothing while they succeed or fail because of their content", async () => {
    await write();
    await expect(watched.transaction(async () => Promise.reject(fail("BODY_MISSING")))).rejects.toThrow();
    expect([checks, heard.all("writes")]).toEqual([0, []]);
  });

  it("report that the store refuses them until it accepts them again, even if nobody writes meanwhile", async () => {
    isFull = true;
    for (let i = 0; i < 3; i++) await expect(write()).rejects.toBe(FULL);
    await vi.waitFor(() => expect(heard.all("writes").length).toBeGreaterThan(2));
    expect(new Set(heard.all("writes"))).toEqual(new Set([FULL]));
    isFull = false;
    await vi.waitFor(() => expect(heard.last("writes")).toBe("success"));
    const checksBefore = checks;
    await new Promise((resolve) => setTimeout(resolve, 5 * RETRY_MS));
    expect([checks, await countEntries()]).toEqual([checksBefore, 0]);
    isFull = true;
    await expect(write()).rejects.toBe(FULL);
    await vi.waitFor(() => expect(heard.last("writes")).toBe(FULL));
  });

  it("report no refusal that has ended before the check", async () => {
    isFull = true;
    const refused = write();
    isFull = false;
    await expect(refused).rejects.toBe(FULL);
    await vi.waitFor(() => expect(heard.all("writes")).toEqual(["success"]));
  });

  it("are no longer checked after the store is closed", async () => {
    isFull = true;
    await expect(write()).rejects.toBe(FULL);
    await watched.close();
    const checksBefore = checks;
    await new Promise((resolve) => setTimeout(resolve, 5 * RETRY_MS));
    expect(checks).toBe(checksBefore);
  });
});
