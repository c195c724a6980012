import { isAscii, isUtf8 } from "node:buffer";
import { fail } from "./errors.js";

/**
 * The body of a request: its text, or the UTF-8 bytes of a long body in shared memory. Threads pass such bytes on
 * without a copy, and only the thread that parses the body decodes it.
 */
export type SentBody = string | Uint8Array;

const BYTE_ORDER_MARK = "\uFEFF";

/** Returns the text of a body without its byte order mark. @throws BODY_NOT_UTF8 */
export function decodeBody(body: SentBody): string {
  if (typeof body === "string") return body;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isUtf8(bytes)) throw fail("BODY_NOT_UTF8");
  // For ASCII, decoding as Latin-1 gives the same text faster.
  const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
