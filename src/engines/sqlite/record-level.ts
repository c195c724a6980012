import { recordsWithElement } from "./element-level.js";
import type { Level } from "./evaluate.js";
import { keysWithin, type LevelContext, numbersIn, setOf } from "./leaf-sets.js";
import { keywordRecords, matchedRecords, visibleRecords } from "./record-sets.js";
import { found } from "./row-set.js";
import { idsOf, type RowRange } from "./rows.js";

/** Plans about records: their rows are those of `rec`. */
export function makeRecordLevel(context: LevelContext): Level {
  const { looking } = context;
  return {
    check: () => looking.check(),
    recordsOf: (rows) => rangesOf(idsOf(rows)),
    leaf(leaf, among) {
      switch (leaf.kind) {
        case "rows":
          return found(leaf.rows);
        case "match":
          return setOf(looking, matchedRecords(leaf.matches), among);
        case "visible":
          return setOf(looking, visibleRecords(leaf.scope), among);
        case "keywords":
          return setOf(looking, keywordRecords(leaf), among);
        case "numbers":
          return numbersIn(leaf, "records", looking, among);
        case "within":
          return keysWithin(leaf, "records", context, among);
        case "element":
          return recordsWithElement(leaf.group, context, among);
      }
    },
  };
}

/** @param records ascending */
export function rangesOf(records: Uint32Array): readonly RowRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const record of records) {
    const range = ranges.at(-1);
    if (range !== undefined && record <= range.last + 1) range.last = record;
    else ranges.push({ first: record, last: record });
  }
  return ranges;
}
