/** What `Store.checkWrites` writes into the table `meta`. */
import { randomBytes } from "node:crypto";

/** Name of its row. */
export const CHECKED_WRITE = "write that is checked";

/**
 * Bytes: as much as the deposit of a long record writes. Where there is room for less, a small write succeeds between
 * others that fail.
 */
const LENGTH = 512 * 1024;

/** What cannot be stored in fewer bytes. */
export const checkedText = (): string => randomBytes(LENGTH / 2).toString("hex");
