import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { LIMITS } from "../core/limits.js";
import { openForReading } from "./open-file.js";

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads the text of a file, in pieces; packed by gzip or not, regardless of its name.
 * @param onProgress called with the bytes of the file read so far
 * @throws NodeJS.ErrnoException or NoFileError if the file cannot be read; Error if it is not text in UTF-8, is not a
 * whole gzip, or holds more than the limits allow
 */
export async function* readText(file: string, onProgress?: (bytesRead: number) => void): AsyncGenerator<string> {
  const unpacking = new Unpacking();
  const { bytes, bytesRead } = await openForReading(file);
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      unpacking.notePacked(bytesRead());
      onProgress?.(bytesRead());
      yield chunk;
    }
  };
  yield* decodeText(unpacking.countUnpacked(gunzipped(watched())));
}

/** Yields bytes as they are, or unpacked if they begin as gzip does. */
async function* gunzipped(bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  for (let isEnd = false; head.length < 2 && !isEnd; ) {
    const { done, value } = await bytes.next();
    if (done) isEnd = true;
    else head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    yield head;
    yield* bytes;
  };
  yield* isGzip(head) ? gunzip(all()) : all();
}

/** Unpacks gzip. An error ends the iteration. */
export function gunzip(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return pipeline(Readable.from(bytes), createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
}

/** Returns whether bytes begin as gzip does. */
export const isGzip = (start: Buffer): boolean => start[0] === 0x1f && start[1] === 0x8b;

/** Decodes the text of bytes that come in pieces. @throws Error if they are not text in UTF-8 */
export async function* decodeText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isStart = true;
  for await (const chunk of bytes) {
    if (isStart && isUtf16(chunk)) throw new Error(`the file is UTF-16, not UTF-8; ${CONVERT}`);
    isStart = false;
    yield checkText(decode(() => decoder.decode(chunk, { stream: true })));
  }
  yield decode(() => decoder.decode());
}

const CONVERT = "convert it (iconv -f UTF-16 -t UTF-8)";

/** Returns whether bytes begin with one of the two marks of UTF-16. */
const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

function decode(work: () => string): string {
  try {
    return work();
  } catch (error) {
    throw new Error("the file is not UTF-8; convert it, from Latin-1 with iconv -f LATIN1 -t UTF-8", { cause: error });
  }
}

function checkText(text: string): string {
  if (!text.includes("\0")) return text;
  throw new Error(`the file has a NUL character, so it is no text; of a text in UTF-16, ${CONVERT}`);
}

/** Number of bytes from which the ratio is checked: a small file of lines that repeat is packed very well. */
const RATIO_FROM_BYTES = 8 * 1024 * 1024;

/** A file that holds more than its limits allow. Nothing after this place is read. */
export class UnpackingError extends Error {
  override readonly name = "UnpackingError";
}

/** A count of the bytes that unpacking a file yields, so that a small file cannot fill the disk or run for hours. */
export class Unpacking {
  #packed = 0;
  #unpacked = 0;

  /** Records how much of the file on the disk was read. @param bytes read so far */
  notePacked(bytes: number): void {
    this.#packed = bytes;
  }

  /** Passes bytes on, and counts them. @throws UnpackingError beyond the limits */
  async *countUnpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.add(chunk.length);
      yield chunk;
    }
  }

  private add(length: number): void {
    this.#unpacked += length;
    if (this.#unpacked > LIMITS.fileBytesMax) {
      throw new UnpackingError(`the file has more than ${LIMITS.fileBytesMax} bytes unpacked; load a part of it`);
    }
    if (this.#unpacked > RATIO_FROM_BYTES && this.#unpacked > this.#packed * LIMITS.filePackingRatioMax) {
      throw new UnpackingError(
        `the file becomes more than ${LIMITS.filePackingRatioMax} times as large by unpacking it, as real data do ` +
          "not; download it again, or unpack it (gunzip) and look what it holds",
      );
    }
  }
}
