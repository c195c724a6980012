import type { Vocabulary } from "../../../core/catalog/types.js";
import type { TermContent } from "../../../core/term.js";
import { contentOf, type TermRow, termRow } from "../../../core/terms/term-row.js";
import { parseInstant } from "../../../core/time.js";
import type { StoredRow } from "../vocabulary/store/put-row.js";

/** An item as its row has its content, and the row that the content makes. */
export interface StoredItem {
  readonly content: TermContent;
  readonly expected: TermRow;
  /** Columns that are not as expected. */
  readonly wrong: readonly (keyof TermRow)[];
}

/** Reads an item, with the revision and the times that stand in it. @returns why it cannot be read, where that is so */
export function readItem(row: StoredRow, vocabulary: Vocabulary): StoredItem | string {
  try {
    const content = contentOf(row);
    const age = JSON.parse(`{${row.rest}}`) as Readonly<Record<"created" | "updated", string>> & {
      readonly revision_id: number;
    };
    const [created, updated] = [parseInstant(age.created), parseInstant(age.updated)];
    const expected = termRow(content, vocabulary, { revision: age.revision_id, created, updated });
    const columns = Object.keys(expected) as (keyof TermRow)[];
    return { content, expected, wrong: columns.filter((column) => shown(row[column]) !== shown(expected[column])) };
  } catch (error) {
    return (error as Error).message;
  }
}

/** A value of a column, as text. */
export const shown = (value: TermRow[keyof TermRow]): string =>
  Buffer.isBuffer(value) ? value.toString("hex") : String(value);
