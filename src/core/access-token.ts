import { createHash } from "node:crypto";
import { crc32 } from "./crc32.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 33;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^bnd_[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`);

/** Number of random bytes for `makeToken`: 192 bits. */
export const TOKEN_BYTES = 24;

/**
 * Makes a token: `bnd_`, a secret of 33 characters, and a checksum of 6 (CRC-32), so that scanners for leaked secrets
 * recognize it.
 * @param bytes TOKEN_BYTES random bytes
 */
export function makeToken(bytes: Uint8Array): string {
  let n = 0n;
  for (const byte of bytes.subarray(0, TOKEN_BYTES)) n = n * 256n + BigInt(byte);
  const secret = `bnd_${toBase62(n, SECRET_LENGTH)}`;
  return secret + checksum(secret);
}

/** Returns whether this text can be a token. Avoids the look-up of mistyped or truncated tokens. */
export function isToken(text: string): boolean {
  return FORM.test(text) && text.endsWith(checksum(text.slice(0, -CHECK_LENGTH)));
}

/** Returns the digest that is stored for a token: the hex SHA-256 of its whole text. */
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
