import { sha1Hex } from "./sha1.js";

/** Where most names are put behind their namespace: a load makes millions of them. */
const ROOM = Buffer.alloc(512);

/** The namespace of names that are URLs, RFC 9562 appendix A. */
const URL_NAMESPACE = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";

const TERM_NAMESPACE = bytesOf(uuid5(bytesOf(URL_NAMESPACE), "bindery:term"));

/** The uuid of a term's `@v`: the same in every installation. Before `::<revision>`. */
export function termUuid(vocabulary: string, id: string): string {
  return uuid5(TERM_NAMESPACE, `${vocabulary}/${id}`);
}

/** A name-based uuid, version 5: RFC 9562, section 5.5. */
function uuid5(namespace: Buffer, name: string): string {
  const hex = sha1Hex(named(namespace, name));
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  const [time, clock] = [`${hex.slice(8, 12)}-5${hex.slice(13, 16)}`, variant + hex.slice(17, 20)];
  return `${hex.slice(0, 8)}-${time}-${clock}-${hex.slice(20, 32)}`;
}

function named(namespace: Buffer, name: string): Buffer {
  if (name.length * 3 > ROOM.length - namespace.length) return Buffer.concat([namespace, Buffer.from(name)]);
  namespace.copy(ROOM);
  return ROOM.subarray(0, namespace.length + ROOM.write(name, namespace.length));
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}
