/** Workbooks of Office Open XML (ECMA-376), written as a stream: the sheets are a zip archive of XML files. */
import { constants, deflateRawSync } from "node:zlib";
import { crc32OfBytes } from "../core/crc32.js";
import { element, Xml, xml } from "./xml.js";

/** Media type of workbooks. */
export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Maximum number of rows of a sheet, with its head. Further rows follow on further sheets. */
export const SHEET_ROWS_MAX = 1_048_576;

/** Maximum length of the text of a cell in UTF-16 units. Longer texts are cut, and end with `CUT`. */
const CELL_LENGTH_MAX = 32_767;

/** End of a text that was cut. */
const CUT = " …";

/** Maximum length of the XML of a sheet, so that its size in UTF-8 fits into 32 bits. */
const SHEET_LENGTH_MAX = 1_000_000_000;

/** Separates the sheets in the text of a workbook. XML does not allow this character. */
const NEXT_SHEET = "\f";

/** Value of a cell. Undefined: the cell is empty. */
export type XlsxCell = string | number | boolean | undefined;

/** Name and value of a fact about a workbook. */
export type AboutLine = readonly [name: string, value: string];

/** A workbook with one table. Its text is made row by row, and packed piece by piece. */
export interface Xlsx {
  /** XML of the beginning of the first sheet, with the head of the table. */
  readonly open: string;
  /** XML of the end of the last sheet. */
  readonly close: string;
  /** Returns the XML of a row. If the row begins another sheet, the XML also ends the previous sheet. */
  row(cells: readonly XlsxCell[]): string;
  /** Returns the bytes of the archive for the next piece of the text. @param isLast whether the text ends with it */
  pack(text: string, isLast: boolean): Uint8Array;
}

/**
 * Starts a workbook. Texts are never formulas, because their cells have the type of texts.
 * @param head names of the columns; they stay in view while the sheet scrolls
 * @param about returns the lines of the sheet "About", the last one, when the table is complete
 */
export function startXlsx(head: readonly string[], about: () => readonly AboutLine[]): Xlsx {
  const open = openSheet(head.length) + rowXml(head, BOLD);
  const zip = new ZipWriter();
  let [rows, length, sheets, cuts] = [1, open.length, 0, 0];
  const finish = (): Uint8Array[] => {
    const names = [...Array.from({ length: sheets }, (_, i) => (i === 0 ? "Data" : `Data ${i + 1}`)), "About"];
    const lines = [...about(), ...(cuts === 0 ? [] : [cutLine(cuts)])].map((line) => rowXml(line)).join("");
    const parts = {
      [sheetPath(names.length)]: `${openSheet(2, false)}${lines}${CLOSE_SHEET}`,
      ...workbookParts(names),
    };
    return [...Object.entries(parts).flatMap(([name, text]) => zip.add(name, text)), zip.end()];
  };
  return {
    open,
    close: CLOSE_SHEET,
    row(cells) {
      const written = rowXml(cells);
      for (const cell of cells) if (typeof cell === "string" && cell.length > CELL_LENGTH_MAX) cuts += 1;
      rows += 1;
      length += written.length;
      if (rows <= SHEET_ROWS_MAX && length <= SHEET_LENGTH_MAX) return written;
      [rows, length] = [2, open.length + written.length];
      return CLOSE_SHEET + NEXT_SHEET + open + written;
    },
    pack(text, isLast) {
      const [first = "", ...others] = text.split(NEXT_SHEET);
      const begin = (sheet: string): Uint8Array[] => [...zip.begin(sheetPath(++sheets)), ...zip.write(sheet)];
      const start = sheets === 0 ? begin(first) : zip.write(first);
      const next = others.flatMap((sheet) => [...zip.close(), ...begin(sheet)]);
      return Buffer.concat([...start, ...next, ...(isLast ? [...zip.close(), ...finish()] : [])]);
    },
  };
}

/** Returns the line of the sheet "About" that says how many texts were cut. */
const cutLine = (count: number): AboutLine => [
  "Cut texts",
  `${count}: a cell has at most ${CELL_LENGTH_MAX.toLocaleString("en")} characters; a cut text ends with "…"`,
];

