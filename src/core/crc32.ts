/** Table of CRC-32 (ISO 3309, as in zip and PNG) by the lowest byte of the sum. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

/** Returns the CRC-32 of a text in UTF-8, from 0 to 2^32 - 1. */
export function crc32(text: string): number {
  return crc32OfBytes(new TextEncoder().encode(text));
}

/** Returns the CRC-32 of bytes, from 0 to 2^32 - 1. @param previous the CRC-32 of the preceding bytes */
export function crc32OfBytes(bytes: Uint8Array, previous = 0): number {
  let sum = previous ^ 0xffffffff;
  for (let i = 0; i < bytes.length; i++) sum = (sum >>> 8) ^ TABLE[(sum ^ bytes[i]!) & 0xff]!;
  return (sum ^ 0xffffffff) >>> 0;
}
