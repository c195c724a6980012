import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/bindery.js";

/** A row of a table by its column's names, as it stands in the text. */
export type Row = Readonly<Record<string, string>>;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** All tables of a page of the repository. */
export function readTables(page: string): Table[] {
  const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
  const tables: { columns: string[]; rows: Row[] }[] = [];
  let isInside = false;
  for (const line of text.split("\n")) {
    const startsHere = !isInside && line.startsWith("|");
    isInside = line.startsWith("|");
    if (startsHere) tables.push({ columns: splitCells(line), rows: [] });
    else if (isInside && !/^[|:\s-]+$/.test(line)) {
      const [cells, table] = [splitCells(line), tables.at(-1)!];
      table.rows.push(Object.fromEntries(table.columns.map((column, i) => [column, cells[i] ?? ""])));
    }
  }
  return tables;
}

/** What stands in backticks. */
export function codeIn(cell: string | undefined): string[] {
  return [...(cell ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1]!.replaceAll("\\|", "|"));
}

/** A bar within a cell is written `\|`. */
function splitCells(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/);
  return cells.slice(1, -1).map((cell) => cell.trim());
}
