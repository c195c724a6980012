import { LIMITS } from "../core/limits.js";

/** With fewer bytes than these a ratio means nothing: a file of few lines that repeat is packed very well. */
const RATIO_FROM_BYTES = 8 * 1024 * 1024;

/** A file that holds more than its limits allow. Nothing after this place is read. */
export class UnpackingError extends Error {
  override readonly name = "UnpackingError";
}

/** Counts what a file on the disk becomes by unpacking it: a small file cannot fill the disk or run for hours. */
export class Unpacking {
  #packed = 0;
  #unpacked = 0;

  /** @param bytes of the file on the disk that were read so far */
  packed(bytes: number): void {
    this.#packed = bytes;
  }

  /** Passes bytes on, and counts them. @throws UnpackingError beyond the limits */
  async *unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
