import { lastChange } from "../change.js";
import type { Db } from "../database.js";
import type { Generation } from "./generation.js";
import type { CitedAmong } from "./ranked-page.js";
import { has } from "./row-set.js";

/** Up to so many rows are looked up one by one; for more all cited rows of the vocabulary are read. */
const LOOK_UPS_MAX = 200;

/** Finds out how often rows are cited in published records; keeps what it read until anything changes. */
export function makeCitedRows(db: Db): (generation: Generation) => CitedAmong {
  const known = new Map<string, { readonly seq: number; readonly rows: ReadonlyMap<number, number> }>();
  const all = (generation: Generation): ReadonlyMap<number, number> => {
    const seq = lastChange(db);
    const kept = known.get(generation.vocabulary);
    if (kept?.seq === seq) return kept.rows;
    const rows = generation
      .sql<[number, number]>(
        `SELECT t.id, u.n FROM use u CROSS JOIN ext_$g e ON e.ext = u.ext CROSS JOIN term_$g t ON t.id = e.id
         WHERE u.vocabulary = ? AND u.n > 0 AND t.ext = u.ext COLLATE BINARY`,
      )
      .raw()
      .all(generation.vocabulary);
    const map = new Map(rows);
    known.set(generation.vocabulary, { seq, rows: map });
    return map;
  };
  return (generation) => (ids) => {
    const found = new Map<number, number>();
    if (ids.length > LOOK_UPS_MAX) {
      for (const [id, n] of all(generation)) if (has(ids, id)) found.set(id, n);
      return found;
    }
    const one = generation
      .sql<number>(
        "SELECT u.n FROM term_$g t JOIN use u ON u.vocabulary = ? AND u.ext = t.ext WHERE t.id = ? AND u.n > 0",
      )
      .pluck();
    for (const id of ids) {
      const n = one.get(generation.vocabulary, id);
      if (n !== undefined) found.set(id, n);
    }
    return found;
  };
}
