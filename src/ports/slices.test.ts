import { describe, expect, it } from "vitest";
import { startSlices } from "./slices.js";

const work = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

describe("work in slices", () => {
  it("lets others have their turn when a slice is over, and goes on at once before", async () => {
    const slices = startSlices();
    const order: string[] = [];
    setImmediate(() => order.push("another"));
    await slices.pause();
    order.push("first slice");
    work(6);
    await slices.pause();
    order.push("second slice");
    setImmediate(() => order.push("one more"));
    await slices.pause();
    order.push("still the second slice");
    expect(order).toEqual(["first slice", "another", "second slice", "still the second slice"]);
  });
});