const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`;

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/** Number of the style of cells in bold. */
const BOLD = 1;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const CLOSE_SHEET = "</sheetData></worksheet>";

/** Returns the beginning of a sheet. @param isFrozen whether its first row stays in view */
function openSheet(columns: number, isFrozen = true): string {
  const pane = xml`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>`;
  const view = xml`<sheetViews><sheetView workbookViewId="0">${isFrozen ? pane : ""}</sheetView></sheetViews>`;
  const widths = xml`<cols><col min="1" max="${Math.max(1, columns)}" width="18" customWidth="1"/></cols>`;
  return `${DECLARATION}<worksheet xmlns="${MAIN}">${view.text}${widths.text}<sheetData>`;
}

/** Returns the XML of a row. Cells have no addresses: each follows the one before it. */
function rowXml(cells: readonly XlsxCell[], style?: number): string {
  const written = cells.map((cell) => {
    const s = style === undefined ? "" : ` s="${style}"`;
    if (typeof cell === "number" && Number.isFinite(cell)) return `<c${s}><v>${cell}</v></c>`;
    if (typeof cell === "boolean") return `<c${s} t="b"><v>${Number(cell)}</v></c>`;
    if (cell === undefined || cell === "") return "<c/>";
    return `<c${s} t="inlineStr"><is>${textXml(String(cell)).text}</is></c>`;
  });
  return `<row>${written.join("")}</row>`;
}

/** Readers decode `_x000D_` as a character, so that a text with such a part needs an escape. */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** Cuts a text that is too long for a cell, between two characters. */
function cutText(text: string): string {
  if (text.length <= CELL_LENGTH_MAX) return text;
  const end = CELL_LENGTH_MAX - CUT.length;
  const isSplit = /[\uD800-\uDBFF]$/.test(text.slice(end - 1, end));
  return text.slice(0, isSplit ? end - 1 : end) + CUT;
}

const textXml = (text: string): Xml =>
  element("t", { "xml:space": "preserve" }, cutText(text).replaceAll(ESCAPE, "_x005F_"));

/** Returns the files that name the sheets, relate them and declare the style of the head. */
function workbookParts(sheets: readonly string[]): Readonly<Record<string, string>> {
  const typeOf = (name: string): string => `application/vnd.openxmlformats-officedocument.spreadsheetml.${name}+xml`;
  const override = (path: string, name: string): Xml =>
    xml`<Override PartName="/${path}" ContentType="${typeOf(name)}"/>`;
  const relation = (id: string, kind: string, target: string): Xml =>
    xml`<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
  const relations = (...all: readonly (Xml | readonly Xml[])[]): Xml =>
    xml`<Relationships xmlns="${PACKAGE}/relationships">${all}</Relationships>`;
  const parts = {
    "xl/workbook.xml": xml`<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.map(
      (name, i) => xml`<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
    )}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      sheets.map((_, i) => relation(`rId${i + 1}`, "worksheet", `worksheets/sheet${i + 1}.xml`)),
      relation("rIdStyles", "styles", "styles.xml"),
    ),
    "xl/styles.xml": xml`<styleSheet xmlns="${MAIN}">${STYLES}</styleSheet>`,
    "_rels/.rels": relations(relation("rId1", "officeDocument", "xl/workbook.xml")),
    "[Content_Types].xml": xml`<Types xmlns="${PACKAGE}/content-types">${[
      xml`<Default Extension="rels" ContentType="${RELATIONS_TYPE}"/>`,
      override("xl/workbook.xml", "sheet.main"),
      override("xl/styles.xml", "styles"),
      ...sheets.map((_, i) => override(sheetPath(i + 1), "worksheet")),
    ]}</Types>`,
  };
  return Object.fromEntries(Object.entries(parts).map(([name, { text }]) => [name, DECLARATION + text]));
}

const RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml";

/** Styles of cells: the usual one, and bold. The fills and the border are those that readers expect. */
const STYLES = new Xml(
  [
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>',
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
    '<fills count="2"><fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>',
    '<cellXfs count="2"><xf xfId="0"/><xf fontId="1" applyFont="1" xfId="0"/></cellXfs>',
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  ].join(""),
);

/** A file of an archive. */
interface ZipEntry {
  readonly name: Buffer;
  readonly offset: number;
  crc: number;
  packedSize: number;
  size: number;
}

/** Version 2.0; sizes follow the data (bit 3); names are UTF-8 (bit 11); deflated. */
const [VERSION, FLAGS, DEFLATED] = [20, 0x808, 8];
/** 1 January 1980, the earliest date: the same data give the same bytes. */
const DATE = 0x21;

/**
 * Writes a zip archive (APPNOTE 6.3) of files below 4 GB in one pass: sizes and checksums follow each file. An archive
 * of 4 GB or more has its offsets in 64 bits.
 */
