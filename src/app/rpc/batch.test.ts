import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { type Batch, makeBatch } from "./batch.js";

describe("a batch", () => {
  let sent: (readonly number[])[];
  let refused: number[];
  let batch: Batch<number>;

  beforeEach(() => {
    sent = [];
    refused = [];
    batch = makeBatch<number>(
      (items) => {
        if (items.some((item) => item < 0)) throw new Error("A negative number cannot be sent.");
        sent.push(items);
      },
      (item) => refused.push(item),
    );
  });

  it("is what was added in one turn of the event loop, in order", async () => {
    batch.add(1);
    batch.add(2);
    expect(sent).toEqual([]);
    await nextTurn();
    batch.add(3);
    await nextTurn();
    expect(sent).toEqual([[1, 2], [3]]);
  });

  it("is sent at once where that is asked for, and not again", async () => {
    batch.add(1);
    batch.flush();
    expect(sent).toEqual([[1]]);
    await nextTurn();
    batch.flush();
    expect(sent).toEqual([[1]]);
  });

  it("is sent early only where it waits for long enough", () => {
    batch.add(1);
    batch.flush(10_000);
    expect(sent).toEqual([]);
    const end = performance.now() + 2;
    while (performance.now() < end);
    batch.flush(1);
    expect(sent).toEqual([[1]]);
  });

  it("is forgotten where nobody hears it any more", async () => {
    batch.add(1);
    batch.drop();
    await nextTurn();
    expect(sent).toEqual([]);
  });

  it("loses only what cannot be sent", async () => {
    for (const item of [1, -2, 3]) batch.add(item);
    await nextTurn();
    expect(sent).toEqual([[1], [3]]);
    expect(refused).toEqual([-2]);
  });
});
