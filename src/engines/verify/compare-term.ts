import type { Vocabulary } from "../../core/catalog/types.js";
import { storedObject } from "../../core/json.js";
import type { TermContent } from "../../core/term.js";
import { readTermContent, type TermRow, termRow } from "../../core/terms/term-row.js";
import { parseInstant } from "../../core/time.js";
import type { RepairUnit, Report } from "./report.js";

/** The content of a stored term, and the row that the content produces. */
export interface VerifiedTerm {
  readonly content: TermContent;
  readonly expected: TermRow;
  /** Columns that differ from the expected ones. */
  readonly wrong: readonly (keyof TermRow)[];
}

/** Reads a term with its revision and times. @returns the reason if it cannot be read */
export function readVerifiedTerm(row: TermRow, vocabulary: Vocabulary): VerifiedTerm | string {
  try {
    const content = readTermContent(row);
    const age = storedObject<Readonly<Record<"created" | "updated", string>> & { readonly revision_id: number }>(
      `{${row.rest}}`,
      "The term",
      row.ext,
    );
    const [created, updated] = [parseInstant(age.created), parseInstant(age.updated)];
    const expected = termRow(content, vocabulary, { revision: age.revision_id, created, updated });
    const columns = Object.keys(expected) as (keyof TermRow)[];
    return {
      content,
      expected,
      wrong: columns.filter((column) => columnText(row[column]) !== columnText(expected[column])),
    };
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the value of a column as text. */
const columnText = (value: TermRow[keyof TermRow]): string =>
  Buffer.isBuffer(value) ? value.toString("hex") : String(value);

/**
 * Compares a term with its content.
 * @param unit unit that rebuilds the term
 * @returns undefined if it cannot be read
 */
export function compareTerm<Units>(
  report: Report<Units>,
  vocabulary: Vocabulary,
  row: TermRow,
  unit: RepairUnit<Units>,
): VerifiedTerm | undefined {
  const where = `${vocabulary.name}/${row.ext}`;
  const item = readVerifiedTerm(row, vocabulary);
  if (typeof item === "string") {
    report.add({ check: "items.content", where, expected: "the item as JSON", found: item });
    return undefined;
  }
  for (const column of item.wrong) {
    const [expected, found] = [item.expected, row].map((termRow) => `${column} ${columnText(termRow[column])}`);
    report.add({ check: "items.columns", where, expected, found }, unit);
  }
  return item;
}

/** The state of an id that is no longer a term. */
export interface StoredLife {
  readonly ext: string;
  readonly state: string;
  readonly successor: string | null;
  /** Whether a term with this id exists. */
  readonly isItem: boolean;
}

/**
 * Checks that no term is also marked as deleted, and that each replaced id has a successor.
 * @param unit unit that removes the marker
 */
export function compareLife<Units>(
  report: Report<Units>,
  vocabulary: string,
  { ext, state, successor, isItem }: StoredLife,
  unit: RepairUnit<Units>,
): void {
  const finding = { check: "items.lives", where: `${vocabulary}/${ext}` };
  if (isItem) report.add({ ...finding, expected: "an item, or gone", found: `an item and ${state}` }, unit);
  if ((state === "replaced") === (successor !== null)) return;
  const expected = state === "replaced" ? "a successor" : "no successor";
  report.add({ ...finding, expected, found: successor ?? "none" });
}

/** Reports a term with a missing parent. Only a curator can correct it. */
export function addMissingParent(report: Report, vocabulary: string, ext: string, parent: string): void {
  const finding = { check: "items.parents", where: `${vocabulary}/${ext}` };
  report.add({ ...finding, expected: `the parent ${parent}`, found: "no such item" });
}

/** Reports a term that is below itself. */
export function addCircle(report: Report, vocabulary: string, ext: string): void {
  const finding = { check: "items.parents", where: `${vocabulary}/${ext}` };
  report.add({ ...finding, expected: "a way up to a root", found: "a circle" });
}
