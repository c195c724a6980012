import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const CHUNK_BYTES = 256 * 1024;

/**
 * The text of a file, in pieces; packed by gzip or not, whatever its name says.
 *
 * @param onProgress called with the bytes of the file read so far
 * @throws NodeJS.ErrnoException where the file cannot be read; Error where it is no UTF-8 or no whole gzip
 */
export async function* readText(file: string, onProgress?: (bytesRead: number) => void): AsyncGenerator<string> {
  const packed = await isGzip(file);
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const bytes: Readable = packed ? pipeline(source, createGunzip(), () => undefined) : source;
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      onProgress?.(source.bytesRead);
      yield chunk as Buffer;
    }
  };
  yield* decodeText(watched());
}

/** The text of bytes that come in pieces. @throws Error where they are no UTF-8 */
export async function* decodeText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of bytes) yield decode(() => decoder.decode(chunk, { stream: true }));
  yield decode(() => decoder.decode());
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

function decode(work: () => string): string {
  try {
    return work();
  } catch (error) {
    throw new Error("the file is not UTF-8", { cause: error });
  }
}
