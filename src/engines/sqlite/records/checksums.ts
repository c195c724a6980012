import * as zlib from "node:zlib";
import { crc32 as plainCrc32 } from "../../../core/crc32.js";
import { fail } from "../../../core/errors.js";
import type { RecordBody } from "../../../core/record.js";
import { startSteps } from "../../background/run-steps.js";
import { readStoredBody } from "../../verify/compare-record.js";
import { DATABASE_FILE } from "../connection/data-folder.js";
import { type Db, readMeta, writeMeta } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";

/** Node's implementation, which uses processor instructions, exists since 20.15. */
const crc32: (text: string) => number = zlib.crc32 ?? plainCrc32;

/** Keeps the sum, including the CRC-32 below, within the exact integers of JavaScript. */
const REVISIONS = 2 ** 20;

/**
 * Returns the checksum of a record's body: the CRC-32 of its UTF-8, which detects each changed byte and each changed
 * run of up to 32 bits, and above it the low 20 bits of its revision, which detect a page of an older write.
 */
export function checksumOf(json: string, revision: number): number {
  return (revision % REVISIONS) * 2 ** 32 + crc32(json);
}

/**
 * Returns whether the body is the one that was written. A body that was stored before checksums existed has none until
 * the writer adds it, and counts as intact.
 */
export function isIntact(json: string, revision: number, sum: number | null): boolean {
  return sum === null || sum === checksumOf(json, revision);
}

/** Returns the error for reading a record whose body is damaged. */
export function recordDamaged(id: string) {
  const part = `The record "${id}" in ${DATABASE_FILE}`;
  return fail("STORE_DAMAGED", { part, reason: "its checksum is wrong", record: id });
}

/** Returns the body of a stored text, or a description of its damage. */
export function readIntactBody(json: string, sum: number | null): RecordBody | string {
  const body = readStoredBody(json);
  if (typeof body === "string" || isIntact(json, body.revision_id, sum)) return body;
  return "a text with a wrong checksum";
}

/** Key in `meta` of the row from which downwards bodies may lack a checksum. If it is absent, all have one. */
export const UNSUMMED_KEY = "bodies without checksum up to";

/** Maximum time that a transaction writes, and the pause before the next one. */
const STEP_MS = 20;
const PAUSE_MS = 20;

/**
 * Adds checksums to bodies that were stored before checksums existed: newest first, in short transactions. The next
 * start continues unfinished work.
 */
export function startChecksumUpdates(writer: Writer): { stop(): Promise<void> } {
  const addBatch = async (): Promise<number | "done"> => ((await addSomeChecksums(writer)) ? PAUSE_MS : "done");
  return startSteps("checksums", writer.background, addBatch);
}

/** Adds checksums until a step is over. @returns whether there are more */
async function addSomeChecksums(writer: Writer): Promise<boolean> {
  const { db } = writer;
  if (readMeta(db.raw, UNSUMMED_KEY) === undefined) return false;
  return writer.run(() => {
    const start = performance.now();
    const from = Number(readMeta(db.raw, UNSUMMED_KEY) ?? 0);
    let nextRow = from;
    for (const row of unsummed(db, from)) {
      addChecksum(db, row);
      nextRow = row.id - 1;
      if (performance.now() - start > STEP_MS) {
        writeMeta(db.raw, UNSUMMED_KEY, String(nextRow));
        return true;
      }
    }
    db.sql("DELETE FROM meta WHERE name = ?").run(UNSUMMED_KEY);
    return false;
  });
}

interface UnsummedBody {
  readonly id: number;
  readonly json: string;
  readonly revision: number;
}

/** Yields bodies without a checksum, from a row downwards. */
function* unsummed(db: Db, from: number): Generator<UnsummedBody> {
  const unsummedBelow = db.sql<UnsummedBody>(
    `SELECT doc.id, doc.json, rec.revision FROM doc JOIN rec ON rec.id = doc.id
     WHERE doc.id <= ? AND doc.sum IS NULL ORDER BY doc.id DESC LIMIT 1`,
  );
  for (let row = unsummedBelow.get(from); row !== undefined; row = unsummedBelow.get(row.id - 1)) yield row;
}

/**
 * Adds the checksum of a body. A damaged body, or one of another revision, gets none, because a checksum would declare
 * it right.
 */
function addChecksum(db: Db, { id, json, revision }: UnsummedBody): void {
  const body = readStoredBody(json);
  if (typeof body === "string" || body.revision_id !== revision) return;
  db.sql("UPDATE doc SET sum = ? WHERE id = ?").run(checksumOf(json, revision), id);
}

/** Adds all missing checksums in consecutive transactions. @returns their number */
export async function addChecksums(writer: Writer): Promise<number> {
  const count = (): number => writer.db.sql<number>("SELECT count(*) FROM doc WHERE sum IS NULL").pluck().get() ?? 0;
  const missingBefore = count();
  if (missingBefore === 0) return 0;
  await writer.run(() => {
    const last = writer.db.sql<number>("SELECT max(id) FROM doc").pluck().get();
    writeMeta(writer.db.raw, UNSUMMED_KEY, String(last));
  });
  while (await addSomeChecksums(writer));
  return missingBefore - count();
}
