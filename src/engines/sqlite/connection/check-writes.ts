import { CHECKED_WRITE, checkedText } from "../../background/checked-write.js";
import { writeMeta } from "./database.js";
import type { Writer } from "./write-connection.js";

/** See `Store.checkWrites`. */
export async function checkWrites(writer: Writer): Promise<void> {
  const { db } = writer;
  await writer.run(() => writeMeta(db.raw, CHECKED_WRITE, checkedText()));
  await writer.run(() => void db.sql("DELETE FROM meta WHERE name = ?").run(CHECKED_WRITE));
}
