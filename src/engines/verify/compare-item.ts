import type { Vocabulary } from "../../core/catalog/types.js";
import { storedObject } from "../../core/json.js";
import type { TermContent } from "../../core/term.js";
import { contentOf, type TermRow, termRow } from "../../core/terms/term-row.js";
import { parseInstant } from "../../core/time.js";
import type { RepairUnit } from "./repair-plan.js";
import type { Report } from "./report.js";

/** An item as its row has its content, and the row that the content makes. */
export interface StoredItem {
  readonly content: TermContent;
  readonly expected: TermRow;
  /** Columns that are not as expected. */
  readonly wrong: readonly (keyof TermRow)[];
}

/** Reads an item, with the revision and the times that stand in it. @returns why it cannot be read, where that is so */
export function readItem(row: TermRow, vocabulary: Vocabulary): StoredItem | string {
  try {
    const content = contentOf(row);
    const age = storedObject<Readonly<Record<"created" | "updated", string>> & { readonly revision_id: number }>(
      `{${row.rest}}`,
      "The term",
      row.ext,
    );
    const [created, updated] = [parseInstant(age.created), parseInstant(age.updated)];
    const expected = termRow(content, vocabulary, { revision: age.revision_id, created, updated });
    const columns = Object.keys(expected) as (keyof TermRow)[];
    return { content, expected, wrong: columns.filter((column) => shown(row[column]) !== shown(expected[column])) };
  } catch (error) {
    return (error as Error).message;
  }
}

/** A value of a column, as text. */
const shown = (value: TermRow[keyof TermRow]): string =>
  Buffer.isBuffer(value) ? value.toString("hex") : String(value);

/**
 * Compares an item with its content. @param again what makes the item again
 * @returns undefined where it cannot be read
 */
export function compareItem<Units>(
  report: Report<Units>,
  vocabulary: Vocabulary,
  row: TermRow,
  again: RepairUnit<Units>,
): StoredItem | undefined {
  const where = `${vocabulary.name}/${row.ext}`;
  const item = readItem(row, vocabulary);
  if (typeof item === "string") {
    report.add({ check: "items.content", where, expected: "the item as JSON", found: item });
    return undefined;
  }
  for (const column of item.wrong) {
    const [expected, found] = [item.expected, row].map((each) => `${column} ${shown(each[column])}`);
    report.add({ check: "items.columns", where, expected, found }, again);
  }
  return item;
}

/** What became of an id that is no item any more. */
export interface StoredLife {
  readonly ext: string;
  readonly state: string;
  readonly successor: string | null;
  /** Is there an item with this id all the same? */
  readonly isItem: boolean;
}

/** What is an item is not gone, and what was replaced has a successor. @param again what takes the life away */
export function compareLife<Units>(
  report: Report<Units>,
  vocabulary: string,
  { ext, state, successor, isItem }: StoredLife,
  again: RepairUnit<Units>,
): void {
  const noted = { check: "items.lives", where: `${vocabulary}/${ext}` };
  if (isItem) report.add({ ...noted, expected: "an item, or gone", found: `an item and ${state}` }, again);
  if ((state === "replaced") === (successor !== null)) return;
  const expected = state === "replaced" ? "a successor" : "no successor";
  report.add({ ...noted, expected, found: successor ?? "none" });
}

/** An item whose parent is no item. What else would be meant only a curator can say. */
export function addMissingParent(report: Report, vocabulary: string, ext: string, parent: string): void {
  const noted = { check: "items.parents", where: `${vocabulary}/${ext}` };
  report.add({ ...noted, expected: `the parent ${parent}`, found: "no such item" });
}

/** An item that stands below itself. */
export function addCircle(report: Report, vocabulary: string, ext: string): void {
  const noted = { check: "items.parents", where: `${vocabulary}/${ext}` };
  report.add({ ...noted, expected: "a way up to a root", found: "a circle" });
}
