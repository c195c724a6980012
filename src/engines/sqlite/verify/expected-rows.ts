import type { Model } from "../../../core/catalog/types.js";
import type { RecordBody } from "../../../core/record.js";
import type { Citations } from "../../../core/records/record-change.js";
import { recordLeaves } from "../../../query/index-model/record-leaves.js";
import { joinParts, type RecordRows, rowPart } from "../documents/record-rows.js";
import { makeTermNow } from "../vocabulary/store/term-now.js";
import type { VerifyContext } from "./verify-context.js";

/** What the index has to hold of a body. */
export interface ExpectedRows {
  readonly rows: RecordRows;
  readonly uses: Citations;
  /** Every word of it. */
  readonly words: ReadonlySet<string>;
}

/** Stands for a path or a key that has no row: no row has this number. */
const NO_PATH = 65_535;
const NO_KEY = 0xffffffff;

/** Keys that are kept in memory. */
const KEYS_MAX = 200_000;

/** Makes the rows of records without writing anything. */
export function makeExpectedRows({
  db,
  paths,
  facetPaths,
}: VerifyContext): (body: RecordBody, model: Model) => ExpectedRows {
  const termOf = makeTermNow(db);
  const keys = new Map<string, number>();
  const findKey = db.sql<number>("SELECT id FROM key WHERE path = ? AND value = ?").pluck();
  const pathId = (path: string): number => paths.idOf(path) ?? NO_PATH;
  const keyId = (path: number, value: string): number => {
    const name = `${path} ${value}`;
    let key = keys.get(name);
    if (key === undefined) {
      key = findKey.get(path, value) ?? NO_KEY;
      if (keys.size > KEYS_MAX) keys.clear();
      keys.set(name, key);
    }
    return key;
  };
  return (body, model) => {
    const part = rowPart(recordLeaves(body, model, termOf), { pathId, isKeyPath: (path) => facetPaths.has(path) });
    return { rows: joinParts([part], keyId), uses: part.uses, words: new Set(part.words) };
  };
}
