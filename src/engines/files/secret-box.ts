import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { FILE_MODE, publishFile } from "./publish-file.js";

/** Seals secrets that have to be read again: those that sign what is sent to webhooks. */
export interface SecretBox {
  /** Makes the key where there is none. @param context what the secret is of: it opens only with the same */
  seal(secret: string, context: string): string;
  /** @returns undefined where the key is missing, is another one, or cannot be read */
  open(sealed: string, context: string): string | undefined;
}

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
/** NIST SP 800-38D: 96 random bits, new for each secret, and a whole tag. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Begins what is sealed; what does not begin so was written by a version that stored secrets as they are. */
const PREFIX = `${ALGORITHM}:`;

/** Is it what a box has sealed? */
export const isSealed = (text: string): boolean => text.startsWith(PREFIX);

/** What the secret of a webhook is sealed with: moved to another URL it opens no more. */
export const secretContext = (url: string): string => `webhook ${url}`;

/**
 * Nothing is read or made before it is needed.
 * @param path of the file with the key, 64 hex digits, in a folder that is there. It belongs into no backup of the
 *   database: a copy of the one without the other discloses no secret
 */
export function makeSecretBox(path: string): SecretBox {
  const file = resolve(path);
  let known: Buffer | undefined;
  return {
    seal(secret, context) {
      // Not from memory: the operator may have put another file there.
      known = readKey(file) ?? createKey(file);
      return seal(known, secret, context);
    },
    open(sealed, context) {
      const opened = known && unseal(known, sealed, context);
      if (opened !== undefined) return opened;
      try {
        known = readKey(file);
      } catch {
        // What is sealed next says what is wrong with the file.
        return undefined;
      }
      return known && unseal(known, sealed, context);
    },
  };
}

/** @throws Error where the file is no key, or may not be read */
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
    // Another process may have been faster: then its key is the one.
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
    // Another key, or not what was sealed.
    return undefined;
  }
}
