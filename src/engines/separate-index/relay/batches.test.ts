import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { inReadableParts, overlap } from "./batches.js";

describe("work that overlaps", () => {
  it("begins the next piece while one is under way, and tells of them in their order", async () => {
    const seen: string[] = [];
    async function* works() {
      for (const [n, ms] of [20, 1, 10].entries()) {
        yield async () => {
          seen.push(`begin ${n}`);
          await sleep(ms);
          seen.push(`end ${n}`);
          return n;
        };
      }
    }
    const done: number[] = [];
    await overlap(works(), (n) => void done.push(n));
    expect(done).toEqual([0, 1, 2]);
    expect(seen).toEqual(["begin 0", "begin 1", "end 1", "end 0", "begin 2", "end 2"]);
  });

  it("fails with the first error, when nothing is under way any more, and begins nothing after it", async () => {
    const seen: number[] = [];
    async function* works() {
      for (let n = 0; n < 5; n++) {
        yield async () => {
          await sleep(n === 1 ? 1 : 20);
          seen.push(n);
          if (n === 1) throw new Error("refused");
        };
      }
    }
    const done: unknown[] = [];
    const all = overlap(works(), (result) => void done.push(result));
    await expect(all).rejects.toThrow("refused");
    expect([done.length, seen]).toEqual([1, [1, 0, 2]]);
  });
});

it("reads no more bytes of bodies at once than may be, unless one record has more, nor too many records", async () => {
  const sizes = { a: 4, b: 4, c: 3, large: 99, d: 1, e: 1, f: 1, g: 1 };
  const view = {
    bodyBytes: async (ids: readonly string[]) => new Map(Object.entries(sizes).filter(([id]) => ids.includes(id))),
  };
  const parts: string[] = [];
  const ids = ["a", "b", "c", "large", "d", "gone", "e", "f", "g"];
  for await (const part of inReadableParts(view, ids, { records: 6, bytes: 10 })) parts.push(part.join(" "));
  expect(parts).toEqual(["a b", "c", "large", "d gone", "e f g"]);
});