export class ZipWriter {
  readonly #entries: ZipEntry[] = [];
  #offset: number;

  /** @param offset number of bytes before the archive, which its offsets count */
  constructor(offset = 0) {
    this.#offset = offset;
  }

  /** Begins a file. */
  begin(name: string): Uint8Array[] {
    const entry = { name: Buffer.from(name), offset: this.#offset, crc: 0, packedSize: 0, size: 0 };
    this.#entries.push(entry);
    return [this.#sent(Buffer.concat([record(0x04034b50, LOCAL, [...this.#fields(entry, true), 0]), entry.name]))];
  }

  /** Packs a part of the content of the file. Each part ends at a whole byte. */
  write(text: string): Uint8Array[] {
    if (text === "") return [];
    const bytes = Buffer.from(text);
    return [this.#packed(bytes, deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }))];
  }

  /** Ends the file. */
  close(): Uint8Array[] {
    const last = this.#packed(EMPTY, deflateRawSync(EMPTY));
    const { crc, packedSize, size } = this.#entries.at(-1)!;
    return [last, this.#sent(record(0x08074b50, [4, 4, 4], [crc, packedSize, size]))];
  }

  add(name: string, text: string): Uint8Array[] {
    return [...this.begin(name), ...this.write(text), ...this.close()];
  }

  /** Returns the directory, which ends the archive. */
  end(): Uint8Array {
    const entries = this.#entries.map((entry) => {
      const isFar = entry.offset >= UINT32_MAX;
      const extra = isFar ? zip64Field(entry.offset) : EMPTY;
      const fields = [VERSION, ...this.#fields(entry), extra.length, 0, 0, 0, 0, Math.min(entry.offset, UINT32_MAX)];
      return Buffer.concat([record(0x02014b50, [2, ...LOCAL, 2, 2, 2, 4, 4], fields), entry.name, extra]);
    });
    const directory = Buffer.concat(entries);
    const [count, start] = [entries.length, this.#offset];
    const end = [0, 0, count, count, directory.length, Math.min(start, UINT32_MAX), 0];
    const large = start >= UINT32_MAX ? zip64End(count, directory.length, start) : EMPTY;
    return Buffer.concat([directory, large, record(0x06054b50, [2, 2, 2, 2, 4, 4, 2], end)]);
  }

  /** Returns the fields that a local header and an entry of the directory share. */
  #fields({ name, offset, crc, packedSize, size }: ZipEntry, isLocal = false): number[] {
    const sums = isLocal ? [0, 0, 0] : [crc, packedSize, size];
    return [offset >= UINT32_MAX ? VERSION_64 : VERSION, FLAGS, DEFLATED, 0, DATE, ...sums, name.length];
  }

  #packed(bytes: Uint8Array, packed: Buffer): Uint8Array {
    const entry = this.#entries.at(-1)!;
    entry.crc = crc32OfBytes(bytes, entry.crc);
    entry.size += bytes.length;
    entry.packedSize += packed.length;
    return this.#sent(packed);
  }

  #sent(bytes: Buffer): Uint8Array {
    this.#offset += bytes.length;
    return bytes;
  }
}

const EMPTY = Buffer.alloc(0);

/** Sizes of the fields of a local header, in bytes. */
const LOCAL = [2, 2, 2, 2, 2, 4, 4, 4, 2, 2];

/** Largest offset in 32 bits. It also stands for one that follows in 64 bits. */
const UINT32_MAX = 0xff_ff_ff_ff;

/** Version 4.5, which has offsets in 64 bits. */
const VERSION_64 = 45;

/** Returns the field of an entry with its offset in 64 bits. */
function zip64Field(offset: number): Buffer {
  const field = Buffer.alloc(12);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(BigInt(offset), 4);
  return field;
}

/** Returns the end of a directory in 64 bits, and the record that leads to it. */
function zip64End(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(VERSION_64, 12);
  end.writeUInt16LE(VERSION_64, 14);
  for (const [i, number] of [count, count, size, start].entries()) end.writeBigUInt64LE(BigInt(number), 24 + 8 * i);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

/** Writes a record of an archive: its signature and its fields, as little-endian numbers of 2 or 4 bytes. */
function record(signature: number, sizes: readonly number[], fields: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + sizes.reduce((sum, size) => sum + size, 0));
  let at = bytes.writeUInt32LE(signature);
  for (const [i, size] of sizes.entries()) at = bytes.writeUIntLE(fields[i]!, at, size);
  return bytes;
}
