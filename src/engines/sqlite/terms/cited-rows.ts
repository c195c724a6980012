import { lastChange } from "../change.js";
import type { Db } from "../database.js";
import { countRows, hasRow, idsOf, type Rows } from "../rows.js";
import { compareRank, type LateRow } from "./static-order.js";
import type { SearchContext } from "./term-search.js";

/** A row that published records cite, and how many do. */
export interface CitedRow extends LateRow {
  readonly cited: number;
}

/** Active first, then most cited, then by rank. */
export function compareCited(a: Omit<CitedRow, "id">, b: Omit<CitedRow, "id">): number {
  return a.status - b.status || b.cited - a.cited || compareRank(a, b);
}

/** Those of some rows that published records cite. */
export interface Cited {
  /** In the order of `compareCited`. */
  readonly rows: readonly CitedRow[];
  /** Is this one, of the rows asked about, among them? */
  has(id: number): boolean;
}

export type CitedAmong = (rows: Rows) => Cited;

/** Up to so many rows are looked up one by one; for more all cited rows of the vocabulary are read. */
const LOOK_UPS_MAX = 200;

const COLUMNS = "t.id, t.status, t.prior, t.length, t.ext, u.n AS cited";

const ROW_BYTES = 200;

export function makeCitedRows(db: Db): (context: SearchContext) => CitedAmong {
  return (context) => (rows) => {
    const { generation } = context;
    if (countRows(rows) > LOOK_UPS_MAX) {
      const all = allCited(db, context);
      return { rows: all.rows.filter(({ id }) => hasRow(rows, id)), has: (id) => all.ids.has(id) };
    }
    const one = generation.sql<CitedRow>(
      `SELECT ${COLUMNS} FROM term_$g t JOIN use u ON u.vocabulary = ? AND u.ext = t.ext WHERE t.id = ? AND u.n > 0`,
    );
    const found: CitedRow[] = [];
    for (const id of idsOf(rows)) {
      const row = one.get(generation.vocabulary, id);
      if (row !== undefined) found.push(row);
    }
    const ids = new Set(found.map(({ id }) => id));
    return { rows: found.sort(compareCited), has: (id) => ids.has(id) };
  };
}

interface Kept {
  readonly seq: number;
  readonly g: number;
  readonly rows: readonly CitedRow[];
  readonly ids: ReadonlySet<number>;
}

/** Right as long as nothing has changed since. */
function allCited(db: Db, { generation, memory }: SearchContext): Kept {
  const seq = lastChange(db);
  const key = `cited ${generation.vocabulary}`;
  const known = memory.get<Kept>(key);
  if (known?.seq === seq && known.g === generation.g) return known;
  const rows = generation
    .sql<CitedRow>(
      `SELECT ${COLUMNS} FROM use u CROSS JOIN ext_$g e ON e.ext = u.ext CROSS JOIN term_$g t ON t.id = e.id
       WHERE u.vocabulary = ? AND u.n > 0 AND t.ext = u.ext COLLATE BINARY`,
    )
    .all(generation.vocabulary)
    .sort(compareCited);
  const made: Kept = { seq, g: generation.g, rows, ids: new Set(rows.map(({ id }) => id)) };
  memory.keep(key, made, rows.length * ROW_BYTES);
  return made;
}
