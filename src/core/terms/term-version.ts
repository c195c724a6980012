import * as crypto from "node:crypto";
import type { Term } from "../answers/term-answers.js";

/** Returns the SHA-1 in hex, for names and comparisons, not for secrets. Node 20.12 and later have a single call. */
export const sha1Hex: (data: string | Buffer) => string =
  typeof crypto.hash === "function"
    ? (data) => crypto.hash("sha1", data, "hex")
    : (data) => crypto.createHash("sha1").update(data).digest("hex");

/** A buffer for namespace and name that is reused, because a load makes millions of uuids. */
const BUFFER = Buffer.alloc(512);

/** The namespace of URLs, RFC 9562 appendix A. */
const URL_NAMESPACE = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";

const TERM_NAMESPACE = uuidBytes(uuid5(uuidBytes(URL_NAMESPACE), "bindery:term"));

/** Returns the uuid in a term's `@v` (before `::<revision>`), which is the same in every installation. */
export function termUuid(vocabulary: string, id: string): string {
  return uuid5(TERM_NAMESPACE, `${vocabulary}/${id}`);
}

/** Returns a name-based uuid, version 5: RFC 9562, section 5.5. */
function uuid5(namespace: Buffer, name: string): string {
  const hex = sha1Hex(withNamespace(namespace, name));
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  const [time, clock] = [`${hex.slice(8, 12)}-5${hex.slice(13, 16)}`, variant + hex.slice(17, 20)];
  return `${hex.slice(0, 8)}-${time}-${clock}-${hex.slice(20, 32)}`;
}

function withNamespace(namespace: Buffer, name: string): Buffer {
  if (name.length * 3 > BUFFER.length - namespace.length) return Buffer.concat([namespace, Buffer.from(name)]);
  namespace.copy(BUFFER);
  return BUFFER.subarray(0, namespace.length + BUFFER.write(name, namespace.length));
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

/** The body of a term for clients. An ancestor of a term has only some of the members. */
export type TermBody = Pick<Term, "id" | "title"> &
  Partial<
    Pick<
      Term,
      "props" | "synonyms" | "parent" | "status" | "replaced_by" | "confirmed" | "created" | "updated" | "revision_id"
    >
  >;
