import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hearBackground } from "../../../../test/support/background.js";
import { fail } from "../../../core/errors.js";
import { createDatabase, type Db, openDatabase } from "../connection/database.js";
import type { IndexScan } from "./index-scan.js";
import { buildAtOnce, type MadeParts, MissingParts, makeSearchRunner, type Steps } from "./missing-parts.js";
import { type LoadedScan, type ScanLoader, scanKey, scanPart } from "./scan-loading.js";

let folder: string;
let db: Db;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-missing-parts-"));
  createDatabase(folder);
  openDatabase(folder, "writer").close();
  db = openDatabase(folder, "reader");
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const name = (): string => "ph:7";

describe("a value that is built in steps", () => {
  /** Work that takes longer than a slice. */
  const work = (): void => {
    for (const end = performance.now() + 6; performance.now() < end; );
  };

  /** Counts how often a value is built, in three steps. */
  function countedSteps(said: string[] = []): { makeSteps: () => Steps<string>; built: () => number } {
    let times = 0;
    return {
      *makeSteps() {
        times += 1;
        for (const step of ["one", "two", "three"]) {
          work();
          said.push(step);
          yield;
        }
        return "made";
      },
      built: () => times,
    };
  }

  it("is built once for all searches that need it, while others are answered", async () => {
    const runner = makeSearchRunner(db);
    const said: string[] = [];
    const { makeSteps, built } = countedSteps(said);
    const search = ({ build }: MadeParts): string => build("part", makeSteps);
    const both = Promise.all([runner.run(search, name), runner.run(search, name)]);
    const tick = (): void => {
      said.push("another");
      if (said.length < 20) setImmediate(tick);
    };
    setImmediate(tick);
    expect(await both).toEqual(["made", "made"]);
    expect(built()).toBe(1);
    for (const step of ["one", "two", "three"]) expect(said[said.indexOf(step) - 1]).toBe("another");
  });

  it("is built again for the next search, unless that keeps it", async () => {
    const runner = makeSearchRunner(db);
    const { makeSteps, built } = countedSteps();
    const search = ({ build }: MadeParts): string => build("part", makeSteps);
    for (const times of [1, 2]) {
      await runner.run(search, name);
      expect(built()).toBe(times);
    }
  });

  it("is looked for again if its data were removed meanwhile", async () => {
    const runner = makeSearchRunner(db);
    let generation = 1;
    const search = ({ build }: MadeParts): string => {
      const mine = generation;
      return build(`of ${mine}`, function* () {
        yield;
        if (mine === 1) generation = 2;
        return mine === generation ? `of generation ${mine}` : undefined;
      });
    };
    expect(await runner.run(search, name)).toBe("of generation 2");
  });

  it("fails for those who wait, and not for those who come later", async () => {
    const heard = hearBackground();
    const runner = makeSearchRunner(db, heard);
    let fails = true;
    const search = ({ build }: MadeParts): string =>
      build("part", function* () {
        yield;
        if (fails) throw new Error("It cannot be read.");
        return "made";
      });
    await expect(runner.run(search, name)).rejects.toThrow("It cannot be read.");
    expect(heard.last("index-load")).toMatchObject({ message: "It cannot be read." });
    fails = false;
    expect(await runner.run(search, name)).toBe("made");
    expect(heard.last("index-load")).toBe("success");
  });

  it("is the same if it is built at once", () => {
    expect(buildAtOnce("part", countedSteps().makeSteps)).toBe("made");
  });
});

const NUMBERS: IndexScan = { kind: "numbers", path: 1 };
const WORD: IndexScan = { kind: "records", matches: ["lysozyme"] };
const ANSWER: LoadedScan = { rows: Float64Array.of(1), seq: 1 };

/** Loader whose answers a test gives, with the scans that it received. */
function makeSlowLoader() {
  const ran: IndexScan[] = [];
  const pending: { resolve(answer: LoadedScan): void; reject(error: Error): void }[] = [];
  const load: ScanLoader = (scan) => {
    ran.push(scan);
    return new Promise((resolve, reject) => pending.push({ resolve, reject }));
  };
  return { load, ran, pending };
}

