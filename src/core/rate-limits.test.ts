import { expect, it } from "vitest";
import { parseRateLimits, printRateLimits, RATE_LIMITS_DEFAULT, RATE_LIMITS_PATTERN } from "./rate-limits.js";

it("reads what it prints, and fills in what is left out", () => {
  expect(parseRateLimits(printRateLimits(RATE_LIMITS_DEFAULT))).toEqual(RATE_LIMITS_DEFAULT);
  expect(parseRateLimits("writes=5")).toEqual({ ...RATE_LIMITS_DEFAULT, writes: 5 });
  expect(parseRateLimits("searches=1,reads=2,writes=3")).toEqual({ reads: 2, searches: 1, writes: 3 });
  expect(parseRateLimits("off")).toBeUndefined();
});

it.each(["off", "reads=1", "reads=1,writes=2"])("takes %s", (text) => {
  expect(text).toMatch(new RegExp(RATE_LIMITS_PATTERN));
});

it.each(["", "on", "reads", "reads=0", "reads=-1", "reads=1,", "all=5", "reads=1;writes=2", "reads=1e3"])(
  "does not take %s",
  (text) => {
    expect(text).not.toMatch(new RegExp(RATE_LIMITS_PATTERN));
  },
);
