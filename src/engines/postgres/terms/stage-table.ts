import type { Redirect } from "../../../ports/loads.js";
import type { CurrentItem } from "../../term-loads/made-items.js";
import type { Stage, StagedItem } from "../../term-loads/stage-lines.js";
import type { Sql, SqlValue } from "../connection/sql.js";

/** A row of `term_stage`, in the order of its columns after `load`. */
type StageRow = readonly [
  n: number,
  line: number | null,
  ext: string,
  fresh: number,
  moved: number,
  parent: string | null,
  successor: string | null,
  before: string | null,
  hash: string | null,
  content: string | null,
  patch: string | null,
  changes: string | null,
  sources: number | null,
];

const INSERT = `INSERT INTO term_stage(load, n, line, ext, fresh, moved, parent, successor, before, hash, content,
    patch, changes, sources)
  SELECT $1, s.* FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::smallint[], $6::smallint[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[]) s`;

const COLUMNS = 13;

const REDIRECT = `INSERT INTO term_stage_redirect(load, ext, successor)
  SELECT $1, ext, successor FROM unnest($2::text[], $3::text[]) r(ext, successor)
  ON CONFLICT (load, ext) DO UPDATE SET successor = excluded.successor`;

const SEE = "INSERT INTO term_seen(load, ext) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING";

/** Collects the rows that a load stages, and writes them in a few statements. */
export class StageTable implements Stage {
  #count = 0;
  readonly #load: string;
  #rows: StageRow[] = [];
  #redirects = new Map<string, string | null>();
  #seen = new Set<string>();

  constructor(load: string) {
    this.#load = load;
  }

  insert({ line, id, old, made, isMoved, successor, patch, changes, sources }: StagedItem): void {
    const { parent, hash, json } = made;
    const kind = [old === undefined ? 1 : 2, isMoved ? 1 : 0] as const;
    this.#add([line, id, ...kind, parent, successor, old?.hash ?? null, hash, json, patch, changes, sources]);
  }

  insertUnchanged(id: string, line: number | null, { hash }: Pick<CurrentItem, "hash">): void {
    this.#add([line, id, 0, 0, null, null, hash, hash, null, null, null, null]);
  }

  noteSources(id: string, sources: number): void {
    this.#add([null, id, -1, 0, null, null, null, null, null, null, null, sources]);
  }

  redirect({ id, to }: Redirect): void {
    this.#redirects.set(id, to);
  }

  see(id: string): void {
    this.#seen.add(id);
  }

  /** Writes the collected rows. */
  async flush(sql: Sql): Promise<void> {
    const [rows, redirects, seen] = [this.#rows, this.#redirects, this.#seen];
    [this.#rows, this.#redirects, this.#seen] = [[], new Map(), new Set()];
    if (rows.length > 0) await sql.run(INSERT, [this.#load, ...columnsOf(rows)]);
    if (redirects.size > 0) await sql.run(REDIRECT, [this.#load, [...redirects.keys()], [...redirects.values()]]);
    if (seen.size > 0) await sql.run(SEE, [this.#load, [...seen]]);
  }

  #add(row: StageRow extends readonly [number, ...infer Rest] ? readonly [...Rest] : never): void {
    this.#count += 1;
    this.#rows.push([this.#count, ...row]);
  }
}

const columnsOf = (rows: readonly StageRow[]): SqlValue[] =>
  Array.from({ length: COLUMNS }, (_, column) => rows.map((row) => row[column]!));
