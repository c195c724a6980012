import { LIMITS } from "../core/limits.js";
import { DumpError } from "../formats/dumps/dump-error.js";
import { lineRuns } from "../formats/dumps/line-runs.js";
import { type DumpFile, readDump } from "../formats/dumps/read-dump.js";
import type { Authority, DumpEntry, DumpOptions } from "../ports/authorities.js";
import { baseName } from "./dump-names.js";
import { TaxonTree } from "./taxon-tree.js";

/** Between two columns, and behind the last one. */
const [COLUMN, END] = ["\t|\t", "\t|"];

/** Tables of a taxdump, with the columns that each has at least; newer dumps may have more. */
const TABLES = {
  "nodes.dmp": ["tax_id", "parent tax_id", "rank"],
  "names.dmp": ["tax_id", "name_txt", "unique name", "name class"],
  "merged.dmp": ["old_tax_id", "new_tax_id"],
  "delnodes.dmp": ["tax_id"],
} as const;
type Table = keyof typeof TABLES;

/** The class of the name that is the title. */
const TITLE_CLASS = "scientific name";

/** Class of the names that tell taxa with the same name apart: `Bacillus <walking sticks>`. */
const UNIQUE_CLASS = "unique name";

/** An archive without times has files of 1970. */
const FIRST_YEAR = 1990;

/**
 * NCBI Taxonomy, from a taxdump: first the tables of taxa, merged and deleted ones, then, in a second pass, the names,
 * of which those of a taxon stand together. Of a taxon 18 bytes are kept meanwhile.
 * @see https://ftp.ncbi.nlm.nih.gov/pub/taxonomy/taxdump_readme.txt
 */
export const ncbi: Authority = {
  name: "ncbi",
  title: "NCBI Taxonomy",
  url: "https://ftp.ncbi.nlm.nih.gov/pub/taxonomy/",
  licence: "public domain (a work of the United States government)",
  vocabulary: "organisms",
  takes: "taxdump.tar.gz, or a folder or zip with nodes.dmp and names.dmp; merged.dmp and delnodes.dmp where there are",
  dumps: [{ name: /^(new_)?taxdump.*\.(tar\.gz|tgz|zip)$|^taxdmp.*\.zip$/ }, { name: /^nodes\.dmp$/, isFolder: true }],
  passes: 2,
  read: readTaxonomy,
};

async function* readTaxonomy(path: string, options: DumpOptions): AsyncGenerator<readonly DumpEntry[]> {
  let first = 0;
  const tree = new TaxonTree();
  const merged: [number, number][] = [];
  const deleted: number[] = [];
  const seen = new Set<Table>();
  const onFirst = (bytes: number): void => {
    first = bytes;
    options.onProgress?.(bytes);
  };
  for await (const file of readDump(path, onFirst)) {
    const table = tableOf(file);
    if (table === undefined) continue;
    seen.add(table);
    if (table === "names.dmp") continue;
    if (table === "nodes.dmp") {
      const year = file.modified?.getUTCFullYear() ?? 0;
      if (year >= FIRST_YEAR) yield [{ release: file.modified!.toISOString().slice(0, 10) }];
    }
    for await (const { first: line, rows } of rowsOf(file, table)) {
      const wrong = rows.flatMap((row, i) => takeRow(row, { part: table, line: line + i }, { tree, merged, deleted }));
      if (wrong.length > 0) yield wrong;
    }
  }
  for (const table of ["nodes.dmp", "names.dmp"] as const) {
    if (!seen.has(table)) throw new DumpError(`there is no ${table} in it; a taxdump has nodes.dmp and names.dmp`);
  }
  yield tree.findMistakes();
  tree.countBelow();
  for await (const file of readDump(path, (bytes) => options.onProgress?.(first + bytes))) {
    if (tableOf(file) === "names.dmp") yield* readNames(file, tree);
  }
  yield tree.findNameless();
  yield* redirects(tree, merged, deleted);
}

const tableOf = ({ name }: DumpFile): Table | undefined => {
  const base = baseName(name);
  return Object.hasOwn(TABLES, base) ? (base as Table) : undefined;
};

type Row = readonly string[] | undefined;

/** The rows of a table; undefined: a row that is none. */
async function* rowsOf(file: DumpFile, table: Table): AsyncGenerator<{ first: number; rows: readonly Row[] }> {
  const width = TABLES[table].length;
  for await (const { first, lines } of lineRuns(file)) {
    const rows = lines.map((line): Row => {
      if (!line.endsWith(END)) return undefined;
      const columns = line.slice(0, -END.length).split(COLUMN);
      return columns.length < width ? undefined : columns;
    });
    yield { first, rows };
  }
}

/** A row that the table cannot have. */
function noRow(place: { readonly part: Table; readonly line: number }): DumpEntry {
  const columns = TABLES[place.part];
  const reason =
    `a row has ${columns.length} columns or more (${columns.join(", ")}), each followed by a tab and a bar; is the ` +
    "file cut off? Download it again";
  return { ...place, reason };
}

/** The number of a taxon, 0 where the text is none. */
function taxonIn(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id > LIMITS.dumpTaxonMax ? 0 : id;
}

const noTaxon = (text: string): string =>
  `"${text.slice(0, 40)}" is not the number of a taxon, from 1 to ${LIMITS.dumpTaxonMax}`;

