import { expect, it } from "vitest";
import { parseRateLimits, printRateLimits, RATE_LIMITS_DEFAULT, RATE_LIMITS_PATTERN } from "./rate-limits.js";

it("reads what it prints, and fills in what is left out", () => {
  expect(parseRateLimits(printRateLimits(RATE_LIMITS_DEFAULT))).toEqual(RATE_LIMITS_DEFAULT);
  const { users, anonymous } = RATE_LIMITS_DEFAULT;
  expect(parseRateLimits("writes=5")).toEqual({
    users: { ...users, writes: 5 },
    anonymous: { ...anonymous, writes: 5 },
  });
  const all = { reads: 2, searches: 1, writes: 3 };
  expect(parseRateLimits("searches=1,reads=2,writes=3")).toEqual({ users: all, anonymous: all });
  const generous = parseRateLimits("anonymous-searches=50000");
  expect(generous).toEqual({ users, anonymous: { ...anonymous, searches: 50_000 } });
  expect(parseRateLimits("off")).toBeUndefined();
});

it.each(["off", "reads=1", "reads=1,writes=2", "anonymous-searches=5,reads=7"])("takes %s", (text) => {
  expect(text).toMatch(new RegExp(RATE_LIMITS_PATTERN));
});

it.each([
  "",
  "on",
  "reads",
  "reads=0",
  "reads=-1",
  "reads=1,",
  "all=5",
  "reads=1;writes=2",
  "reads=1e3",
  "anonymous=1",
])("does not take %s", (text) => {
  expect(text).not.toMatch(new RegExp(RATE_LIMITS_PATTERN));
});
