import { describe, expect, it } from "vitest";
import { fail } from "../../core/errors.js";
import { emptyIfUnavailable, isTooSlow } from "./index-availability.js";

const COSTLY = fail("QUERY_TOO_COSTLY", { clause: "a" });
const LOADING = fail("INDEX_LOADING");
const UNAVAILABLE = fail("SEARCH_UNAVAILABLE", { reason: "gone" });

describe("isTooSlow", () => {
  it("is true for searches that take too long, and for data that take too long to load", () => {
    expect([COSTLY, LOADING, UNAVAILABLE, new TypeError("a mistake")].map(isTooSlow)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("emptyIfUnavailable", () => {
  it.each([COSTLY, LOADING, UNAVAILABLE])("returns nothing for $code", (error) => {
    expect(emptyIfUnavailable(error)).toEqual({ hits: [], total: undefined });
  });

  it("throws any other error", () => {
    expect(() => emptyIfUnavailable(new TypeError("a mistake"))).toThrow("a mistake");
  });
});
