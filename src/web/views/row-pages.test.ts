import { describe, expect, it } from "vitest";
import { RowPages } from "./row-pages.js";

const ROOTS = ["metadata.", "metadata.general_parameters."];
const RESULTS = "/metadata/general_parameters/results";
const rowsOf = (search: string, elements = 50) =>
  new RowPages(
    { elements, members: Number.POSITIVE_INFINITY },
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
    expect(rowsOf(search).firstShownIndex(RESULTS, 300)).toBe(start);
  });

  it("lead to each other, and keep the pages of other lists", () => {
    const rows = rowsOf("rows.results=2&rows.method_specific_parameters.measurements.3.samples=4");
    const others = "rows.method_specific_parameters.measurements.3.samples=4";
    expect(rows.pageOf(RESULTS, 300, 50)).toEqual({
      first: 51,
      last: 100,
      length: 300,
      previous: `records/aaaaa-bbbbb?${others}#${RESULTS}`,
      next: `records/aaaaa-bbbbb?rows.results=3&${others}#${RESULTS}`,
    });
    expect(rowsOf("rows.results=6").pageOf(RESULTS, 300, 50).next).toBeUndefined();
  });

  it("have the size that the record needs", () => {
    const rows = rowsOf("rows.results=2", 10);
    expect(rows.firstShownIndex(RESULTS, 300)).toBe(10);
    expect(rows.pageOf(RESULTS, 300, 10)).toMatchObject({ first: 11, last: 20 });
    expect(rowsOf("rows.results=31", 10).firstShownIndex(RESULTS, 300)).toBe(290);
  });

  const results = Array.from({ length: 300 }, (_, i) => ({ id: `r${i}`, "a/b": [{ id: "x" }] }));
  const measurements = Array.from({ length: 120 }, () => ({ samples: Array.from({ length: 70 }, (_, i) => ({ i })) }));
  const general_parameters = { results };
  const body = { metadata: { general_parameters, method_specific_parameters: { measurements } } };
  const MEASURED = "/metadata/method_specific_parameters/measurements";
  it.each([
    ["rows.results=2", `${RESULTS}/60`, undefined],
    ["rows.results=2", `${RESULTS}/60/a~1b/0`, undefined],
    ["rows.results=2", `${RESULTS}/0`, ""],
    ["rows.results=2", `${RESULTS}/299`, "?rows.results=6"],
    ["rows.results=2", `${RESULTS}/299/a~1b/0`, "?rows.results=6"],
    ["", `${MEASURED}/3/samples/49`, undefined],
    ["", `${MEASURED}/3/samples/50`, "?rows.method_specific_parameters.measurements.3.samples=2"],
    [
      "rows.results=2",
      `${MEASURED}/99/samples/69`,
      "?rows.results=2&rows.method_specific_parameters.measurements=2" +
        "&rows.method_specific_parameters.measurements.99.samples=2",
    ],
    ["rows.method_specific_parameters.measurements=2", `${MEASURED}/3/samples/1`, ""],
    ["rows.method_specific_parameters.measurements=2", `${MEASURED}/99/samples/1`, undefined],
  ])("of %s have the address of %s: %s", (search, pointer, query) => {
    const address = query === undefined ? undefined : `records/aaaaa-bbbbb${query}#${pointer}`;
    expect(rowsOf(search).elsewhere(pointer, body)).toBe(address);
  });
});
