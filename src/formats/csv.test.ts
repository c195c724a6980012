import fc from "fast-check";
import { expect, it } from "vitest";
import { csvDialect, csvLine } from "./csv.js";

it("quotes what has commas, quotes, line ends or blanks at an end", () => {
  expect(csvLine(["a", "b,c", 'd"e', "f\ng", " h", "", undefined, 1e-9])).toBe('a,"b,c","d""e","f\ng"," h",,,1e-9\r\n');
});

it.each(["=1+1", "+1", "-cmd", "@x", "\t=1", " =1", "＝1"])("keeps a spreadsheet from running %j", (text) => {
  expect(csvLine([text]).replaceAll('"', "").startsWith("'")).toBe(true);
});

it("leaves numbers numbers, also negative ones", () => {
  expect(csvLine([-1, 2.5])).toBe("-1,2.5\r\n");
});

it.each([
  [undefined, '0.5,-1.5e-9,12345678.901234567,a;b,"a,b","0,5",1.5\r\n'],
  ["semicolon", '0,5;-1,5e-9;12345678,901234567;"a;b";a,b;0,5;1.5\r\n'],
  ["comma", '0.5,-1.5e-9,12345678.901234567,a;b,"a,b","0,5",1.5\r\n'],
] as const)(
  "writes numbers with a decimal mark that is not the separator, and texts as they are: %s",
  (excel, line) => {
    const values = [0.5, -1.5e-9, 12345678.901234567, "a;b", "a,b", "0,5", "1.5"];
    expect(csvLine(values, csvDialect(excel))).toBe(line);
  },
);

it("gives back any text", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (texts) => {
      const read = readLine(csvLine(texts));
      expect(read.map((text, i) => (text === `'${texts[i]}` ? texts[i] : text))).toEqual(texts);
    }),
  );
});

/** The cells of one line, by RFC 4180. */
function readLine(line: string): readonly string[] {
  const body = line.slice(0, -2);
  const cells = [...`${body},`.matchAll(/("(?:[^"]|"")*"|[^",]*),/g)].map(([, cell]) => cell!);
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}
