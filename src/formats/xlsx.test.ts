import fc from "fast-check";
import { XmlDocument } from "libxml2-wasm";
import { describe, expect, it } from "vitest";
import { rowsIn, unzip } from "../../test/support/workbook.js";
import { type AboutLine, SHEET_ROWS_MAX, startXlsx, type XlsxCell, ZipWriter } from "./xlsx.js";

/** Writes a workbook in pieces of one row. */
function write(head: readonly string[], rows: readonly (readonly XlsxCell[])[], about: AboutLine = ["Date", "2026"]) {
  const xlsx = startXlsx(head, () => [about]);
  const pieces = [xlsx.open, ...rows.map((row) => xlsx.row(row))].map((text) => xlsx.pack(text, false));
  return unzip(Buffer.concat([...pieces, xlsx.pack(xlsx.close, true)]));
}

const SHEET = "xl/worksheets/sheet1.xml";

describe("a workbook", () => {
  it("has texts as texts and numbers as numbers, whatever they are", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    const cell = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }), (rows) => {
        const [head, ...read] = rowsIn(write(["a", "b", "c"], rows).get(SHEET)!);
        expect(head!.map(([, content]) => content)).toEqual(["a", "b", "c"]);
        const expected = rows.map((row) =>
          row.map((value) => {
            if (value === "") return ["n", ""];
            if (typeof value === "boolean") return ["b", String(Number(value))];
            return typeof value === "number" ? ["n", String(value)] : ["inlineStr", value];
          }),
        );
        // XML has no controls and reads other line ends as they are written.
        const plain = (value: unknown) =>
          JSON.stringify(value).replaceAll(/\\u00[01].|\\[bf]|\ufffd|\uffff|\ufffe/g, "?");
        expect(plain(read)).toBe(plain(expected));
      }),
    );
  });

  it.each(["=1+1", "+1", "-cmd", "@x", '=HYPERLINK("http://x","y")', "0012", "1e5", "_x000D_", " a "])(
    "never runs a text as a formula, nor changes it: %j",
    (text) => {
      const sheet = write(["a"], [[text]]).get(SHEET)!;
      expect(rowsIn(sheet)[1]).toEqual([["inlineStr", text]]);
      expect(sheet).not.toContain("<f");
    },
  );

  it("has a head that stays in view, a sheet about it, and all that it names", () => {
    const files = write(["a", "b"], [[1, undefined]], ["Query", "kd:<10nM & <x>"]);
    expect(files.get(SHEET)).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(rowsIn(files.get("xl/worksheets/sheet2.xml")!)).toEqual([
      [
        ["inlineStr", "Query"],
        ["inlineStr", "kd:<10nM & <x>"],
      ],
    ]);
    const workbook = files.get("xl/workbook.xml")!;
    expect([...workbook.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name)).toEqual(["Data", "About"]);
    const targets = [...files.get("xl/_rels/workbook.xml.rels")!.matchAll(/Target="([^"]+)"/g)].map(
      ([, at]) => `xl/${at}`,
    );
    const types = [...files.get("[Content_Types].xml")!.matchAll(/PartName="\/([^"]+)"/g)].map(([, at]) => at);
    expect(targets.toSorted()).toEqual(types.filter((at) => at !== "xl/workbook.xml").toSorted());
    for (const each of types) expect([...files.keys()]).toContain(each);
    for (const text of files.values()) XmlDocument.fromString(text).dispose();
  });

  it("cuts a text that is too long for a cell between two characters, and says so", () => {
    const text = `${"x".repeat(32_764)}😀😀`;
    const files = write(["a", "b"], [[text, "y".repeat(32_767)]]);
    const [first, second] = rowsIn(files.get(SHEET)!)[1]!.map(([, content]) => content);
    expect(first).toBe(`${"x".repeat(32_764)} …`);
    expect(second).toBe("y".repeat(32_767));
    expect(rowsIn(files.get("xl/worksheets/sheet2.xml")!)[1]).toEqual([
      ["inlineStr", "Cut texts"],
      ["inlineStr", '1: a cell has at most 32,767 characters; a cut text ends with "…"'],
    ]);
    expect(rowsIn(write(["a"], [["z"]]).get("xl/worksheets/sheet2.xml")!)).toHaveLength(1);
  });

  it("has offsets of 64 bits in an archive above 4 GB", () => {
    const before = 2 ** 32;
    const zip = new ZipWriter(before);
    const bytes = Buffer.concat([...zip.add("a.txt", "alpha"), ...zip.add("b.txt", "beta"), zip.end()]);
    const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06"));
    expect(bytes.readUInt32LE(end + 16)).toBe(0xff_ff_ff_ff);
    // The locator leads to the end of the directory in 64 bits, this to the directory, and each entry to its file.
    expect(bytes.toString("latin1", end - 20, end - 16)).toBe("PK\x06\x07");
    const large = Number(bytes.readBigUInt64LE(end - 12)) - before;
    expect(bytes.toString("latin1", large, large + 4)).toBe("PK\x06\x06");
    expect(Number(bytes.readBigUInt64LE(large + 32))).toBe(2);
    let at = Number(bytes.readBigUInt64LE(large + 48)) - before;
    for (const name of ["a.txt", "b.txt"]) {
      expect(bytes.toString("latin1", at, at + 4)).toBe("PK\x01\x02");
      expect(bytes.readUInt32LE(at + 42)).toBe(0xff_ff_ff_ff);
      const file = Number(bytes.readBigUInt64LE(at + 46 + name.length + 4)) - before;
      expect(bytes.toString("latin1", file + 30, file + 30 + name.length)).toBe(name);
      at += 46 + name.length + bytes.readUInt16LE(at + 30);
    }
  });

  it("goes on with another sheet where one is full", () => {
    const xlsx = startXlsx(["n"], () => []);
    const chunks: Uint8Array[] = [];
    let text = xlsx.open;
    for (let i = 1; i <= SHEET_ROWS_MAX; i++) {
      text += xlsx.row([i]);
      if (i % 10_000 === 0) {
        chunks.push(xlsx.pack(text, false));
        text = "";
      }
    }
    chunks.push(xlsx.pack(text + xlsx.close, true));
    const files = unzip(Buffer.concat(chunks));
    const numbersIn = (sheet: string) => files.get(`xl/worksheets/${sheet}.xml`)!.match(/<v>\d+<\/v>/g)!;
    expect(numbersIn("sheet1")).toHaveLength(SHEET_ROWS_MAX - 1);
    expect(numbersIn("sheet2")).toEqual([`<v>${SHEET_ROWS_MAX}</v>`]);
    expect(rowsIn(files.get("xl/worksheets/sheet2.xml")!)[0]).toEqual([["inlineStr", "n"]]);
    expect(files.get("xl/workbook.xml")).toContain('name="Data 2"');
  }, 60_000);
});
