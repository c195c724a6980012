import { DumpError, type DumpFile, lineRuns } from "../formats/dumps/dump-file.js";
import { readDump } from "../formats/dumps/read-dump.js";
import type { Authority, DumpEntry, DumpOptions, DumpPlace } from "../ports/authorities.js";
import { baseName } from "./dump-documents.js";

/** The tables of a release; their names may end in a date: `iso-639-3_20240415.tab`. */
const TABLES = {
  codes: { file: /^iso-639-3(_\d+)?\.tab$/, columns: ["Id", "Part2t", "Part1", "Ref_Name"] },
  names: { file: /^iso-639-3_Name_Index(_\d+)?\.tab$/, columns: ["Id", "Print_Name", "Inverted_Name"] },
  retired: { file: /^iso-639-3_Retirements(_\d+)?\.tab$/, columns: ["Id", "Change_To"] },
} as const;
type Table = keyof typeof TABLES;

/**
 * A row with its place. Names of columns are compared case-insensitively: releases up to 2022 have Part2B and Part2T.
 */
type Row = DumpPlace & { readonly at: (column: string) => string };

/** Date at the end of a file's name. */
const DAY = /_(\d{4})(\d{2})(\d{2})\.tab$/;

/**
 * ISO 639-3, the tables of its registration authority (SIL): codes, and optionally other names and retired codes. The
 * id of a language is its two-letter code if it has one, to which its three-letter codes redirect.
 * @see https://iso639-3.sil.org/code_tables/download_tables
 */
export const iso639: Authority = {
  name: "iso639",
  title: "ISO 639-3, codes of languages",
  url: "https://iso639-3.sil.org/code_tables/download_tables",
  licence: "terms of use of SIL International: free to use, not to be changed",
  vocabulary: "languages",
  takes: "iso-639-3.tab, or the zip of the code tables, or a folder with them (names, retirements)",
  dumps: [{ name: /^iso-639-3_Code_Tables.*\.zip$/ }, { name: /^iso-639-3(_\d+)?\.tab(\.gz)?$/, isFolder: true }],
  passes: 1,
  read: readLanguages,
};

async function* readLanguages(path: string, { onProgress }: DumpOptions): AsyncGenerator<readonly DumpEntry[]> {
  const rows: Record<Table, Row[]> = { codes: [], names: [], retired: [] };
  for await (const file of readDump(path, onProgress)) {
    const table = fileTable(file);
    if (table === undefined) continue;
    const day = DAY.exec(file.name);
    if (table === "codes" && day !== null) yield [{ release: day.slice(1).join("-") }];
    for await (const entries of readTable(file, TABLES[table].columns, rows[table])) yield entries;
  }
  if (rows.codes.length === 0) {
    throw new DumpError("there is no iso-639-3.tab in it, or it is empty; download the table of codes");
  }
  // The tables have some thousand rows, and an archive may contain the names before the codes.
  yield makeEntries(rows);
}

/** Returns the table of a file; undefined for other files. */
const fileTable = ({ name }: DumpFile): Table | undefined => {
  const base = baseName(name);
  return (Object.keys(TABLES) as Table[]).find((table) => TABLES[table].file.test(base));
};

async function* readTable(
  file: DumpFile,
  requiredColumns: readonly string[],
  rows: Row[],
): AsyncGenerator<readonly DumpEntry[]> {
  let header: readonly string[] | undefined;
  for await (const { first, lines } of lineRuns(file)) {
    const invalidRows: DumpEntry[] = [];
    for (const [i, line] of lines.entries()) {
      const place = { part: file.name, line: first + i };
      const cells = line.split("\t");
      if (header === undefined) {
        header = cells.map((name) => name.replace(/^\uFEFF/, "").toLowerCase());
        const missing = requiredColumns.filter((name) => !header!.includes(name.toLowerCase()));
        if (missing.length === 0) continue;
        throw new DumpError(`the header lacks ${missing.join(", ")}; is this the right table?`, file.name, place.line);
      }
      if (line.trim() === "") continue;
      if (cells.length !== header.length) {
        const reason = `the row has ${cells.length} columns, the header ${header.length}; is the file cut off?`;
        invalidRows.push({ ...place, reason });
        continue;
      }
      const names = header;
      rows.push({ ...place, at: (column) => cells[names.indexOf(column.toLowerCase())]?.trim() ?? "" });
    }
    yield invalidRows;
  }
}

function makeEntries({ codes, names, retired }: Record<Table, readonly Row[]>): readonly DumpEntry[] {
  const idByCode = new Map(codes.map((row) => [row.at("Id"), row.at("Part1") || row.at("Id")]));
  const namesByCode = new Map<string, Row[]>();
  for (const row of names) namesByCode.set(row.at("Id"), [...(namesByCode.get(row.at("Id")) ?? []), row]);
  const entries: DumpEntry[] = [];
  for (const row of codes) {
    const [code, title] = [row.at("Id"), row.at("Ref_Name")];
    const id = idByCode.get(code)!;
    const place = { part: row.part, line: row.line };
    const item = {
      id,
      title: { en: title },
      synonyms: otherNames(title, namesByCode.get(code) ?? []),
      status: "active",
      replaced_by: null,
    };
    entries.push({ ...place, item });
    for (const otherCode of new Set([code, row.at("Part2b"), row.at("Part2t")])) {
      if (otherCode !== "" && otherCode !== id) entries.push({ ...place, redirect: otherCode, to: id });
    }
  }
  for (const row of retired) {
    const [code, to] = [row.at("Id"), row.at("Change_To")];
    if (idByCode.has(code)) continue;
    entries.push({ part: row.part, line: row.line, redirect: code, to: idByCode.get(to) ?? null });
  }
  return entries;
}

function otherNames(title: string, rows: readonly Row[]): { name: string; kind: string }[] {
  const kindByName = new Map<string, string>();
  for (const row of rows) kindByName.set(row.at("Print_Name"), "name");
  for (const row of rows) {
    if (!kindByName.has(row.at("Inverted_Name"))) kindByName.set(row.at("Inverted_Name"), "inverted name");
  }
  kindByName.delete(title);
  kindByName.delete("");
  return [...kindByName].map(([name, kind]) => ({ name, kind }));
}
