import type { Sql, SqlValue } from "./sql.js";
import { restored, storable } from "./storable-text.js";

/** What a driver gives back. */
export interface Answer {
  readonly rows: readonly Record<string, unknown>[];
  /** Rows that were written. */
  readonly written: number;
}

/** Makes what runs SQL of what sends one statement. Texts pass in both directions as they can be stored. */
export function makeSql(send: (text: string, values: unknown[]) => Promise<Answer>): Sql {
  const ask = (text: string, values: readonly SqlValue[] = []): Promise<Answer> => send(text, values.map(sent));
  const rows = async <Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]> =>
    (await ask(text, values)).rows.map(received) as Row[];
  return {
    rows,
    row: async <Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row | undefined> =>
      (await rows<Row>(text, values))[0],
    run: async (text, values) => (await ask(text, values)).written,
  };
}

function sent(value: SqlValue | string | number | null): unknown {
  if (typeof value === "string") return storable(value);
  return Array.isArray(value) ? value.map(sent) : value;
}

function received(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const name in row) {
    const value = row[name];
    made[name] = typeof value === "string" ? restored(value) : value;
  }
  return made;
}
