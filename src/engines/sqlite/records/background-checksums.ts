import { startSteps } from "../../background/run-steps.js";
import { readStoredBody } from "../../verify/stored-body.js";
import { type Db, readMeta, writeMeta } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";
import { checksumOf } from "./checksum.js";

/** In `meta`: rows from this one downwards may have no checksum; absent: all have one. */
export const UNSUMMED = "bodies without checksum up to";

/** A transaction writes for so long at most, and the next one begins after such a pause. */
const STEP_MS = 20;
const PAUSE_MS = 20;

/**
 * Adds the checksums of bodies that were stored before there were any: newest first, in short transactions beside all
 * else. What is not done when it stops the next start goes on with.
 */
export function tendChecksums(writer: Writer): { stop(): Promise<void> } {
  const step = async (): Promise<number | "done"> => ((await addSome(writer)) ? PAUSE_MS : "done");
  return startSteps("checksums", writer.background, step);
}

/** Adds them until a step is over. @returns whether there are more */
async function addSome(writer: Writer): Promise<boolean> {
  const { db } = writer;
  if (readMeta(db.raw, UNSUMMED) === undefined) return false;
  return writer.run(() => {
    const start = performance.now();
    const from = Number(readMeta(db.raw, UNSUMMED) ?? 0);
    let last = from;
    for (const row of unsummed(db, from)) {
      addChecksum(db, row);
      last = row.id - 1;
      if (performance.now() - start > STEP_MS) {
        writeMeta(db.raw, UNSUMMED, String(last));
        return true;
      }
    }
    db.sql("DELETE FROM meta WHERE name = ?").run(UNSUMMED);
    return false;
  });
}

interface Unsummed {
  readonly id: number;
  readonly json: string;
  readonly revision: number;
}

/** A few of the bodies without a checksum, from a row downwards. */
function* unsummed(db: Db, from: number): Generator<Unsummed> {
  const find = db.sql<Unsummed>(
    `SELECT doc.id, doc.json, rec.revision FROM doc JOIN rec ON rec.id = doc.id
     WHERE doc.id <= ? AND doc.sum IS NULL ORDER BY doc.id DESC LIMIT 1`,
  );
  for (let row = find.get(from); row !== undefined; row = find.get(row.id - 1)) yield row;
}

/** A body that is none, or that is not of its row's revision, gets no checksum that would say it is right. */
function addChecksum(db: Db, { id, json, revision }: Unsummed): void {
  const body = readStoredBody(json);
  if (typeof body === "string" || body.revision_id !== revision) return;
  db.sql("UPDATE doc SET sum = ? WHERE id = ?").run(checksumOf(json, revision), id);
}

/** Adds all that are missing, in one go after the other. @returns how many there were */
export async function addChecksums(writer: Writer): Promise<number> {
  const count = (): number => writer.db.sql<number>("SELECT count(*) FROM doc WHERE sum IS NULL").pluck().get() ?? 0;
  const before = count();
  if (before === 0) return 0;
  await writer.run(() => {
    const last = writer.db.sql<number>("SELECT max(id) FROM doc").pluck().get();
    writeMeta(writer.db.raw, UNSUMMED, String(last));
  });
  while (await addSome(writer));
  return before - count();
}
