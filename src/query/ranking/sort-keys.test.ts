import { describe, expect, it } from "vitest";
import {
  rankedTermKey,
  readRankedTermKey,
  readRecordSortKey,
  readSortedTermKey,
  recordSortKey,
  type TermPlace,
} from "./sort-keys.js";

const invalid = expect.objectContaining({ code: "CURSOR_INVALID" });

describe("keys of hits", () => {
  it("are read as they were written", () => {
    for (const sort of ["bestmatch", "newest"]) {
      const place = { step: sort === "bestmatch" ? 4 : 0, row: 17 };
      expect(readRecordSortKey(recordSortKey(place, sort), sort)).toEqual(place);
    }
    const place: TermPlace = { step: 5, status: 1, cited: 3, prior: 2, length: 8, ext: "cid:962" };
    expect(readRankedTermKey(rankedTermKey(place))).toEqual(place);
    expect(readSortedTermKey(["water"], "title")).toEqual(["water"]);
    expect(readSortedTermKey([5, "cid:962"], "oldest")).toEqual([5, "cid:962"]);
  });

  it("are refused where they are of another order", () => {
    expect(() => readRecordSortKey([1], "bestmatch")).toThrow(invalid);
    expect(() => readRecordSortKey(["a"], "newest")).toThrow(invalid);
    expect(() => readRankedTermKey([1, 0, 0, 0, 5])).toThrow(invalid);
    expect(() => readRankedTermKey(["water"])).toThrow(invalid);
    expect(() => readSortedTermKey(["water"], "newest")).toThrow(invalid);
    expect(() => readSortedTermKey([5, "cid:962"], "title")).toThrow(invalid);
  });
});