describe("a scan that another thread runs", () => {
  /** Returns a function that searches with the results of scans. */
  const searching = (load: ScanLoader, limitMs: number, heard = hearBackground()) => {
    const runner = makeSearchRunner(db, heard, limitMs);
    return (scans: readonly IndexScan[], words = name) =>
      runner.run((made) => {
        const missing = scans.filter((scan) => made.get(scanKey(scan)) === undefined);
        if (missing.length > 0) throw new MissingParts(missing.map((scan) => scanPart(scan, load)));
        return scans.map((scan) => made.get<LoadedScan>(scanKey(scan)));
      }, words);
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("runs once for all searches that wait for it, together with others, and again afterwards", async () => {
    const { load, ran, pending } = makeSlowLoader();
    const search = searching(load, 10_000);
    const both = [
      search([NUMBERS]),
      search([
        { kind: "numbers", path: 1 },
        { kind: "numbers", path: 2 },
      ]),
    ];
    await turn();
    expect(ran.map((scan) => "path" in scan && scan.path)).toEqual([1, 2]);
    for (const { resolve } of pending) resolve(ANSWER);
    expect(await Promise.all(both)).toEqual([[ANSWER], [ANSWER, ANSWER]]);
    const again = search([NUMBERS]);
    await turn();
    expect(ran).toHaveLength(3);
    pending[2]!.resolve(ANSWER);
    expect(await again).toEqual([ANSWER]);
  });

  it("passes a failure on to all that wait, and runs again afterwards", async () => {
    const { load, ran, pending } = makeSlowLoader();
    const heard = hearBackground();
    const search = searching(load, 10_000, heard);
    const both = Promise.allSettled([search([NUMBERS]), search([NUMBERS])]);
    await turn();
    pending[0]!.reject(fail("STORE_UNAVAILABLE", { reason: "gone" }));
    for (const one of await both) expect(one).toMatchObject({ reason: { code: "STORE_UNAVAILABLE" } });
    expect(heard.all("index-load")).toMatchObject([{ params: { reason: "gone" } }]);
    const again = search([NUMBERS]);
    await turn();
    expect(ran).toHaveLength(2);
    pending[1]!.resolve(ANSWER);
    expect(await again).toEqual([ANSWER]);
  });

  it("ends the waiting after its limit, with the words of each query", async () => {
    const search = searching(makeSlowLoader().load, 20);
    const both = await Promise.allSettled([search([WORD], () => "ph:7"), search([WORD], () => "ph:8")]);
    expect(both).toMatchObject([
      { reason: { code: "QUERY_TOO_COSTLY", params: { clause: "ph:7" } } },
      { reason: { code: "QUERY_TOO_COSTLY", params: { clause: "ph:8" } } },
    ]);
  });

  it("receives the time until which a search waits for a scan of its query", async () => {
    let until = 0;
    const search = searching(async (_, time) => {
      until = time;
      return ANSWER;
    }, 30_000);
    await search([WORD]);
    expect(until - Date.now()).toBeGreaterThan(20_000);
    expect(until - Date.now()).toBeLessThanOrEqual(30_000);
    await search([NUMBERS]);
    expect(until).toBe(Number.POSITIVE_INFINITY);
  });

  it("keeps values of all records that came too late for the next search, and no longer", async () => {
    const { load, ran, pending } = makeSlowLoader();
    const search = searching(load, 20);
    await expect(search([NUMBERS])).rejects.toMatchObject({ code: "INDEX_LOADING", status: 503 });
    pending[0]!.resolve(ANSWER);
    expect(await search([NUMBERS])).toEqual([ANSWER]);
    expect(ran).toHaveLength(1);
    const again = search([NUMBERS]);
    await turn();
    pending[1]!.resolve(ANSWER);
    await again;
    expect(ran).toHaveLength(2);
  });

  it("does not keep what a query asked for", async () => {
    const { load, ran, pending } = makeSlowLoader();
    const search = searching(load, 20);
    await expect(search([WORD])).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY" });
    pending[0]!.resolve(ANSWER);
    await turn();
    void search([WORD]).catch(() => undefined);
    await turn();
    expect(ran).toHaveLength(2);
  });
});
