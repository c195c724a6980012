import { describe, expect, it } from "vitest";
import { makeAskedBefore } from "./asked-before.js";

const MANY = 16_384;

describe("what was asked before", () => {
  it("is known from the second time on", () => {
    const askedBefore = makeAskedBefore();
    expect([askedBefore("/a"), askedBefore("/b"), askedBefore("/a"), askedBefore("/a")]).toEqual([
      ...[false, false],
      ...[true, true],
    ]);
  });

  it("is known after many others, and forgotten after twice as many", () => {
    const askedBefore = makeAskedBefore();
    const askOthers = (from: number): void => {
      for (let i = 0; i < MANY; i++) askedBefore(`/other/${from + i}`);
    };
    askedBefore("/a");
    askOthers(0);
    expect(askedBefore("/a")).toBe(true);
    askOthers(MANY);
    askOthers(2 * MANY);
    expect(askedBefore("/a")).toBe(false);
  });
});
