import { DumpError } from "../formats/dumps/dump-error.js";
import { lineRuns } from "../formats/dumps/line-runs.js";
import { type DumpFile, readDump } from "../formats/dumps/read-dump.js";
import type { Authority, DumpEntry, DumpOptions, DumpPlace } from "../ports/authorities.js";
import { baseName } from "./dump-names.js";

/** The tables of a release; their names may end in its day: `iso-639-3_20240415.tab`. */
const TABLES = {
  codes: { file: /^iso-639-3(_\d+)?\.tab$/, columns: ["Id", "Part2t", "Part1", "Ref_Name"] },
  names: { file: /^iso-639-3_Name_Index(_\d+)?\.tab$/, columns: ["Id", "Print_Name", "Inverted_Name"] },
  retired: { file: /^iso-639-3_Retirements(_\d+)?\.tab$/, columns: ["Id", "Change_To"] },
} as const;
type Table = keyof typeof TABLES;

/** Part2b was Part2B, and Part2t Part2T, in releases up to 2022: names of columns are compared without their case. */
type Row = DumpPlace & { readonly at: (column: string) => string };

/** The end of a file's name says of which day it is. */
const DAY = /_(\d{4})(\d{2})(\d{2})\.tab$/;

/**
 * ISO 639-3, the tables of its registration authority (SIL): codes, and where there are, other names and codes that
 * were retired. A language has its two-letter code as id where there is one; its three-letter codes lead there.
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
    const table = tableOf(file);
    if (table === undefined) continue;
    const day = DAY.exec(file.name);
    if (table === "codes" && day !== null) yield [{ release: day.slice(1).join("-") }];
    for await (const entries of readTable(file, TABLES[table].columns, rows[table])) yield entries;
  }
  if (rows.codes.length === 0) {
    throw new DumpError("there is no iso-639-3.tab in it, or it is empty; download the table of codes");
  }
  // The tables have some thousand rows, and in an archive the names may come before the codes.
  yield languages(rows);
}

/** Of one file that is loaded by itself the name does not matter. */
const tableOf = ({ name }: DumpFile): Table | undefined => {
  const base = baseName(name);
  return (Object.keys(TABLES) as Table[]).find((table) => TABLES[table].file.test(base));
};

async function* readTable(
  file: DumpFile,
  needed: readonly string[],
  rows: Row[],
): AsyncGenerator<readonly DumpEntry[]> {
  let header: readonly string[] | undefined;
  for await (const { first, lines } of lineRuns(file)) {
    const wrong: DumpEntry[] = [];
    for (const [i, line] of lines.entries()) {
      const place = { part: file.name, line: first + i };
      const cells = line.split("\t");
      if (header === undefined) {
        header = cells.map((name) => name.replace(/^\uFEFF/, "").toLowerCase());
        const missing = needed.filter((name) => !header!.includes(name.toLowerCase()));
        if (missing.length === 0) continue;
        throw new DumpError(`the header lacks ${missing.join(", ")}; is this the right table?`, file.name, place.line);
      }
      if (line.trim() === "") continue;
      if (cells.length !== header.length) {
        const reason = `the row has ${cells.length} columns, the header ${header.length}; is the file cut off?`;
        wrong.push({ ...place, reason });
        continue;
      }
      const names = header;
      rows.push({ ...place, at: (column) => cells[names.indexOf(column.toLowerCase())]?.trim() ?? "" });
    }
    yield wrong;
  }
}

function languages({ codes, names, retired }: Record<Table, readonly Row[]>): readonly DumpEntry[] {
  const idOf = new Map(codes.map((row) => [row.at("Id"), row.at("Part1") || row.at("Id")]));
  const namesOf = new Map<string, Row[]>();
  for (const row of names) namesOf.set(row.at("Id"), [...(namesOf.get(row.at("Id")) ?? []), row]);
  const entries: DumpEntry[] = [];
  for (const row of codes) {
    const [code, title] = [row.at("Id"), row.at("Ref_Name")];
    const id = idOf.get(code)!;
    const place = { part: row.part, line: row.line };
    const item = {
      id,
      title: { en: title },
      synonyms: otherNames(title, namesOf.get(code) ?? []),
      status: "active",
      replaced_by: null,
    };
    entries.push({ ...place, item });
    for (const other of new Set([code, row.at("Part2b"), row.at("Part2t")])) {
      if (other !== "" && other !== id) entries.push({ ...place, redirect: other, to: id });
    }
  }
  for (const row of retired) {
    const [code, to] = [row.at("Id"), row.at("Change_To")];
    if (idOf.has(code)) continue;
    entries.push({ part: row.part, line: row.line, redirect: code, to: idOf.get(to) ?? null });
  }
  return entries;
}

function otherNames(title: string, rows: readonly Row[]): { name: string; kind: string }[] {
  const found = new Map<string, string>();
  for (const row of rows) found.set(row.at("Print_Name"), "name");
  for (const row of rows) {
    if (!found.has(row.at("Inverted_Name"))) found.set(row.at("Inverted_Name"), "inverted name");
  }
  found.delete(title);
  found.delete("");
  return [...found].map(([name, kind]) => ({ name, kind }));
}
