import { createHash } from "node:crypto";
import { crc32 } from "./crc32.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 33;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^bnd_[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`);

/** Random bytes that `makeToken` takes: 192 bits. */
export const TOKEN_BYTES = 24;

/**
 * A new token: `bnd_`, 33 characters of secret, and 6 of checksum (CRC-32), so that scanners for leaked secrets know
 * one when they see it.
 * @param bytes TOKEN_BYTES random ones
 */
export function makeToken(bytes: Uint8Array): string {
  let n = 0n;
  for (const byte of bytes.subarray(0, TOKEN_BYTES)) n = n * 256n + BigInt(byte);
  const secret = `bnd_${toBase62(n, SECRET_LENGTH)}`;
  return secret + checksum(secret);
}

/** Could this text be a token of ours? Spares the look-up of one that was mistyped or cut. */
export function isToken(text: string): boolean {
  return FORM.test(text) && text.endsWith(checksum(text.slice(0, -CHECK_LENGTH)));
}

/** What is kept of a token: the hex SHA-256 of the whole of it. */
export function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function checksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), CHECK_LENGTH);
}

function toBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
}
