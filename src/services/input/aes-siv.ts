/** AES-SIV, deterministic authenticated encryption (RFC 5297), with one string of associated data. */
import { type Cipher, createCipheriv, timingSafeEqual } from "node:crypto";

/** An encryption with one key. */
interface AesSiv {
  /** Returns the synthetic IV, then the encrypted text. Equal texts with equal contexts give equal bytes. */
  seal(context: Buffer, text: Buffer): Buffer;
  /** Returns the text, or undefined if `sealed` was not made with this key and context. */
  open(context: Buffer, sealed: Buffer): Buffer | undefined;
}

/** Size of an AES block and of the synthetic IV, in bytes. */
const BLOCK_BYTES = 16;

/** First padding byte after a text whose length is not a multiple of the block size; the others are 0. */
const PADDING = 0x80;

/** Makes an AES-SIV cipher. @param key 64 bytes for AES-256, or 32 for AES-128: half for the IV, half for the text */
export function makeAesSiv(key: Buffer): AesSiv {
  const half = key.length / 2;
  const cbcMac = makeCbcMac(key.subarray(0, half));
  const encryptBlocks = blockCipher("ecb", key.subarray(half));
  const zero = Buffer.alloc(BLOCK_BYTES);
  const subkey = doubled(cbcMac(Buffer.from(zero)));
  const subkeyOfPadded = doubled(subkey);

  /** AES-CMAC (RFC 4493). */
  const cmac = (text: Buffer): Buffer => {
    const count = Math.max(1, Math.ceil(text.length / BLOCK_BYTES));
    const blocks = Buffer.alloc(count * BLOCK_BYTES);
    text.copy(blocks);
    const isWhole = text.length === blocks.length;
    if (!isWhole) blocks[text.length] = PADDING;
    xorInto(blocks, blocks.length - BLOCK_BYTES, isWhole ? subkey : subkeyOfPadded);
    return cbcMac(blocks);
  };
  const doubledCmacOfZero = doubled(cmac(zero));

  /** Computes the synthetic IV (S2V, section 2.4 of RFC 5297). */
  const syntheticIv = (context: Buffer, text: Buffer): Buffer => {
    const mixed = xor(doubledCmacOfZero, cmac(context));
    if (text.length >= BLOCK_BYTES) {
      const mixedText = Buffer.from(text);
      xorInto(mixedText, text.length - BLOCK_BYTES, mixed);
      return cmac(mixedText);
    }
    const block = doubled(mixed);
    xorInto(block, 0, text);
    block[text.length]! ^= PADDING;
    return cmac(block);
  };
  return {
    seal(context, text) {
      const iv = syntheticIv(context, text);
      return Buffer.concat([iv, xor(text, keyStream(encryptBlocks, iv, text.length))]);
    },
    open(context, sealed) {
      if (sealed.length < BLOCK_BYTES) return undefined;
      const iv = sealed.subarray(0, BLOCK_BYTES);
      const encrypted = sealed.subarray(BLOCK_BYTES);
      const text = xor(encrypted, keyStream(encryptBlocks, iv, encrypted.length));
      return timingSafeEqual(iv, syntheticIv(context, text)) ? text : undefined;
    },
  };
}

type BlockCipher = (blocks: Buffer) => Buffer;

/**
 * Returns a function that encrypts whole blocks. All calls share one native cipher: a new one for each text takes
 * several times as long as the encryption, because the garbage collector has to free it.
 */
function blockCipher(mode: "cbc" | "ecb", key: Buffer): BlockCipher {
  const iv = mode === "cbc" ? Buffer.alloc(BLOCK_BYTES) : null;
  const cipher: Cipher = createCipheriv(`aes-${key.length * 8}-${mode}`, key, iv).setAutoPadding(false);
  return (blocks) => cipher.update(blocks);
}

/**
 * Returns a function that gives the last block of AES-CBC with an IV of zeros. The native cipher XORs the first block
 * with the last block of the previous call; to XOR that block in beforehand cancels this. Changes `blocks`.
 */
function makeCbcMac(key: Buffer): BlockCipher {
  const encryptChain = blockCipher("cbc", key);
  let previous: Buffer = Buffer.alloc(BLOCK_BYTES);
  return (blocks) => {
    xorInto(blocks, 0, previous);
    previous = encryptChain(blocks).subarray(-BLOCK_BYTES);
    return previous;
  };
}

/** Returns `length` bytes of the key stream of AES-CTR. Clears two bits of the counter (section 2.6 of RFC 5297). */
function keyStream(encryptBlocks: BlockCipher, iv: Buffer, length: number): Buffer {
  const count = Math.ceil(length / BLOCK_BYTES);
  const counters = Buffer.alloc(count * BLOCK_BYTES);
  for (let n = 0; n < count; n++) {
    const at = n * BLOCK_BYTES;
    iv.copy(counters, at);
    counters[at + 8]! &= 0x7f;
    counters[at + 12]! &= 0x7f;
    // With its first bit cleared, the last word cannot overflow.
    counters.writeUInt32BE(counters.readUInt32BE(at + 12) + n, at + 12);
  }
  return encryptBlocks(counters).subarray(0, length);
}

function xor(first: Buffer, second: Buffer): Buffer {
  const result = Buffer.from(first);
  xorInto(result, 0, second);
  return result;
}

/** Changes the bytes of `target` from `at` on. */
function xorInto(target: Buffer, at: number, bytes: Buffer): void {
  for (let n = 0; n < bytes.length; n++) target[at + n]! ^= bytes[n]!;
}

/** Multiplies a block by x in GF(2^128). */
function doubled(block: Buffer): Buffer {
  const result = Buffer.alloc(BLOCK_BYTES);
  for (let n = 0; n < BLOCK_BYTES; n++) result[n] = (block[n]! << 1) | ((block[n + 1] ?? 0) >> 7);
  if ((block[0]! & 0x80) !== 0) result[BLOCK_BYTES - 1]! ^= 0x87;
  return result;
}
