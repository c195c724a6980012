import { both, either, NO_ROWS, type Rows, without } from "./rows.js";

/** What a clause answers: some rows, or all rows but these. Whatever is kept or asked of SQLite gives one of these. */
export interface RowSet {
  readonly rows: Rows;
  readonly except: boolean;
}

export const NOTHING_FOUND: RowSet = { rows: NO_ROWS, except: false };
export const ALL_FOUND: RowSet = { rows: NO_ROWS, except: true };

export const found = (rows: Rows): RowSet => ({ rows, except: false });

export const complement = ({ rows, except }: RowSet): RowSet => ({ rows, except: !except });

export function intersect(a: RowSet, b: RowSet): RowSet {
  if (a.except && b.except) return { rows: either(a.rows, b.rows), except: true };
  if (a.except) return found(without(b.rows, a.rows));
  if (b.except) return found(without(a.rows, b.rows));
  return found(both(a.rows, b.rows));
}

export function union(a: RowSet, b: RowSet): RowSet {
  return complement(intersect(complement(a), complement(b)));
}

/** The rows among those that there are. */
export function rowsAmong(all: Rows, { rows, except }: RowSet): Rows {
  return except ? without(all, rows) : both(all, rows);
}
