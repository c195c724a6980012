/** CRC-32 (ISO 3309, as in zip and PNG): what each byte adds, by the lowest byte of the sum before it. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

/** CRC-32 of a text's UTF-8, 0 to 2^32 - 1. */
export function crc32(text: string): number {
  return crc32Of(new TextEncoder().encode(text));
}

/** CRC-32 of bytes, 0 to 2^32 - 1. @param before that of the bytes that stand before them */
export function crc32Of(bytes: Uint8Array, before = 0): number {
  let sum = before ^ 0xffffffff;
  for (let i = 0; i < bytes.length; i++) sum = (sum >>> 8) ^ TABLE[(sum ^ bytes[i]!) & 0xff]!;
  return (sum ^ 0xffffffff) >>> 0;
}
