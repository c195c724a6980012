import { foldKeyword } from "../../../query/text/analyse.js";
import type { Db } from "../connection/database.js";

/** The rows of `key`: values of facets. They are only ever added, so they are kept in memory once read. */
export interface ValueDictionary {
  /** Row of a value at one of these paths, for each path that has it. */
  find(paths: readonly number[], value: string): number[];
  /** The folded value as UTF-8, as ranges compare it. */
  folded(key: number): Buffer;
  /** Number above all rows; reads what was added meanwhile. */
  end(): number;
  pathOf(key: number): number;
  textOf(key: number): string;
}

/** @param db a reading connection: rows of an open transaction may never come to be */
export function makeValueDictionary(db: Db): ValueDictionary {
  const paths: number[] = [];
  const values: string[] = [];
  const folds = new Map<number, Buffer>();
  const read = (): void => {
    const rows = db.sql<[number, number, string]>("SELECT id, path, value FROM key WHERE id >= ? ORDER BY id").raw();
    for (const [id, path, value] of rows.iterate(values.length)) {
      // Numbers that a rolled back transaction took are of no path.
      while (values.length < id) {
        paths.push(0);
        values.push("");
      }
      paths.push(path);
      values.push(value);
    }
  };
  const textOf = (key: number): string => {
    if (key >= values.length) read();
    return values[key] ?? "";
  };
  return {
    find: (wanted, value) => {
      const statement = db.sql<number>("SELECT id FROM key WHERE path = ? AND value = ?").pluck();
      return wanted.map((path) => statement.get(path, value)).filter((id) => id !== undefined);
    },
    folded(key) {
      let fold = folds.get(key);
      if (fold === undefined) {
        fold = Buffer.from(foldKeyword(textOf(key)), "utf8");
        folds.set(key, fold);
      }
      return fold;
    },
    end() {
      read();
      return values.length;
    },
    pathOf: (key) => paths[key] ?? 0,
    textOf,
  };
}