function takeRow(
  row: Row,
  place: { readonly part: Table; readonly line: number },
  into: { readonly tree: TaxonTree; readonly merged: [number, number][]; readonly deleted: number[] },
): DumpEntry[] {
  if (row === undefined) return [noRow(place)];
  const wide = place.part === "delnodes.dmp" ? row.slice(0, 1) : row.slice(0, 2);
  const ids = wide.map(taxonIn);
  const bad = ids.indexOf(0);
  if (bad >= 0) return [{ ...place, reason: noTaxon(row[bad]!) }];
  const [id, other] = ids as [number, number];
  if (place.part === "merged.dmp") into.merged.push([id, other]);
  else if (place.part === "delnodes.dmp") into.deleted.push(id);
  else {
    const before = into.tree.add(id, other, row[2]!, place.line);
    if (before > 0) return [{ ...place, reason: `taxon ${id} is already on line ${before}` }];
  }
  return [];
}

/** The names of one taxon, as they come. */
interface Named {
  id: number;
  line: number;
  /** They were refused: they make no item. */
  isRefused: boolean;
  title: string | undefined;
  synonyms: { name: string; kind: string }[];
}

async function* readNames(file: DumpFile, tree: TaxonTree): AsyncGenerator<readonly DumpEntry[]> {
  let taxon: Named = { id: 0, line: 0, isRefused: true, title: undefined, synonyms: [] };
  const part = "names.dmp";
  for await (const { first, rows } of rowsOf(file, part)) {
    const entries: DumpEntry[] = [];
    for (const [i, row] of rows.entries()) {
      const place = { part, line: first + i } as const;
      if (row === undefined) {
        entries.push(noRow(place));
        continue;
      }
      const id = taxonIn(row[0]!);
      if (id !== taxon.id) {
        for (const entry of finished(taxon, tree)) entries.push(entry);
        const reason = id === 0 ? noTaxon(row[0]!) : tree.whyNotNamed(id, place.line);
        taxon = { id, line: place.line, isRefused: reason !== undefined, title: undefined, synonyms: [] };
        if (reason !== undefined) entries.push({ ...place, reason });
      }
      const [, name, uniqueName, kind] = row as [string, string, string, string];
      if (kind === TITLE_CLASS) taxon.title ??= name;
      else if (name !== "") taxon.synonyms.push({ name, kind });
      if (uniqueName !== "" && uniqueName !== name) taxon.synonyms.push({ name: uniqueName, kind: UNIQUE_CLASS });
    }
    yield entries;
  }
  yield finished(taxon, tree);
}

function finished({ id, line, isRefused, title, synonyms }: Named, tree: TaxonTree): DumpEntry[] {
  if (isRefused || !tree.isWhole(id)) return [];
  const place = { part: "names.dmp", line };
  if (title === undefined || title.trim() === "") {
    return [{ ...place, reason: `taxon ${id} has no ${TITLE_CLASS}; is the file cut off? Download it again` }];
  }
  const parent = tree.parentOf(id);
  const item = {
    id: taxid(id),
    title: { en: title },
    props: { rank: tree.rankOf(id), taxa_below: roundedDown(tree.belowOf(id)) },
    synonyms,
    // The root is its own parent.
    parent: parent === id ? null : taxid(parent),
    status: "active",
    replaced_by: null,
  };
  return [{ ...place, item }];
}

/**
 * A count rounded down to 1, 2 or 5 times a power of ten, `null` for none: a taxon that gets a few more below it does
 * not change, and the records that cite it do not become stale with each release.
 */
function roundedDown(count: number): number | null {
  if (count === 0) return null;
  const power = 10 ** (String(count).length - 1);
  const first = count / power;
  return (first >= 5 ? 5 : first >= 2 ? 2 : 1) * power;
}

const taxid = (id: number): string => `taxid:${id}`;

/** Redirects that are handed over together. */
const TOGETHER = 1_000;

/** Old ids: a list may be older than the taxa, and name some that live again, or lead to some that are gone. */
function* redirects(
  tree: TaxonTree,
  merged: readonly (readonly [number, number])[],
  deleted: readonly number[],
): Generator<readonly DumpEntry[]> {
  const targets = new Map(merged);
  let [alive, lost] = [0, 0];
  let entries: DumpEntry[] = [];
  const add = function* (part: Table, line: number, id: number, to: number | undefined): Generator<DumpEntry[]> {
    entries.push({ part, line, redirect: taxid(id), to: to === undefined ? null : taxid(to) });
    if (entries.length < TOGETHER) return;
    yield entries;
    entries = [];
  };
  for (const [i, [id, target]] of merged.entries()) {
    const to = tree.has(target) ? target : undefined;
    if (tree.has(id)) alive += 1;
    else {
      if (to === undefined) lost += 1;
      yield* add("merged.dmp", i + 1, id, to);
    }
  }
  for (const [i, id] of deleted.entries()) {
    if (tree.has(id)) alive += 1;
    else if (!targets.has(id)) yield* add("delnodes.dmp", i + 1, id, undefined);
  }
  if (alive > 0) entries.push({ leftOut: "merged or deleted ids that are live taxa", count: alive });
  if (lost > 0)
    entries.push({ leftOut: "successors of merged ids that are no taxa (the ids are withdrawn)", count: lost });
  yield entries;
}
