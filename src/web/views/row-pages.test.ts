import { describe, expect, it } from "vitest";
import { RowPages } from "./row-pages.js";

const ROOTS = ["metadata.", "metadata.general_parameters."];
const RESULTS = "/metadata/general_parameters/results";
const rowsOf = (search: string) =>
  new RowPages(
    "records/aaaaa-bbbbb",
    new Map([...new URLSearchParams(search)].map(([name, text]) => [name, [text]])),
    ROOTS,
  );

describe("the pages of a long list", () => {
  it.each([
    ["", 0],
    ["rows.results=1", 0],
    ["rows.results=2", 50],
    ["rows.results=6", 250],
    ["rows.results=7", 250],
    ["rows.results=0", 0],
    ["rows.results=x", 0],
    ["rows.results=1e9", 0],
    ["rows.results=99999999", 0],
    ["rows.measurements=3", 0],
  ])("of %s begin with element %d of 300", (search, start) => {
    expect(rowsOf(search).startOf(RESULTS, 300)).toBe(start);
  });

  it("lead to each other, and keep the pages of other lists", () => {
    const rows = rowsOf("rows.results=2&rows.method_specific_parameters.measurements.3.samples=4");
    const others = "rows.method_specific_parameters.measurements.3.samples=4";
    expect(rows.pageOf(RESULTS, 300, 50)).toEqual({
      ...{ first: 51, last: 100, length: 300 },
      previous: `records/aaaaa-bbbbb?${others}#${RESULTS}`,
      next: `records/aaaaa-bbbbb?rows.results=3&${others}#${RESULTS}`,
    });
    expect(rowsOf("rows.results=6").pageOf(RESULTS, 300, 50)).not.toHaveProperty("next");
  });

  it("have the address of each element", () => {
    const rows = rowsOf("rows.results=2");
    expect(rows.elsewhere(`${RESULTS}/60`, 300)).toBeUndefined();
    expect(rows.elsewhere(`${RESULTS}/0`, 300)).toBe(`records/aaaaa-bbbbb#${RESULTS}/0`);
    expect(rows.elsewhere(`${RESULTS}/299`, 300)).toBe(`records/aaaaa-bbbbb?rows.results=6#${RESULTS}/299`);
  });
});
