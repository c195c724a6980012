import { hkdfSync } from "node:crypto";
import { LRUCache } from "lru-cache";
import { fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { PageWindow } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import type { SortKey } from "../../query/ranking/sort-keys.js";
import type { SearchWindow } from "../api/searches.js";
import { makeAesSiv } from "./aes-siv.js";
import { badParameter, makeIssue } from "./issues.js";

/** Checks the size of a page of records. @throws PAGE_SIZE_TOO_LARGE */
export function checkRecordPageSize(size: number): number {
  const max = LIMITS.recordPageSizeMax;
  if (size <= max) return size;
  const issue = makeIssue(["size"], "PARAMETER_INVALID", [`size must be at most ${max} here.`], { value: size });
  throw fail("PAGE_SIZE_TOO_LARGE", { max, issues: [issue] });
}

/** Limits the size of a page of terms. Larger sizes are reduced, because existing clients send `size=<total>`. */
export function limitTermPageSize(size: number): { readonly size: number; readonly warnings: readonly Warning[] } {
  const max = LIMITS.termPageSizeMax;
  if (size <= max) return { size, warnings: [] };
  const message = `A page has at most ${max} hits; the size was reduced from ${size}.`;
  return { size: max, warnings: [{ code: "PAGE_SIZE_REDUCED", message, parameter: "size", value: size }] };
}

/**
 * Returns the requested page of hits.
 * @param order the same as for `Cursors.decode`
 * @throws PAGE_WINDOW_EXCEEDED, CURSOR_INVALID
 */
export function requestedPage(
  { page = 1, cursor }: SearchWindow,
  size: number,
  order: string,
  cursors: Cursors,
): PageWindow {
  if (cursor !== undefined) return { after: cursors.decode(order, cursor), limit: size };
  const max = LIMITS.pageWindowMax;
  if (page * size > max) {
    const messages = [`page * size must be at most ${max}; to read more, start with cursor=*.`];
    const issue = makeIssue(["page"], "PARAMETER_INVALID", messages, { value: page });
    throw fail("PAGE_WINDOW_EXCEEDED", { max, issues: [issue] });
  }
  return { offset: (page - 1) * size, limit: size };
}

/** Returns whether a window is the first page of hits, by its number or by the cursor `*`. */
export function isFirstPage({ page = 1, cursor = "*" }: SearchWindow): boolean {
  return page === 1 && cursor === "*";
}

/**
 * Returns the cursor of the next page, unless a page number can lead to it: making a cursor takes a sixth of the time
 * of a short list.
 * @param after the key of the last hit, if there are more hits
 */
export function nextCursor(
  after: SortKey | undefined,
  { page = 1, cursor }: SearchWindow,
  size: number,
  encode: (key: SortKey) => string,
): { readonly next?: string } {
  const isNumbered = cursor === undefined && (page + 1) * size <= LIMITS.pageWindowMax;
  return after === undefined || isNumbered ? {} : { next: encode(after) };
}

/** Returns the requested sort order if it is allowed, or the default order. @throws PARAMETER_INVALID */
export function requireSort<S extends string>(sent: string | undefined, allowed: readonly S[], standard: S): S {
  if (sent === undefined || sent === "") return standard;
  const sort = allowed.find((name) => name === sent);
  if (sort !== undefined) return sort;
  throw badParameter("sort", `sort must be one of ${allowed.join(", ")}.`, sent, allowed);
}

/** Maximum number of parts in a sort key of any engine. */
const KEY_LENGTH_MAX = 16;

/** Texts are padded to a multiple of this length. Otherwise the length would show the digits of a row number. */
const PADDED_BYTES = 32;

/** Version of the cursors. Increase it when the meaning of sort keys or the encryption changes. */
const VERSION = 3;

const KEY_BYTES = 64;

/** Number of cursors that are remembered: most requests with a cursor send one that an earlier page returned. */
const REMEMBERED_MAX = 256;

/** Writes and reads the cursors of searches. They are stateless, so they survive a restart. */
interface Cursors {
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
 * Creates cursors that are encrypted with AES-256-SIV. Nobody can create a cursor without the key, so nobody can find
 * the row number of a record with forged cursors.
 */
export function encryptedCursors(secret: string): Cursors {
  const siv = makeAesSiv(Buffer.from(hkdfSync("sha256", secret, "", "cursor", KEY_BYTES)));
  const contextOf = (order: string): Buffer => Buffer.from(`${VERSION} ${order}`);
  const cursors = new LRUCache<string, string>({ max: REMEMBERED_MAX });
  const texts = new LRUCache<string, string>({ max: REMEMBERED_MAX });
  const open = (order: string, cursor: string): string | undefined => {
    const bytes = Buffer.from(cursor, "base64url");
    // Refuses texts with characters that base64 ignores, which decode to the same bytes.
    return bytes.toString("base64url") === cursor ? siv.open(contextOf(order), bytes)?.toString() : undefined;
  };
  return {
    encode(order, key) {
      const text = JSON.stringify(key);
      const name = `${order}\n${text}`;
      const known = cursors.get(name);
      if (known !== undefined) return known;
      const cursor = siv.seal(contextOf(order), paddedText(text)).toString("base64url");
      cursors.set(name, cursor);
      texts.set(`${order}\n${cursor}`, text);
      return cursor;
    },
    decode(order, cursor) {
      if (cursor === "*") return null;
      const text = texts.get(`${order}\n${cursor}`) ?? open(order, cursor);
      const key: unknown = text && JSON.parse(text);
      if (isKey(key)) return key;
      throw invalid(cursor);
    },
  };
}

function paddedText(text: string): Buffer {
  const bytes = Buffer.from(text);
  // JSON.parse ignores blanks at the end.
  const padding = Buffer.alloc(PADDED_BYTES - (bytes.length % PADDED_BYTES), " ");
  return Buffer.concat([bytes, padding]);
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
