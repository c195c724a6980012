import { describe, expect, it } from "vitest";
import { askTogether } from "./ask-together.js";

describe("questions that are asked together", () => {
  const asked: (readonly number[])[] = [];
  const double = askTogether(async (numbers: readonly number[]) => {
    asked.push(numbers);
    if (numbers.includes(0)) throw new Error("Nothing");
    return numbers.map((number) => 2 * number);
  });

  it("are one request, and each gets its own answer", async () => {
    expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6]);
    expect(await double(4)).toBe(8);
    expect(asked).toEqual([[1, 2, 3], [4]]);
  });

  it("fail together, and the next ones are asked anew", async () => {
    const failed = await Promise.allSettled([double(1), double(0)]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await double(5)).toBe(10);
  });
});
