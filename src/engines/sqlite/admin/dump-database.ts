import { STORE_ROW_KINDS, type StoreRowKind, type StoreRows, type StoreValue } from "../../../ports/store-rows.js";
import { isPlain, type OtherNames, selectPlain } from "../../transfer/store-rows.js";
import { type Db, openDatabase } from "../connection/database.js";
import { mapError } from "../connection/map-error.js";

/** Rows per batch. Other work runs between two batches. */
const ROWS_AT_ONCE = 500;

/** SQL for counters, which are named like their tables, except for records. */
const COUNTERS = `SELECT replace(name, 'rec', 'record') AS name, seq FROM sqlite_sequence
  WHERE name IN ('audit', 'delivery', 'rec', 'token', 'user', 'webhook') AND seq > 0 ORDER BY 1`;
const RECORDS = "SELECT rec.id, doc.json FROM rec JOIN doc ON doc.id = rec.id ORDER BY rec.id";
const TAKEN = "SELECT id, revision FROM taken ORDER BY id";
const TERMS = `SELECT @vocabulary, ext, parent, title, rest, created, revision, sources FROM term_$g ORDER BY ext`;
const REDIRECTS = "SELECT @vocabulary, ext, successor FROM redirect WHERE g = $g ORDER BY ext";

/** Yields all rows of one snapshot of the store. Until the end the log of the database cannot be emptied. */
export async function* dumpDatabase(folder: string): AsyncGenerator<StoreRows> {
  const db = openDatabase(folder, "reader");
  try {
    // The first read determines the snapshot.
    db.raw.exec("BEGIN");
    for (const kind of STORE_ROW_KINDS) yield* rowsOfKind(db, kind);
  } catch (error) {
    throw mapError(error);
  } finally {
    db.close();
  }
}

/** Column names that differ from those of a dump: the number of a load is that of the generation that it made. */
export const TABLE_NAMES: OtherNames = { "term_load.id": "g" };

function* rowsOfKind(db: Db, kind: StoreRowKind): Generator<StoreRows> {
  if (isPlain(kind)) yield* queryBatches(db, kind, selectPlain(kind, TABLE_NAMES));
  else if (kind === "counter") yield* queryBatches(db, kind, COUNTERS);
  else if (kind === "record") yield* queryBatches(db, kind, RECORDS);
  else if (kind === "taken") yield* queryBatches(db, kind, TAKEN);
  else yield* termRows(db, kind);
}

/** Yields the rows of the current generation of each vocabulary. */
function* termRows(db: Db, kind: "term" | "redirect"): Generator<StoreRows> {
  const sql = "SELECT vocabulary, g FROM generation WHERE state = 'current' ORDER BY vocabulary";
  for (const { vocabulary, g } of db.sql<{ vocabulary: string; g: number }>(sql).all()) {
    const text = (kind === "term" ? TERMS : REDIRECTS).replaceAll("$g", String(g));
    yield* queryBatches(db, kind, text, { vocabulary });
  }
}

function* queryBatches(db: Db, kind: StoreRowKind, text: string, values: object = {}): Generator<StoreRows> {
  let rows: StoreValue[][] = [];
  const read = db.raw.prepare<object, StoreValue[]>(text).raw();
  for (const row of read.iterate(values)) {
    rows.push(row);
    if (rows.length < ROWS_AT_ONCE) continue;
    yield { kind, rows };
    rows = [];
  }
  if (rows.length > 0) yield { kind, rows };
}
