import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { fail } from "../../core/errors.js";
import type { Store } from "../../ports/store.js";
import type { SortKey } from "../../query/ranking/sort-keys.js";
import { makeIssue } from "./issues.js";

/** Maximum number of parts in a sort key of any engine. */
const KEY_LENGTH_MAX = 16;

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
/** NIST SP 800-38D. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Texts are padded to a multiple of this length. Otherwise the length would show the digits of a row number. */
const PADDED_BYTES = 32;

/** Version of the keys. Increase it when the meaning of keys changes. */
const VERSION = 2;

/** Writes and reads the cursors of searches. They are stateless, so they survive a restart. */
export interface Cursors {
  /**
   * Returns the text of a cursor. Row numbers in the key count drafts and deleted records, so the text is encrypted.
   * The same key always gives the same text, so that answers can be cached.
   * @param order identifies the sort order: a cursor of another order is refused
   */
  encode(order: string, key: SortKey): string;
  /** Returns the key of a cursor, or null for `*`, the start. @throws CURSOR_INVALID */
  decode(order: string, cursor: string): SortKey | null;
}

/** Returns a function that gives the cursors of a store. It reads the key of the store on the first call. */
export function makeCursors(store: Pick<Store, "cursorKey">): () => Promise<Cursors> {
  let cursors: Cursors | undefined;
  return async () => (cursors ??= encryptedCursors(await store.cursorKey()));
}

/**
 * Creates cursors that are encrypted with AES-256-GCM. The nonce is the HMAC of the plaintext: equal texts have equal
 * nonces and different texts have different ones, so a nonce is never used for two texts. Nobody can create a cursor
 * without the key, so nobody can find the row number of a record with forged cursors.
 */
export function encryptedCursors(secret: string): Cursors {
  const keyFor = (use: string): Buffer => Buffer.from(hkdfSync("sha256", secret, "", `cursor ${use}`, KEY_BYTES));
  const [textKey, nonceKey] = [keyFor("text"), keyFor("nonce")];
  const nonceOf = (context: Buffer, text: Buffer): Buffer =>
    createHmac("sha256", nonceKey).update(context).update("\0").update(text).digest().subarray(0, NONCE_BYTES);
  return {
    encode(order, key) {
      const context = Buffer.from(`${VERSION} ${order}`);
      const text = paddedText(key);
      const nonce = nonceOf(context, text);
      const cipher = createCipheriv(ALGORITHM, textKey, nonce, { authTagLength: TAG_BYTES }).setAAD(context);
      const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64url");
    },
    decode(order, cursor) {
      if (cursor === "*") return null;
      const bytes = Buffer.from(cursor, "base64url");
      // Refuses texts with characters that base64 ignores, which decode to the same bytes.
      if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString("base64url") !== cursor) throw invalid(cursor);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, textKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(`${VERSION} ${order}`));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        const key: unknown = JSON.parse(Buffer.concat([text, decipher.final()]).toString());
        if (isKey(key)) return key;
      } catch {
        // The cursor was made with another key, or was changed.
      }
      throw invalid(cursor);
    },
  };
}

function paddedText(key: SortKey): Buffer {
  const text = Buffer.from(JSON.stringify(key));
  // JSON.parse ignores blanks at the end.
  const padding = Buffer.alloc(PADDED_BYTES - (text.length % PADDED_BYTES), " ");
  return Buffer.concat([text, padding]);
}

function isKey(key: unknown): key is SortKey {
  const isPart = (part: unknown): boolean => typeof part === "string" || Number.isFinite(part);
  return Array.isArray(key) && key.length > 0 && key.length <= KEY_LENGTH_MAX && key.every(isPart);
}

function invalid(cursor: string): Error {
  const messages = [
    "Start with cursor=* and continue with the cursor of links.next, leaving all other parameters unchanged.",
  ];
  return fail("CURSOR_INVALID", {
    issues: [makeIssue(["cursor"], "PARAMETER_INVALID", messages, { value: cursor.slice(0, 200) })],
  });
}
