import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { openForReading } from "./open-file.js";
import { Unpacking } from "./unpacking.js";

const CHUNK_BYTES = 256 * 1024;

/**
 * The text of a file, in pieces; packed by gzip or not, whatever its name says.
 *
 * @param onProgress called with the bytes of the file read so far
 * @throws NodeJS.ErrnoException or NoFileError where the file cannot be read; Error where it is no text in UTF-8, no
 *   whole gzip, or holds more than the limits allow
 */
export async function* readText(file: string, onProgress?: (bytesRead: number) => void): AsyncGenerator<string> {
  const unpacking = new Unpacking();
  const { bytes, bytesRead } = await openForReading(file);
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      unpacking.packed(bytesRead());
      onProgress?.(bytesRead());
      yield chunk;
    }
  };
  yield* decodeText(unpacking.unpacked(gunzipped(watched())));
}

/** Bytes as they are, or unpacked where they begin as gzip does. */
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
  if (!isGzip(head)) return yield* all();
  // What fails ends the iteration.
  yield* pipeline(Readable.from(all()), createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
}

/** Do bytes begin as gzip does? */
export const isGzip = (start: Buffer): boolean => start[0] === 0x1f && start[1] === 0x8b;

/** The text of bytes that come in pieces. @throws Error where they are no text in UTF-8 */
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

/** The two marks by which texts in UTF-16 begin. */
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
