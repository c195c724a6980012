import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { FILE_MODE, publishFile } from "./disk-files.js";

/** Encrypts secrets that have to be read again, such as those that sign deliveries to webhooks. */
export interface SecretBox {
  /**
   * Encrypts a secret. Makes the key if there is none. @param context of the secret, without which it cannot be
   * decrypted
   */
  seal(secret: string, context: string): string;
  /** Decrypts a secret. @returns undefined if the key is missing, different, or unreadable */
  open(sealed: string, context: string): string | undefined;
}

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
/** NIST SP 800-38D: 96 random bits, new for each secret, and a whole tag. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Prefix of encrypted secrets. Texts without it were written by a version that stored plain secrets. */
const PREFIX = `${ALGORITHM}:`;

/** Returns whether a text was encrypted by a box. */
export const isSealed = (text: string): boolean => text.startsWith(PREFIX);

/** Returns the context of a webhook's secret, so that the secret cannot be used for another URL. */
export const secretContext = (url: string): string => `webhook ${url}`;

/**
 * Makes a box. The key is read or made when it is needed.
 * @param path of the file with the key, 64 hex digits, in an existing folder. It must not be in backups of the
 * database, so that a copy of either discloses no secret
 */
export function makeSecretBox(path: string): SecretBox {
  const file = resolve(path);
  let key: Buffer | undefined;
  return {
    seal(secret, context) {
      // Read again, because the operator may have replaced the file.
      key = readKey(file) ?? createKey(file);
      return seal(key, secret, context);
    },
    open(sealed, context) {
      const opened = key && unseal(key, sealed, context);
      if (opened !== undefined) return opened;
      try {
        key = readKey(file);
      } catch {
        // The next encryption reports what is wrong with the file.
        return undefined;
      }
      return key && unseal(key, sealed, context);
    },
  };
}

/** Reads the key, undefined if the file is missing. @throws Error if the file is not a key or cannot be read */
function readKey(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`The key of the webhooks' secrets cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  if (!/^[0-9a-f]{64}\n?$/.test(text)) {
    throw new Error(
      `${file} is not a key of Bindery. Replace it by the right file, or remove it to have a new one created.`,
    );
  }
  return Buffer.from(text.trim(), "hex");
}

function createKey(file: string): Buffer {
  const unfinished = `${file}.new-${process.pid}-${randomBytes(4).toString("hex")}`;
  const key = randomBytes(KEY_BYTES);
  try {
    writeFileSync(unfinished, `${key.toString("hex")}\n`, { mode: FILE_MODE, flag: "wx" });
    // Another process may have made the key first.
    return publishFile(unfinished, file) ? key : (readKey(file) ?? key);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function seal(key: Buffer, secret: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

function unseal(key: Buffer, sealed: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed.slice(PREFIX.length), "base64url");
  if (!isSealed(sealed) || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    // The key is another one, or the text is damaged.
    return undefined;
  }
}
