import { matching } from "../bitmaps/match-set.js";
import { recordsWithElement } from "./element-level.js";
import { fewRecords, keysWithin, type LevelContext, numbersIn, type RecordLevel, setOf } from "./leaf-sets.js";
import { recordSet } from "./record-sets.js";

/** Plans about records: their rows are those of `rec`. */
export function makeRecordLevel(context: LevelContext): RecordLevel {
  const { snapshot } = context;
  return {
    check: () => snapshot.check(),
    readsDocuments: () => false,
    fewOf: (set) => fewRecords(set, snapshot, () => set.rows),
    leaf(leaf, among) {
      switch (leaf.kind) {
        case "rows":
          return matching(leaf.rows);
        case "records":
        case "visible":
        case "keywords":
          return setOf(snapshot, recordSet(leaf), among);
        case "numbers":
          return numbersIn(leaf, "records", snapshot, among);
        case "within":
          return keysWithin(leaf, "records", context, among);
        case "element":
          return recordsWithElement(leaf.group, context, among);
        case "elements":
        case "inModels":
          throw new Error(`Outside of a group there is no leaf "${leaf.kind}".`);
      }
    },
  };
}
