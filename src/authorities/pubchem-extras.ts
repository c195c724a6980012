import { DumpError, type LineRun, lineRuns } from "../formats/dumps/dump-file.js";
import { readDump } from "../formats/dumps/read-dump.js";
import type { DumpOptions } from "../ports/authorities.js";
import { type FoundCompound, isSelected, nonEmpty } from "./compound.js";
import { baseName } from "./dump-documents.js";

/** Tables without a header, each sorted by the CID in its first column, with their numbers of columns. */
const TABLES = {
  "CID-InChI-Key": 3, // CID, InChI, InChIKey
  "CID-Title": 2,
  "CID-SMILES": 2,
  "CID-IUPAC": 2,
  "CID-Mass": 4, // CID, formula, monoisotopic mass, exact mass
  "CID-Synonym-filtered": 2, // several rows per compound
} as const;
type Table = keyof typeof TABLES;
const REQUIRED_TABLES: readonly Table[] = ["CID-InChI-Key", "CID-Title"];

/** Number of compounds per batch. */
const BATCH_COMPOUNDS = 500;

/** Yields the compounds of the tables of `Compound/Extras`, which are read side by side. */
export async function* readExtras(
  files: readonly { readonly file: string; readonly name: string }[],
  { onProgress, only }: DumpOptions,
): AsyncGenerator<readonly FoundCompound[]> {
  const bytes = new Map<string, number>();
  const openedTables = new Map<Table, CidTable>();
  for (const { file, name } of files) {
    const table = (Object.keys(TABLES) as Table[]).find(
      (tableName) => baseName(name).replace(/\.gz$/, "") === tableName,
    );
    if (table === undefined) continue;
    const onRead = (read: number): void => {
      bytes.set(table, read);
      onProgress?.([...bytes.values()].reduce((sum, each) => sum + each, 0));
    };
    openedTables.set(table, new CidTable(file, table, onRead));
  }
  try {
    for (const table of REQUIRED_TABLES) {
      if (!openedTables.has(table))
        throw new DumpError(`there is no ${table} in the folder; a load needs ${REQUIRED_TABLES.join(" and ")}`);
    }
    yield* joinTables(openedTables, only);
  } finally {
    for (const table of openedTables.values()) await table.close();
  }
}

async function* joinTables(
  tables: ReadonlyMap<Table, CidTable>,
  only: DumpOptions["only"],
): AsyncGenerator<readonly FoundCompound[]> {
  const keys = tables.get("CID-InChI-Key")!;
  const compoundRows = async (table: Table, cid: number): Promise<readonly (readonly string[])[]> =>
    (await tables.get(table)?.compoundRows(cid)) ?? [];
  let compounds: FoundCompound[] = [];
  for (let row = await keys.next(); row !== undefined; row = await keys.next()) {
    const [cid, inchi, inchiKey] = row.cells as [string, string, string];
    if (!isSelected(only, cid, inchiKey)) continue;
    const cidNumber = row.cid;
    const [[title], [smiles], [iupac], [mass]] = await Promise.all([
      compoundRows("CID-Title", cidNumber),
      compoundRows("CID-SMILES", cidNumber),
      compoundRows("CID-IUPAC", cidNumber),
      compoundRows("CID-Mass", cidNumber),
    ]);
    const synonyms = await compoundRows("CID-Synonym-filtered", cidNumber);
    const iupacName = nonEmpty(iupac?.[1]);
    const compound = {
      cid,
      inchiKey,
      title: nonEmpty(title?.[1]) ?? iupacName ?? `CID ${cid}`,
      synonyms: [
        ...(iupacName === undefined ? [] : [{ name: iupacName, kind: "iupac" }]),
        ...synonyms.map((cells) => ({ name: cells[1]!, kind: "synonym" })),
      ],
      identifiers: [`cid:${cid}`],
      formula: nonEmpty(mass?.[1]),
      smiles: nonEmpty(smiles?.[1]),
      inchi: nonEmpty(inchi),
    };
    compounds.push({ part: "CID-InChI-Key", line: row.line, compound });
    if (compounds.length < BATCH_COMPOUNDS) continue;
    yield compounds;
    compounds = [];
  }
  yield compounds;
}

/** A row of a table; the first cell is the CID. */
interface CidRow {
  readonly cid: number;
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table that is read once from its beginning to its end, in the order of the CID. */
class CidTable {
  readonly #runs: AsyncGenerator<LineRun>;
  #run: LineRun = { first: 1, lines: [] };
  #at = 0;
  #last = 0;
  #ahead: CidRow | undefined;

  constructor(
    file: string,
    readonly name: Table,
    onProgress: (bytes: number) => void,
  ) {
    this.#runs = readRuns(file, name, onProgress);
  }

  async next(): Promise<CidRow | undefined> {
    while (this.#at >= this.#run.lines.length) {
      const { done, value } = await this.#runs.next();
      if (done) return undefined;
      [this.#run, this.#at] = [value, 0];
    }
    const line = this.#run.first + this.#at;
    const row = this.read(this.#run.lines[this.#at]!, line);
    this.#at += 1;
    return row;
  }

  /** Returns the rows of a compound. Calls must have ascending numbers. */
  async compoundRows(cid: number): Promise<readonly (readonly string[])[]> {
    const rows: (readonly string[])[] = [];
    for (;;) {
      this.#ahead ??= await this.next();
      if (this.#ahead === undefined || this.#ahead.cid > cid) return rows;
      if (this.#ahead.cid === cid) rows.push(this.#ahead.cells);
      this.#ahead = undefined;
    }
  }

  async close(): Promise<void> {
    await this.#runs.return(undefined);
  }

  private read(text: string, line: number): CidRow {
    const cells = text.split("\t");
    const width = TABLES[this.name];
    const cid = /^[1-9]\d{0,14}$/.test(cells[0]!) ? Number(cells[0]) : 0;
    if (cid === 0 || cells.length !== width) {
      const message = `a row has a CID and ${width - 1} more columns, parted by tabs; is the file cut off?`;
      throw new DumpError(message, this.name, line);
    }
    if (cid < this.#last) {
      throw new DumpError(`CID ${cid} stands after ${this.#last}; sort the file by its first column`, this.name, line);
    }
    this.#last = cid;
    return { cid, line, cells };
  }
}

async function* readRuns(file: string, name: string, onProgress: (bytes: number) => void): AsyncGenerator<LineRun> {
  for await (const found of readDump(file, onProgress)) yield* lineRuns({ ...found, name });
}
