import { LIMITS } from "../../core/limits.js";
import { DumpError } from "./dump-error.js";

/** Below so many bytes nothing is too large, however well it was packed. */
const LOOKED_AT_FROM = 64 * 1024 * 1024;

/** Counts what a file on the disk becomes by unpacking it, so that a small one cannot fill the disk or run for ever. */
export class Unpacking {
  #packed = 0;
  #unpacked = 0;

  /** @param bytes of the file on the disk that were read so far */
  packed(bytes: number): void {
    this.#packed = bytes;
  }

  /** Passes bytes on, and counts them. @throws DumpError beyond the limits */
  async *unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.add(chunk.length);
      yield chunk;
    }
  }

  private add(length: number): void {
    this.#unpacked += length;
    if (this.#unpacked > LIMITS.dumpBytesMax) {
      throw new DumpError(`the dump has more than ${LIMITS.dumpBytesMax} bytes unpacked; load a part of it`);
    }
    if (this.#unpacked > LOOKED_AT_FROM && this.#unpacked > this.#packed * LIMITS.dumpPackingRatioMax) {
      throw new DumpError(
        `the file becomes more than ${LIMITS.dumpPackingRatioMax} times as large by unpacking it, as no dump of an ` +
          "authority does; download it again, or load it unpacked",
      );
    }
  }
}
