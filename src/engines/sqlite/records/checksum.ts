import * as zlib from "node:zlib";
import { crc32 as plainCrc32 } from "../../../core/crc32.js";
import { fail } from "../../../core/errors.js";
import { DATABASE_FILE } from "../connection/file-name.js";

/** Node has it, by the processor's own instructions, since 20.15. */
const crc32: (text: string) => number = zlib.crc32 ?? plainCrc32;

/** Above any CRC-32, so that the sum stays an exact number of JavaScript. */
const REVISIONS = 2 ** 20;

/**
 * The checksum of a record's body: the CRC-32 of its UTF-8, which no changed byte and no changed run of up to 32 bits
 * leaves as it was, and above it the low 20 bits of its revision, which tell a page that is of an older write.
 */
export function checksumOf(json: string, revision: number): number {
  return (revision % REVISIONS) * 2 ** 32 + crc32(json);
}

/**
 * Is the body what was written? One that was stored before there were checksums has none until the writer has added
 * it, and is taken as it is.
 */
export function isIntact(json: string, revision: number, sum: number | null): boolean {
  return sum === null || sum === checksumOf(json, revision);
}

/** The failure of whoever reads a record whose body is not what was written. */
export function recordDamaged(id: string) {
  const part = `The record "${id}" in ${DATABASE_FILE}`;
  return fail("STORE_DAMAGED", { part, reason: "its checksum is wrong", record: id });
}
