import { expect, it } from "vitest";
import { SeenIds } from "./check-lines.js";

it("tells the line on which each of many ids stood first", () => {
  const seen = new SeenIds();
  const count = 100_000;
  let wrong = 0;
  for (let i = 1; i <= count; i++) if (seen.add(`taxid:${i}`, i) !== undefined) wrong++;
  for (let i = 1; i <= count; i++) if (seen.add(`taxid:${i}`, count + i) !== i) wrong++;
  expect(wrong).toBe(0);
  expect(seen.add("taxid:x", 3)).toBeUndefined();
});
