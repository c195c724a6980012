import { STORE_ROW_KINDS, type StoreRowKind, type StoreRows, type StoreValue } from "../../../ports/store-rows.js";
import { isPlain, selectPlain } from "../../transfer/plain-rows.js";
import { type Db, openDatabase } from "../connection/database.js";
import { mapError } from "../connection/map-error.js";
import { TABLE_NAMES } from "./transfer-names.js";

/** Rows that are read at once; between them others have their turn. */
const ROWS_AT_ONCE = 500;

/** Names of counters are those of tables, but for records. */
const COUNTERS = `SELECT replace(name, 'rec', 'record') AS name, seq FROM sqlite_sequence
  WHERE name IN ('audit', 'delivery', 'rec', 'token', 'user', 'webhook') AND seq > 0 ORDER BY 1`;
const RECORDS = "SELECT rec.id, doc.json FROM rec JOIN doc ON doc.id = rec.id ORDER BY rec.id";
const TAKEN = "SELECT id, revision FROM taken ORDER BY id";
const TERMS = `SELECT @vocabulary, ext, parent, title, rest, created, revision, sources FROM term_$g ORDER BY ext`;
const REDIRECTS = "SELECT @vocabulary, ext, successor FROM redirect WHERE g = $g ORDER BY ext";

/** All rows of the store as it is at one moment. While they are read, the log of the database cannot be emptied. */
export async function* dumpDatabase(folder: string): AsyncGenerator<StoreRows> {
  const db = openDatabase(folder, "reader");
  try {
    // The state is that of the first read.
    db.raw.exec("BEGIN");
    for (const kind of STORE_ROW_KINDS) yield* rowsOf(db, kind);
  } catch (error) {
    throw mapError(error);
  } finally {
    db.close();
  }
}

function* rowsOf(db: Db, kind: StoreRowKind): Generator<StoreRows> {
  if (isPlain(kind)) yield* batchesOf(db, kind, selectPlain(kind, TABLE_NAMES));
  else if (kind === "counter") yield* batchesOf(db, kind, COUNTERS);
  else if (kind === "record") yield* batchesOf(db, kind, RECORDS);
  else if (kind === "taken") yield* batchesOf(db, kind, TAKEN);
  else yield* termRows(db, kind);
}

/** Of each vocabulary its current generation. */
function* termRows(db: Db, kind: "term" | "redirect"): Generator<StoreRows> {
  const sql = "SELECT vocabulary, g FROM generation WHERE state = 'current' ORDER BY vocabulary";
  for (const { vocabulary, g } of db.sql<{ vocabulary: string; g: number }>(sql).all()) {
    const text = (kind === "term" ? TERMS : REDIRECTS).replaceAll("$g", String(g));
    yield* batchesOf(db, kind, text, { vocabulary });
  }
}

function* batchesOf(db: Db, kind: StoreRowKind, text: string, values: object = {}): Generator<StoreRows> {
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
