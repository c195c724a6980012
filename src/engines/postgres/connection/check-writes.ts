import { CHECKED_WRITE, checkedText } from "../../background/checked-write.js";
import type { RunTransaction } from "./write-transaction.js";

const WRITE = `INSERT INTO meta(name, value) VALUES($1, $2)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** See `Store.checkWrites`. */
export async function checkWrites(transaction: RunTransaction): Promise<void> {
  await transaction(({ sql }) => sql.run(WRITE, [CHECKED_WRITE, checkedText()]));
  await transaction(({ sql }) => sql.run("DELETE FROM meta WHERE name = $1", [CHECKED_WRITE]));
}
