import { type RecordBody, storedBody } from "../../core/record.js";
import { STORE_ROWS, type StoreRowKind } from "../../ports/store-admin.js";

/** Kinds of rows that engines store unchanged in a table. The others are derived from several tables. */
export type PlainKind = Exclude<StoreRowKind, "counter" | "record" | "taken" | "term" | "redirect">;

/** Returns whether rows of the kind are stored unchanged in a table. */
export const isPlain = (kind: StoreRowKind): kind is PlainKind => Object.hasOwn(TABLES, kind);

/** Table of a kind of rows, with the columns that identify and order its rows. */
interface PlainTable {
  readonly table: string;
  readonly key: readonly string[];
}

const TABLES: Readonly<Record<PlainKind, PlainTable>> = {
  user: { table: "user", key: ["id"] },
  token: { table: "token", key: ["id"] },
  life: { table: "life", key: ["vocabulary", "ext"] },
  term_source: { table: "term_source", key: ["vocabulary", "name"] },
  term_load: { table: "term_load", key: ["id"] },
  term_history: { table: "term_history", key: ["id"] },
  authority_dump: { table: "dump", key: ["vocabulary", "authority"] },
  tombstone: { table: "tombstone", key: ["id"] },
  access: { table: "access", key: ["pid", "user"] },
  imported: { table: "imported", key: ["model", "owner", "key"] },
  answer: { table: "answer", key: ["token", "key"] },
  change: { table: "change", key: ["seq"] },
  change_term: { table: "change_term", key: ["import", "n"] },
  audit: { table: "audit", key: ["id"] },
  webhook: { table: "webhook", key: ["id"] },
  delivery: { table: "delivery", key: ["id"] },
};

const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

/** Column names of an engine that differ from those of a dump, such as `{ "term_load.id": "g" }`. */
export type OtherNames = Readonly<Record<string, string>>;

const columnNames = (kind: PlainKind, names: readonly string[], other: OtherNames): readonly string[] =>
  names.map((name) => other[`${kind}.${name}`] ?? name);

/** Returns SQL that reads all rows of a kind in order. */
export function selectPlain(kind: PlainKind, other: OtherNames = {}): string {
  const { table, key } = TABLES[kind];
  const columns = columnNames(kind, STORE_ROWS[kind], other);
  return `SELECT ${quoteNames(columns)} FROM "${table}" ORDER BY ${quoteNames(columnNames(kind, key, other))}`;
}

/** Returns SQL that writes rows of a kind, without their values. */
export function insertPlain(kind: PlainKind, other: OtherNames = {}): string {
  return `INSERT INTO "${TABLES[kind].table}"(${quoteNames(columnNames(kind, STORE_ROWS[kind], other))})`;
}

/** Parses the body of a record in a dump. @throws Error that quotes the record's text */
export function dumpedBody(json: unknown): RecordBody {
  try {
    return storedBody({ id: "", json: String(json) });
  } catch (error) {
    const beginning = String(json).slice(0, 60);
    throw new Error(`The dump has a row of a record that is no record ("${beginning}…"): it is damaged.`, {
      cause: error,
    });
  }
}

/** Returns the error for a dump with rows of something that the catalog does not have. */
export function refuseStoreRow(kind: "model" | "vocabulary", name: string): Error {
  return new Error(
    `The dump has rows of the ${kind} ${name}, which the catalog does not have. Name the folder that declares it in ` +
      "BINDERY_CATALOG, as the service did that was dumped.",
  );
}
