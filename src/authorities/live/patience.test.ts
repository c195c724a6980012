import { describe, expect, it } from "vitest";
import { CrowdedError, makeBreaker, makeGate, makePace, OpenCircuitError, retry } from "./patience.js";

const never = new AbortController().signal;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("a gate", () => {
  it("runs as many at once as it may, the others in their order, and refuses what is too much", async () => {
    const gate = makeGate(2, 3);
    const began: number[] = [];
    const ends: (() => void)[] = [];
    const run = (n: number) =>
      gate(async () => {
        began.push(n);
        await new Promise<void>((resolve) => ends.push(resolve));
        return n;
      }, never);
    const all = [1, 2, 3, 4, 5].map(run);
    await expect(run(6)).rejects.toThrow(CrowdedError);
    expect(began).toEqual([1, 2]);
    for (let i = 0; i < 5; i++) {
      ends[i]!();
      await pause(0);
    }
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
    expect(began).toEqual([1, 2, 3, 4, 5]);
    const again = run(7);
    await pause(0);
    ends[5]!();
    expect(await again).toBe(7);
  });

  it("lets go whoever waited too long, and gives the place of one that failed to the next", async () => {
    const gate = makeGate(1, 3);
    let fail = (): void => undefined;
    const first = gate(() => new Promise<void>((_, reject) => (fail = () => reject(new Error("it failed")))), never);
    const late = gate(async () => "late", AbortSignal.timeout(20));
    const last = gate(async () => "last", never);
    await expect(late).rejects.toThrow(CrowdedError);
    fail();
    await expect(first).rejects.toThrow("it failed");
    expect(await last).toBe("last");
  });
});

describe("a breaker", () => {
  const work = async (error?: Error): Promise<string> => {
    if (error !== undefined) throw error;
    return "done";
  };
  const fault = new Error("theirs");
  const other = new Error("ours");

  it("opens after failures in a row, lets one try after a while, and closes when it succeeds", async () => {
    const run = makeBreaker(2, 60, (error) => error === fault);
    for (const error of [fault, undefined, fault, other, fault]) await run(() => work(error)).catch(() => undefined);
    await expect(run(() => work())).rejects.toThrow(OpenCircuitError);
    await pause(70);
    let end = (): void => undefined;
    const trial = run(() => new Promise<void>((_, reject) => (end = () => reject(fault))));
    await expect(run(() => work())).rejects.toThrow(OpenCircuitError);
    end();
    await expect(trial).rejects.toBe(fault);
    await expect(run(() => work())).rejects.toThrow(OpenCircuitError);
    await pause(70);
    expect(await run(() => work())).toBe("done");
    await expect(run(() => work(fault))).rejects.toBe(fault);
    expect(await run(() => work())).toBe("done");
  });
});

it("tries again what is worth it, so often, and not after the signal", async () => {
  const attempts = (isWorth: boolean, signal = never): Promise<number> => {
    let count = 0;
    const work = async (): Promise<never> => {
      count += 1;
      throw new Error("no");
    };
    return retry(work, { max: 2, firstMs: 20, isWorth: () => isWorth }, signal).catch(() => count);
  };
  expect(await attempts(true)).toBe(3);
  expect(await attempts(false)).toBe(1);
  expect(await attempts(true, AbortSignal.abort())).toBe(1);
  expect(await attempts(true, AbortSignal.timeout(1))).toBe(1);
  const errors = ["first", "second"];
  const work = async (): Promise<never> => {
    if (errors.length === 1) await pause(60);
    throw new Error(errors.shift());
  };
  const late = retry(work, { max: 2, firstMs: 1, isWorth: () => true }, AbortSignal.timeout(40));
  await expect(late).rejects.toThrow("first");
});

it("paces", async () => {
  const pace = makePace(50);
  const began = performance.now();
  for (let i = 0; i < 4; i++) await pace(never);
  expect(performance.now() - began).toBeGreaterThan(55);
  await Promise.all([pace(never), expect(pace(AbortSignal.timeout(1))).rejects.toThrow(CrowdedError)]);
  await expect(pace(AbortSignal.abort())).rejects.toThrow(CrowdedError);
});
