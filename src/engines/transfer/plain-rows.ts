import { STORE_ROWS, type StoreRowKind } from "../../ports/store-rows.js";

/** Kinds of rows that engines keep in a table as they are; the others are made of something, or stand elsewhere. */
export type PlainKind = Exclude<StoreRowKind, "counter" | "record" | "taken" | "term" | "redirect">;

/** Is it read and written as it stands in a table? */
export const isPlain = (kind: StoreRowKind): kind is PlainKind => Object.hasOwn(TABLES, kind);

/** Where a kind of rows stands: in which table, by which values its rows are known and in order. */
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

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

/** What an engine calls a value where that is not its name here: `{ "term_load.id": "g" }`. */
export type OtherNames = Readonly<Record<string, string>>;

const columnsOf = (kind: PlainKind, names: readonly string[], other: OtherNames): readonly string[] =>
  names.map((name) => other[`${kind}.${name}`] ?? name);

/** Reads all rows of a kind in their order. */
export function selectPlain(kind: PlainKind, other: OtherNames = {}): string {
  const { table, key } = TABLES[kind];
  const columns = columnsOf(kind, STORE_ROWS[kind], other);
  return `SELECT ${quoted(columns)} FROM "${table}" ORDER BY ${quoted(columnsOf(kind, key, other))}`;
}

/** The beginning of what writes rows of a kind, up to their values. */
export function insertPlain(kind: PlainKind, other: OtherNames = {}): string {
  return `INSERT INTO "${TABLES[kind].table}"(${quoted(columnsOf(kind, STORE_ROWS[kind], other))})`;
}
