import { escapeLiteral } from "pg";
import { storable } from "./storable-text.js";

/** A value as it stands in a statement that is sent without parameters. */
export function literal(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : escapeLiteral(storable(value));
}

/** Rows as `VALUES` lists them. */
export function literalRows(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `(${row.map(literal).join(", ")})`).join(", ");
}
