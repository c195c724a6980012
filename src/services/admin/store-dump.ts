/**
 * The file format in which a whole store is copied to another one: NDJSON, with the format in the first line and a
 * digest in the last one.
 */
import { createHash, type Hash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import {
  STORE_ROW_KINDS,
  STORE_ROWS,
  type StoreRowKind,
  type StoreRows,
  type StoreValue,
} from "../../ports/store-admin.js";

/** Content of the first line. The version changes when the rows change. */
const HEADER = { format: "bindery-store", version: 2 } as const;

/** The previous version: its changes have no public numbers, because `seq` was the number of every change. */
const UNNUMBERED_VERSION = 1;

/** Number of rows in a batch. */
const BATCH_ROWS = 500;

/** Thrown for a file that is not a dump, is truncated or damaged. The message has the line and the reason. */
class StoreDumpError extends Error {
  override readonly name = "StoreDumpError";
}

/** Number of rows of each kind. */
type StoreRowCounts = Readonly<Partial<Record<StoreRowKind, number>>>;

/** Writes the text of a dump, some lines at a time. Two dumps of the same store are identical. */
export async function* writeStoreDump(batches: AsyncIterable<StoreRows>): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const counts: Partial<Record<StoreRowKind, number>> = {};
  const hashed = (text: string): string => {
    hash.update(text);
    return text;
  };
  yield hashed(`${JSON.stringify(HEADER)}\n`);
  for await (const { kind, rows } of batches) {
    counts[kind] = (counts[kind] ?? 0) + rows.length;
    const names = STORE_ROWS[kind];
    yield hashed(rows.map((row) => `${JSON.stringify(rowObject(kind, names, row))}\n`).join(""));
  }
  yield `${JSON.stringify({ end: true, rows: counts, sha256: hash.digest("hex") })}\n`;
}

/** Returns the object of a row, without null values. */
function rowObject(kind: string, names: readonly string[], row: readonly StoreValue[]): JsonObject {
  const members = names.map((name, i) => [name, row[i]] as const).filter(([, value]) => value !== null);
  // The key is `rows` because no row has a value of this name; some rows have a `kind`.
  return Object.fromEntries([["rows", kind], ...members]) as JsonObject;
}

/**
 * Reads the rows of a dump.
 * @param pieces pieces of its text
 * @throws StoreDumpError, possibly only at the end: the rows are valid only after the whole dump was read
 */
export async function* readStoreDump(pieces: AsyncIterable<string>): AsyncGenerator<StoreRows> {
  const hash = createHash("sha256");
  let reader = makeRowReader(HEADER.version);
  let number = 0;
  let isWhole = false;
  for await (const line of dumpLines(pieces)) {
    number += 1;
    if (isWhole) throw new StoreDumpError(`Line ${number}: the dump ended on the line before.`);
    const value = parseLine(line, number);
    if (number === 1) reader = makeRowReader(readVersion(value));
    else if (value.end === true) {
      yield* reader.rest();
      checkEnd(value, reader.counts(), hash, number);
      isWhole = true;
    } else yield* reader.read(value, number);
    hash.update(`${line}\n`);
  }
  if (!isWhole) throw new StoreDumpError(`The dump is cut off after line ${number}: its last line is missing.`);
}

/** Splits text into lines. @throws StoreDumpError for a line that is too long */
async function* dumpLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest: string[] = [];
  let length = 0;
  let number = 1;
  for await (const piece of pieces) {
    const [first = "", ...others] = piece.split("\n");
    rest.push(first);
    length += first.length;
    if (length > LIMITS.storeDumpLineLengthMax) {
      const max = LIMITS.storeDumpLineLengthMax;
      throw new StoreDumpError(`Line ${number} has more than ${max} characters, as no dump of a store does.`);
    }
    for (const next of others) {
      yield rest.join("");
      rest = [next];
      length = next.length;
      number += 1;
    }
  }
  const last = rest.join("");
  if (last !== "") yield last;
}

function parseLine(line: string, number: number): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(line) as Json;
  } catch {
    throw new StoreDumpError(`Line ${number} is not JSON; the dump is damaged or cut off.`);
  }
  if (!isObject(value)) throw new StoreDumpError(`Line ${number} is not a JSON object.`);
  return value;
}

function readVersion({ format, version }: JsonObject): number {
  if (format !== HEADER.format)
    throw new StoreDumpError("Line 1: this is no dump of a store; `bindery dump` writes one.");
  if (version === HEADER.version || version === UNNUMBERED_VERSION) return version;
  throw new StoreDumpError(
    `The dump has version ${JSON.stringify(version)}; this Bindery reads ${UNNUMBERED_VERSION} and ${HEADER.version}.`,
  );
}

function checkEnd({ rows, sha256 }: JsonObject, counts: StoreRowCounts, hash: Hash, number: number): void {
  if (hash.copy().digest("hex") !== sha256) {
    throw new StoreDumpError(`Line ${number}: the dump is not what was written (its SHA-256 is another one).`);
  }
  if (JSON.stringify(rows) !== JSON.stringify(counts)) throw new StoreDumpError(`Line ${number}: rows are missing.`);
}

/** Creates a reader of rows, which come in the order of their kinds, and are returned in batches. */
function makeRowReader(version: number) {
  const counts: Partial<Record<StoreRowKind, number>> = {};
  let kind: StoreRowKind | undefined;
  let rows: (readonly StoreValue[])[] = [];
  function* rest(): Generator<StoreRows> {
    if (kind !== undefined && rows.length > 0) yield { kind, rows };
    rows = [];
  }
  return {
    counts: (): StoreRowCounts => counts,
    rest,
    *read(value: JsonObject, number: number): Generator<StoreRows> {
      const next = STORE_ROW_KINDS.find((known) => known === value.rows);
      if (next === undefined) throw new StoreDumpError(`Line ${number}: there are no rows "${String(value.rows)}".`);
      if (next !== kind) {
        yield* rest();
        if (kind !== undefined && STORE_ROW_KINDS.indexOf(next) < STORE_ROW_KINDS.indexOf(kind)) {
          throw new StoreDumpError(`Line ${number}: a row "${next}" stands after rows "${kind}".`);
        }
        kind = next;
      }
      counts[next] = (counts[next] ?? 0) + 1;
      const isUnnumbered = next === "change" && version === UNNUMBERED_VERSION;
      const row: JsonObject = isUnnumbered ? { ...value, shown: value.seq! } : value;
      rows.push(STORE_ROWS[next].map((name) => storeValue(row[name], name, number)));
      if (rows.length >= BATCH_ROWS) yield* rest();
    },
  };
}

function storeValue(value: Json | undefined, name: string, number: number): StoreValue {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  throw new StoreDumpError(`Line ${number}: "${name}" is neither a text nor a number.`);
}
