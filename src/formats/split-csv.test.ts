import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../core/limits.js";
import { csvLine, textOfCell } from "./csv.js";
import { type CsvRow, splitCsv } from "./split-csv.js";

async function* inPieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function rowsOf(text: string, length = text.length || 1): Promise<readonly CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of splitCsv(inPieces(text, length))) rows.push(row);
  return rows;
}

it("reads cells with commas, quotes and line ends, and says on which line each row begins", async () => {
  const text = 'a,b\r\n"x,y","say ""hi"""\n\n"two\nlines",""\rlast,\n';
  const rows = [
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["x,y", 'say "hi"'] },
    { line: 4, cells: ["two\nlines", ""] },
    { line: 6, cells: ["last", ""] },
  ];
  for (const length of [1, 2, 3, text.length]) expect(await rowsOf(text, length), String(length)).toEqual(rows);
});

it("needs no line end after the last row, and finds none in an empty file", async () => {
  expect(await rowsOf("a,b\n1,2")).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["1", "2"] },
  ]);
  expect(await rowsOf("")).toEqual([]);
  expect(await rowsOf("\n\r\n")).toEqual([]);
  expect(await rowsOf('""')).toEqual([{ line: 1, cells: [""] }]);
});

it.each([
  ['a\nb,"c', 2, /^column 2: the quote that begins the cell has no quote that ends it/],
  ['a,b"c\n', 1, /^column 2: there is a quote inside a cell/],
  ['a\n"b" ,c\n', 2, /^column 1: there is text after the quote/],
])("says where %j cannot be read on", async (text, line, reason) => {
  for (const length of [1, text.length]) {
    const last = (await rowsOf(text, length)).at(-1);
    expect(last).toMatchObject({ line, isEnd: true, reason: expect.stringMatching(reason) });
  }
});

it("keeps no row in memory that is longer than a document may be", async () => {
  const endless = async function* (): AsyncGenerator<string> {
    yield 'a\n"';
    for (;;) yield "x".repeat(LIMITS.documentLengthMax / 4);
  };
  const rows: CsvRow[] = [];
  for await (const row of splitCsv(endless())) rows.push(row);
  expect(rows.at(-1)).toMatchObject({ line: 2, isEnd: true, reason: expect.stringContaining("is a quote missing?") });
});

it("gives back whatever was written, formulas too, however it is cut", async () => {
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[\s'=+@"\-,a]{0,6}$/));
  const rows = fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (some, length) => {
      const read = await rowsOf(some.map((values) => csvLine(values)).join(""), length);
      expect(read.map((row) => "cells" in row && row.cells.map(textOfCell))).toEqual(some);
    }),
  );
});
