import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import { recordLines } from "../../../test/support/records.js";
import { ANONYMOUS } from "../../core/actor.js";
import { makeCaches } from "../../core/caches.js";
import { fail } from "../../core/errors.js";
import { openSqlite, type ScanLoader } from "../../engines/sqlite/index.js";
import { makeServices } from "../index.js";
import { warmUp } from "./warm-up.js";

/** Of fewer hits the values are read each time. */
const MANY = 220;

let filled: OpenServices;
let empty: OpenServices;

beforeAll(async () => {
  [filled, empty] = await Promise.all([openServices(), openServices({ content: "nothing" })]);
  await filled.addUser("alice", "depositor");
  const file = filled.file("records.ndjson", recordLines(MANY));
  await filled.importRecords({ model: "mst", file, owner: "alice", publish: true });
});
afterAll(() => Promise.all([filled.dispose(), empty.dispose()]));

/**
 * A service that has everything read elsewhere, and what of it it had read: kinds of questions.
 * @param late so many times reading a column takes longer than a search waits
 */
function openSearching(on: OpenServices, cacheBytes: number, late = 0) {
  const catalog = builtInCatalog();
  const clock = { nowMicros: () => Date.now() * 1000 };
  const options = { folder: dirname(on.file("any", "")), catalog, clock, searchTimeoutMs: 10_000 } as const;
  const loader = openSqlite({ ...options, role: "reader" });
  const asked: string[] = [];
  let lateness = late;
  let refused = 0;
  const load: ScanLoader = async (question, until) => {
    asked.push(question.kind);
    if (question.kind === "keys" && lateness-- > 0) throw fail("INDEX_LOADING");
    if (question.kind === "keys" && refused-- > 0) throw new Error("no such column");
    return loader.answer(question, until);
  };
  const { store, index, admin, close } = openSqlite({
    ...options,
    role: "reader",
    caches: makeCaches(() => cacheBytes),
    fewRows: 0,
    load,
  });
  const deps = { store, index, catalog };
  const services = makeServices({ ...deps, admin, clock, random: { bytes: (count) => new Uint8Array(count) } });
  const refuse = (times: number): void => {
    refused = times;
  };
  return { deps, services, asked, loader, refuse, close: () => Promise.all([close(), loader.close()]) };
}

const columns = (kinds: readonly string[]): string[] =>
  kinds.filter((kind) => kind === "numbers" || kind === "keys").sort();

const PLAIN = { window: { size: 10 }, filters: {}, facetSize: 20, lang: "en", own: false };

describe("warmUp", () => {
  it("has all read that facets and quantities are counted and compared by", async () => {
    const { deps, services, asked, close } = openSearching(filled, 64 * 2 ** 20);
    let pauses = 0;
    await warmUp(deps, async () => void pauses++);
    expect(pauses).toBeGreaterThan(3);
    const before = asked.length;
    expect(columns(asked)).toContain("numbers");
    expect((await services.searchRecords(ANONYMOUS, PLAIN)).total).toBe(MANY);
    expect((await services.searchRecords(ANONYMOUS, { ...PLAIN, model: "mst" })).aggregations).toBeDefined();
    await services.searchRecords(ANONYMOUS, { ...PLAIN, model: "mst", q: "kd:<1 uM" });
    expect(asked.slice(before)).toEqual([]);
    await close();
  });

  it("asks again for what takes longer to read than a search waits, which is no error", async () => {
    const { deps, services, asked, close } = openSearching(filled, 64 * 2 ** 20, 3);
    await warmUp(deps, async () => undefined);
    const before = asked.length;
    await services.searchRecords(ANONYMOUS, { ...PLAIN, model: "mst", q: "kd:<1 uM" });
    expect(asked.slice(before)).toEqual([]);
    await close();
  });

  it("fails with what could not be read", async () => {
    const { deps, services, loader, close } = openSearching(filled, 64 * 2 ** 20);
    await services.searchRecords(ANONYMOUS, { ...PLAIN, facetSize: 0 });
    await loader.close();
    await expect(warmUp(deps, async () => undefined)).rejects.toThrow("not open");
    await close();
  });

  it("reads all else where something cannot be read", async () => {
    const { deps, services, asked, close, refuse } = openSearching(filled, 64 * 2 ** 20);
    refuse(1);
    await expect(warmUp(deps, async () => undefined)).rejects.toThrow("no such column");
    await warmUp(deps, async () => undefined);
    const before = asked.length;
    await services.searchRecords(ANONYMOUS, { ...PLAIN, model: "mst", q: "kd:<1 uM" });
    expect(asked.slice(before)).toEqual([]);
    await close();
  });

  it("ends where a pause is rejected", async () => {
    const { deps, close } = openSearching(filled, 64 * 2 ** 20, 1_000);
    let pauses = 0;
    const pause = async (): Promise<void> => {
      if (++pauses > 5) throw new Error("The thread ends.");
    };
    await expect(warmUp(deps, pause)).rejects.toThrow("The thread ends.");
    expect(pauses).toBe(7);
    await close();
  });

  it("reads nothing where there is no room, or nothing to search", async () => {
    const small = openSearching(filled, 0);
    await warmUp(small.deps, async () => undefined);
    expect(columns(small.asked)).toEqual([]);
    await small.close();
    const none = openSearching(empty, 64 * 2 ** 20);
    await warmUp(none.deps, async () => expect.fail("There is nothing to ask."));
    expect(columns(none.asked)).toEqual([]);
    await none.close();
  });
});
