import { type JsonObject, own } from "../core/json.js";
import { LIMITS } from "../core/limits.js";
import { DumpError, type DumpFile, lineRuns } from "../formats/dumps/dump-file.js";
import { readDump } from "../formats/dumps/read-dump.js";
import type { Authority, DumpEntry, DumpOptions, LiveTerm } from "../ports/authorities.js";
import { baseName, objectAt, textAt, textsAt } from "./dump-documents.js";
import {
  bareId,
  EMPTY_LIVE_PAGE,
  type GetJson,
  type Introduction,
  type LiveSource,
  MISSING_TERM,
  parseCount,
  parseObject,
  WrongAnswer,
} from "./live/live-source.js";
import { TaxonTree } from "./taxon-tree.js";

/** Separator of columns, and end of a row. */
const [COLUMN, END] = ["\t|\t", "\t|"];

/** Tables of a taxdump with their minimum columns; newer dumps may have more. */
const TABLES = {
  "nodes.dmp": ["tax_id", "parent tax_id", "rank"],
  "names.dmp": ["tax_id", "name_txt", "unique name", "name class"],
  "merged.dmp": ["old_tax_id", "new_tax_id"],
  "delnodes.dmp": ["tax_id"],
} as const;
type Table = keyof typeof TABLES;

/** Class of the name that is the title. */
const TITLE_CLASS = "scientific name";

/** Class of names that distinguish taxa with the same name, such as `Bacillus <walking sticks>`. */
const UNIQUE_CLASS = "unique name";

/** Files in an archive without times are dated 1970. */
const FIRST_YEAR = 1990;

