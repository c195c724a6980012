import { sha1 } from "./sha1.js";

/** The namespace of names that are URLs, RFC 9562 appendix A. */
const URL_NAMESPACE = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";

const TERM_NAMESPACE = bytesOf(uuid5(bytesOf(URL_NAMESPACE), "bindery:term"));

/** The uuid of a term's `@v`: the same in every installation. Before `::<revision>`. */
export function termUuid(vocabulary: string, id: string): string {
  return uuid5(TERM_NAMESPACE, `${vocabulary}/${id}`);
}

/** A name-based uuid, version 5: RFC 9562, section 5.5. */
function uuid5(namespace: Buffer, name: string): string {
  const digest = sha1(Buffer.concat([namespace, Buffer.from(name)]));
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}
