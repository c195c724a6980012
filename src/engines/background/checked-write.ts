/** The row that `Store.checkWrites` writes into the table `meta`. */
import { randomBytes } from "node:crypto";

/** Name of the row. */
export const CHECKED_WRITE = "write that is checked";

/**
 * Length in bytes, as much as the deposit of a long record writes. If there is less room, a small write may succeed
 * between others that fail.
 */
const LENGTH = 512 * 1024;

/** Returns random text, which cannot be compressed. */
export const checkedText = (): string => randomBytes(LENGTH / 2).toString("hex");
