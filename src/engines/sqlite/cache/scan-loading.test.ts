import { describe, expect, it } from "vitest";
import { hearBackground } from "../../../../test/support/background.js";
import { fail } from "../../../core/errors.js";
import type { IndexScan } from "./index-scan.js";
import { type ScanLoader, singleFlight } from "./scan-loading.js";
import type { LoadedScan } from "./snapshot-cache.js";

const NUMBERS: IndexScan = { kind: "numbers", path: 1 };
const WORD: IndexScan = { kind: "records", matches: ["lysozyme"] };
const ANSWER: LoadedScan = { rows: Float64Array.of(1), seq: 1 };
const name = () => "ph:7";

/** A loader that answers when it is told to, and tells what it was asked for. */
function makeSlowLoader() {
  const ran: IndexScan[] = [];
  const pending: { resolve(answer: LoadedScan): void; reject(error: Error): void }[] = [];
  const load: ScanLoader = (scan) => {
    ran.push(scan);
    return new Promise((resolve, reject) => pending.push({ resolve, reject }));
  };
  return { load, ran, pending };
}

describe("singleFlight", () => {
  it("runs a scan once for all that wait for it, and again afterwards", async () => {
    const { load, ran, pending } = makeSlowLoader();
    const loads = singleFlight(load, 10_000);
    const both = [loads(NUMBERS, name), loads({ kind: "numbers", path: 1 }, name)];
    const other = loads({ kind: "numbers", path: 2 }, name);
    expect(ran.map((scan) => "path" in scan && scan.path)).toEqual([1, 2]);
    for (const { resolve } of pending) resolve(ANSWER);
    expect(await Promise.all([...both, other])).toEqual([ANSWER, ANSWER, ANSWER]);
    const again = loads(NUMBERS, name);
    expect(ran).toHaveLength(3);
    pending[2]!.resolve(ANSWER);
    expect(await again).toBe(ANSWER);
  });

  it("passes a failure on to all that wait, and runs it again afterwards", async () => {
    const { load, ran, pending } = makeSlowLoader();
    const heard = hearBackground();
    const loads = singleFlight(load, 10_000, heard);
    const both = [loads(NUMBERS, name), loads(NUMBERS, name)];
    pending[0]!.reject(fail("STORE_UNAVAILABLE", { reason: "gone" }));
    for (const one of both) await expect(one).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(heard.all("index-load")).toMatchObject([{ params: { reason: "gone" } }]);
    const again = loads(NUMBERS, name);
    expect(ran).toHaveLength(2);
    pending[1]!.resolve(ANSWER);
    expect(await again).toBe(ANSWER);
  });

  it("ends the waiting after its limit, with the words of each query", async () => {
    const { load } = makeSlowLoader();
    const loads = singleFlight(load, 20);
    const both = [loads(WORD, () => "ph:7"), loads(WORD, () => "ph:8")];
    await expect(both[0]).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY", params: { clause: "ph:7" } });
    await expect(both[1]).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY", params: { clause: "ph:8" } });
  });

  it("says until when somebody waits for what a query asks for", async () => {
    let until = 0;
    const loads = singleFlight(async (_, time) => {
      until = time;
      return ANSWER;
    }, 30_000);
    await loads(WORD, name);
    expect(until - Date.now()).toBeGreaterThan(20_000);
    expect(until - Date.now()).toBeLessThanOrEqual(30_000);
    await loads(NUMBERS, name);
    expect(until).toBe(Number.POSITIVE_INFINITY);
  });

  it("keeps values of all records that came too late for the next who asks, and no longer", async () => {
    const { load, ran, pending } = makeSlowLoader();
    const loads = singleFlight(load, 20);
    await expect(loads(NUMBERS, name)).rejects.toMatchObject({ code: "INDEX_LOADING", status: 503 });
    pending[0]!.resolve(ANSWER);
    expect(await loads(NUMBERS, name)).toBe(ANSWER);
    expect(ran).toHaveLength(1);
    const anew = loads(NUMBERS, name);
    pending[1]!.resolve(ANSWER);
    await anew;
    expect(ran).toHaveLength(2);
  });

  it("does not keep what a query asked for", async () => {
    const { load, ran, pending } = makeSlowLoader();
    const loads = singleFlight(load, 20);
    await expect(loads(WORD, name)).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY" });
    pending[0]!.resolve(ANSWER);
    await Promise.resolve();
    void loads(WORD, name).catch(() => undefined);
    expect(ran).toHaveLength(2);
  });
});
