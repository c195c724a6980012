import { expect, it } from "vitest";
import { makeSingleFlight } from "./caches.js";

it("runs equal work once while it runs, and again afterwards, also after an error", async () => {
  const once = makeSingleFlight();
  const runs: string[] = [];
  const work = (name: string, error?: Error) => async (): Promise<string> => {
    runs.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    if (error !== undefined) throw error;
    return name;
  };
  expect(await Promise.all([once("a", work("a")), once("a", work("never")), once("b", work("b"))])).toEqual([
    "a",
    "a",
    "b",
  ]);
  const failing = [once("a", work("fails", new Error("no"))), once("a", work("never"))];
  for (const each of failing) await expect(each).rejects.toThrow("no");
  expect(await once("a", work("again"))).toBe("again");
  expect(runs).toEqual(["a", "b", "fails", "again"]);
});