/**
 * NCBI Taxonomy, from a taxdump: first the tables of taxa, merged and deleted ones, then, in a second pass, the names,
 * of which those of a taxon are consecutive. Meanwhile 18 bytes per taxon are kept.
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
  let firstPassBytes = 0;
  const tree = new TaxonTree();
  const merged: [number, number][] = [];
  const deleted: number[] = [];
  const seen = new Set<Table>();
  const onFirst = (bytes: number): void => {
    firstPassBytes = bytes;
    options.onProgress?.(bytes);
  };
  for await (const file of readDump(path, onFirst)) {
    const table = fileTable(file);
    if (table === undefined) continue;
    seen.add(table);
    if (table === "names.dmp") continue;
    if (table === "nodes.dmp") {
      const year = file.modified?.getUTCFullYear() ?? 0;
      if (year >= FIRST_YEAR) yield [{ release: file.modified!.toISOString().slice(0, 10) }];
    }
    for await (const { first: line, rows } of readRows(file, table)) {
      const invalidRows = rows.flatMap((row, i) =>
        takeRow(row, { part: table, line: line + i }, { tree, merged, deleted }),
      );
      if (invalidRows.length > 0) yield invalidRows;
    }
  }
  for (const table of ["nodes.dmp", "names.dmp"] as const) {
    if (!seen.has(table)) throw new DumpError(`there is no ${table} in it; a taxdump has nodes.dmp and names.dmp`);
  }
  yield tree.findMistakes();
  tree.countBelow();
  for await (const file of readDump(path, (bytes) => options.onProgress?.(firstPassBytes + bytes))) {
    if (fileTable(file) === "names.dmp") yield* readNames(file, tree);
  }
  yield tree.findNameless();
  yield* redirects(tree, merged, deleted);
}

const fileTable = ({ name }: DumpFile): Table | undefined => {
  const base = baseName(name);
  return Object.hasOwn(TABLES, base) ? (base as Table) : undefined;
};

type Row = readonly string[] | undefined;

/** Yields the rows of a table; undefined for an invalid row. */
async function* readRows(file: DumpFile, table: Table): AsyncGenerator<{ first: number; rows: readonly Row[] }> {
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

/** Returns the entry for an invalid row. */
function invalidRow(place: { readonly part: Table; readonly line: number }): DumpEntry {
  const columns = TABLES[place.part];
  const reason =
    `a row has ${columns.length} columns or more (${columns.join(", ")}), each followed by a tab and a bar; is the ` +
    "file cut off? Download it again";
  return { ...place, reason };
}

/** Parses the number of a taxon, 0 if it is invalid. */
function parseTaxon(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id > LIMITS.dumpTaxonMax ? 0 : id;
}

const invalidTaxon = (text: string): string =>
  `"${text.slice(0, 40)}" is not the number of a taxon, from 1 to ${LIMITS.dumpTaxonMax}`;

function takeRow(
  row: Row,
  place: { readonly part: Table; readonly line: number },
  into: { readonly tree: TaxonTree; readonly merged: [number, number][]; readonly deleted: number[] },
): DumpEntry[] {
  if (row === undefined) return [invalidRow(place)];
  const idColumns = place.part === "delnodes.dmp" ? row.slice(0, 1) : row.slice(0, 2);
  const ids = idColumns.map(parseTaxon);
  const invalidIndex = ids.indexOf(0);
  if (invalidIndex >= 0) return [{ ...place, reason: invalidTaxon(row[invalidIndex]!) }];
  const [id, otherId] = ids as [number, number];
  if (place.part === "merged.dmp") into.merged.push([id, otherId]);
  else if (place.part === "delnodes.dmp") into.deleted.push(id);
  else {
    const previousLine = into.tree.add(id, otherId, row[2]!, place.line);
    if (previousLine > 0) return [{ ...place, reason: `taxon ${id} is already on line ${previousLine}` }];
  }
  return [];
}

/** The names of one taxon as they are read. */
interface TaxonNames {
  id: number;
  line: number;
  /** Whether the names were refused, so that they make no term. */
  isRefused: boolean;
  title: string | undefined;
  synonyms: { name: string; kind: string }[];
}

async function* readNames(file: DumpFile, tree: TaxonTree): AsyncGenerator<readonly DumpEntry[]> {
  let taxon: TaxonNames = { id: 0, line: 0, isRefused: true, title: undefined, synonyms: [] };
  const part = "names.dmp";
  for await (const { first, rows } of readRows(file, part)) {
    const entries: DumpEntry[] = [];
    for (const [i, row] of rows.entries()) {
      const place = { part, line: first + i } as const;
      if (row === undefined) {
        entries.push(invalidRow(place));
        continue;
      }
      const id = parseTaxon(row[0]!);
      if (id !== taxon.id) {
        for (const entry of makeTaxonEntry(taxon, tree)) entries.push(entry);
        const reason = id === 0 ? invalidTaxon(row[0]!) : tree.whyNotNamed(id, place.line);
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
  yield makeTaxonEntry(taxon, tree);
}

function makeTaxonEntry({ id, line, isRefused, title, synonyms }: TaxonNames, tree: TaxonTree): DumpEntry[] {
  if (isRefused || !tree.isWhole(id)) return [];
  const place = { part: "names.dmp", line };
  if (title === undefined || title.trim() === "") {
    return [{ ...place, reason: `taxon ${id} has no ${TITLE_CLASS}; is the file cut off? Download it again` }];
  }
  const parent = tree.taxonParent(id);
  const item = {
    id: taxid(id),
    title: { en: title },
    props: { rank: tree.taxonRank(id), taxa_below: roundDown(tree.belowOf(id)) },
    synonyms,
    // The root is its own parent.
    parent: parent === id ? null : taxid(parent),
    status: "active",
    replaced_by: null,
  };
  return [{ ...place, item }];
}

/**
 * Rounds a count down to 1, 2 or 5 times a power of ten, `null` for 0: a taxon with a few more descendants does not
 * change, and records that cite it do not become stale with each release.
 */
function roundDown(count: number): number | null {
  if (count === 0) return null;
  const power = 10 ** (String(count).length - 1);
  const first = count / power;
  return (first >= 5 ? 5 : first >= 2 ? 2 : 1) * power;
}

const taxid = (id: number): string => `taxid:${id}`;

/** Number of redirects per batch. */
const BATCH_REDIRECTS = 1_000;

/**
 * Yields the redirects of old ids: a list may be older than the taxa, and contain ids that exist again, or targets that
 * do not exist.
 */
function* redirects(
  tree: TaxonTree,
  merged: readonly (readonly [number, number])[],
  deleted: readonly number[],
): Generator<readonly DumpEntry[]> {
  const targets = new Map(merged);
  let [liveCount, lostCount] = [0, 0];
  let entries: DumpEntry[] = [];
  const add = function* (part: Table, line: number, id: number, to: number | undefined): Generator<DumpEntry[]> {
    entries.push({ part, line, redirect: taxid(id), to: to === undefined ? null : taxid(to) });
    if (entries.length < BATCH_REDIRECTS) return;
    yield entries;
    entries = [];
  };
  for (const [i, [id, target]] of merged.entries()) {
    const to = tree.has(target) ? target : undefined;
    if (tree.has(id)) liveCount += 1;
    else {
      if (to === undefined) lostCount += 1;
      yield* add("merged.dmp", i + 1, id, to);
    }
  }
  for (const [i, id] of deleted.entries()) {
    if (tree.has(id)) liveCount += 1;
    else if (!targets.has(id)) yield* add("delnodes.dmp", i + 1, id, undefined);
  }
  if (liveCount > 0) entries.push({ leftOut: "merged or deleted ids that are live taxa", count: liveCount });
  if (lostCount > 0)
    entries.push({ leftOut: "successors of merged ids that are no taxa (the ids are withdrawn)", count: lostCount });
  yield entries;
}

/**
 * NCBI's E-utilities on the taxonomy: `esummary` by id, and `esearch` for a text, whose ids are then summarised. A
 * summary has the scientific name, the common name and the rank, and for a merged id its replacement (`status`
 * "merged", `akataxid`). It does not have the parent of a taxon, which only dumps have. Without a key three requests
 * per second are allowed, and clients must identify themselves (`tool`, `email`).
 * @see https://www.ncbi.nlm.nih.gov/books/NBK25497/, https://www.ncbi.nlm.nih.gov/books/NBK25499/
 */
export const ncbiLive: LiveSource = {
  name: "ncbi",
  title: "NCBI Taxonomy",
  // NCBI's ids are 32-bit integers.
  ids: /^taxid:[1-9]\d{0,8}$/,
  perSecond: 3,
  async find(get, id, us) {
    const taxid = bareId(id);
    const result = await readSummaries(get, [taxid], us);
    const target = findMergeTarget(result, taxid);
    if (target === undefined) return readItem(result, taxid);
    // A merged id has no name of its own.
    return makeMergedItem(id, readItem(await readSummaries(get, [target], us), target));
  },
  async search(get, text, page, us) {
    const parameters = { term: text, retmax: LIMITS.lookupPageSize, retstart: (page - 1) * LIMITS.lookupPageSize };
    const answer = objectAt(parseObject(await ask(get, "esearch", parameters, us)), "esearchresult");
    // A text without any known word is answered with an error in place of a number.
    if (textAt(answer, "ERROR") !== undefined) return EMPTY_LIVE_PAGE;
    const total = parseCount(own(answer, "count"), "count");
    const ids = textsAt(answer, "idlist");
    if (ids.length === 0) return { items: [], total };
    const result = await readSummaries(get, ids, us);
    const items = ids.flatMap((foundId) => {
      const summary = readItem(result, foundId);
      return summary.kind === "found" ? [summary.item] : [];
    });
    return { items, total };
  },
};

const ask = (get: GetJson, tool: string, query: Readonly<Record<string, string | number>>, { email }: Introduction) =>
  get(["entrez", "eutils", `${tool}.fcgi`], {
    db: "taxonomy",
    retmode: "json",
    ...query,
    tool: "bindery",
    ...(email === "" ? {} : { email }),
  });

/** Returns summaries by id. */
async function readSummaries(get: GetJson, ids: readonly string[], us: Introduction): Promise<JsonObject> {
  const answer = parseObject(await ask(get, "esummary", { id: ids.join(",") }, us));
  const result = own(answer, "result");
  if (result === undefined) throw new WrongAnswer('an answer of esummary has a "result"');
  return objectAt(answer, "result");
}

/** Returns the taxon into which a taxon was merged. */
function findMergeTarget(result: JsonObject, taxid: string): string | undefined {
  const taxon = objectAt(result, taxid);
  const target = textAt(taxon, "akataxid");
  return textAt(taxon, "status") === "merged" && target !== undefined && target !== "0" ? target : undefined;
}

function readItem(result: JsonObject, taxid: string): LiveTerm {
  const taxon = objectAt(result, taxid);
  const [status, name] = [textAt(taxon, "status"), textAt(taxon, "scientificname")];
  if (textAt(taxon, "error") !== undefined || (status !== undefined && status !== "active")) return MISSING_TERM;
  if (name === undefined) throw new WrongAnswer(`the summary of taxon ${taxid} has no scientific name`);
  const commonName = textAt(taxon, "commonname");
  const item = {
    id: `taxid:${textAt(taxon, "taxid") ?? taxid}`,
    title: { en: name },
    synonyms: commonName === undefined || commonName === name ? [] : [{ name: commonName, kind: "common name" }],
    props: { rank: textAt(taxon, "rank") ?? null },
    status: "active",
    replaced_by: null,
  };
  return { kind: "found", item };
}

/** Returns the item of a merged id, which redirects to the other taxon. */
function makeMergedItem(id: string, target: LiveTerm): LiveTerm {
  if (target.kind === "missing") return MISSING_TERM;
  const { id: replaced_by, title } = target.item;
  const item = { id, title: title!, synonyms: [], props: {}, status: "deprecated", replaced_by: replaced_by! };
  return { kind: "found", item };
}
