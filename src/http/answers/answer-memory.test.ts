import { describe, expect, it } from "vitest";
import { isPlace, makeAnswerMemory, releasePlace } from "./answer-memory.js";

const PLACE_BYTES = 1024 * 1024;

describe("memory of answers", () => {
  it("is lent to one answer at a time, and again once it is given back", () => {
    const memory = makeAnswerMemory();
    const taken = Array.from({ length: 16 }, () => memory.take(PLACE_BYTES));
    expect(taken.every(isPlace)).toBe(true);
    for (const [i, bytes] of taken.entries()) bytes.fill(i);
    expect(taken.every((bytes, i) => Buffer.alloc(PLACE_BYTES, i).equals(bytes))).toBe(true);
    expect(isPlace(memory.take(1))).toBe(false);

    releasePlace(taken[5]!);
    const again = memory.take(10);
    expect([again.byteOffset, again.length]).toEqual([taken[5]!.byteOffset, 10]);
    expect(isPlace(memory.take(1))).toBe(false);
  });

  it("is the answer's own where it is long", () => {
    const bytes = makeAnswerMemory().take(PLACE_BYTES + 1);
    expect([bytes.length, isPlace(bytes)]).toEqual([PLACE_BYTES + 1, false]);
  });

  it("is shared with the thread that it is sent to", () => {
    const memory = makeAnswerMemory();
    const bytes = memory.take(3);
    const sent = structuredClone(bytes);
    bytes.set([1, 2, 3]);
    expect([...sent]).toEqual([1, 2, 3]);
    releasePlace(sent);
    expect(memory.take(3).byteOffset).toBe(bytes.byteOffset);
  });
});
