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

  it("goes on with one piece of long work in each turn", async () => {
    const order: string[] = [];
    const long = async (name: string): Promise<void> => {
      const slices = startSlices(0);
      for (let i = 0; i < 2; i++) {
        await slices.pause();
        order.push(name);
        work(6);
      }
    };
    const tick = (): void => {
      order.push("-");
      if (order.length < 12) setImmediate(tick);
    };
    setImmediate(tick);
    await Promise.all([long("a"), long("b")]);
    expect(order.join(" ")).toContain("a - b - a - b");
  });
});
