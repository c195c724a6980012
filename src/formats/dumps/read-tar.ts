import { type ArchiveEntry, DumpError } from "./dump-file.js";

/** Size of a block. Headers and contents fill whole blocks. */
const BLOCK = 512;

/** Maximum size of a header that only lengthens the name of the next file. */
const EXTENSION_BYTES_MAX = 1024 * 1024;

/** Fields of a header (POSIX ustar), by offset and length. */
const FIELDS = { name: [0, 100], size: [124, 12], mtime: [136, 12], sum: [148, 8], prefix: [345, 155] } as const;
const TYPE_AT = 156;
const MARK_AT = 257;

/** Content of a header that describes the file after it: pax (POSIX.1-2001), or the long name of GNU tar. */
interface Extension {
  readonly path?: string;
  readonly size?: number;
}

/**
 * Reads the regular files of a tar archive, in its order: ustar, pax, and the long names of GNU tar.
 * @throws DumpError if it is cut off or damaged
 */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<ArchiveEntry> {
  const queue = new ByteQueue(bytes);
  let extension: Extension = {};
  try {
    for (;;) {
      const header = await queue.take(BLOCK);
      // Two empty blocks end an archive; some writers leave them out.
      if (header === undefined || header.every((byte) => byte === 0)) return;
      checkHeader(header);
      const size = extension.size ?? numberIn(header, "size");
      const type = String.fromCharCode(header[TYPE_AT]!);
      if (type === "x" || type === "L") {
        extension = { ...extension, ...(await readExtension(queue, type, size)) };
        continue;
      }
      const contents = queue.open(size);
      if (type === "0" || type === "\0" || type === "7") {
        const modified = new Date(numberIn(header, "mtime") * 1_000);
        yield { name: extension.path ?? nameIn(header), modified, bytes: contents.bytes };
      }
      // Contents that nobody read are skipped.
      await queue.skip(contents.left());
      await queue.skip(padding(size), true);
      extension = {};
    }
  } finally {
    await queue.close();
  }
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function checkHeader(header: Buffer): void {
  let sum = 0;
  const [at, length] = FIELDS.sum;
  for (const [i, byte] of header.entries()) sum += i >= at && i < at + length ? 0x20 : byte;
  if (sum !== numberIn(header, "sum")) throw damaged("the checksum of a header is wrong");
}

async function readExtension(queue: ByteQueue, type: "x" | "L", size: number): Promise<Extension> {
  if (size > EXTENSION_BYTES_MAX) throw damaged("a header has more than a megabyte");
  const text = ((await queue.take(size)) ?? Buffer.alloc(0)).toString("utf8");
  await queue.skip(padding(size));
  if (type === "L") return { path: text.replace(/\0.*$/s, "") };
  // `<length> <key>=<value>\n`, one after the other.
  const pairs = text.split("\n").flatMap((line) => {
    const [, key, value] = /^\d+ ([^=]+)=(.*)$/s.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value] as const];
  });
  const attributes = new Map(pairs);
  const [path, length] = [attributes.get("path"), attributes.get("size")];
  return { ...(path === undefined ? {} : { path }), ...(length === undefined ? {} : { size: Number(length) }) };
}

function textIn(header: Buffer, field: keyof typeof FIELDS): string {
  const [at, length] = FIELDS[field];
  return header.toString("utf8", at, at + length).replace(/\0.*$/s, "");
}

function nameIn(header: Buffer): string {
  const isPosix = header.toString("latin1", MARK_AT, MARK_AT + 6) === "ustar\0";
  const prefix = isPosix ? textIn(header, "prefix") : "";
  return (prefix === "" ? textIn(header, "name") : `${prefix}/${textIn(header, "name")}`).replace(/^\.\//, "");
}

/** Reads a number: octal digits; a size that needs more of them is binary (GNU), and has the highest bit set. */
function numberIn(header: Buffer, field: "size" | "mtime" | "sum"): number {
  const [at, length] = FIELDS[field];
  if (header[at] === 0x80) return Number(header.readBigUInt64BE(at + length - 8));
  const digits = textIn(header, field).trim();
  if (!/^[0-7]*$/.test(digits)) throw damaged(`the ${field} in a header is no number`);
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

const damaged = (what: string): DumpError =>
  new DumpError(`the archive is damaged or cut off (tar: ${what}); download it again`);

/** A queue that hands out any number of bytes from pieces of any size. */
class ByteQueue {
  readonly #iterator: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#iterator = bytes[Symbol.asyncIterator]();
  }

  /** Takes a number of bytes; returns undefined at the end. @throws DumpError if there are only some of them */
  async take(count: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    let length = 0;
    while (length < count) {
      const piece = await this.piece(count - length);
      if (piece === undefined) break;
      pieces.push(piece);
      length += piece.length;
    }
    if (length === 0 && count > 0) return undefined;
    if (length < count) throw damaged("it ends within a header");
    return Buffer.concat(pieces);
  }

  /** Skips a number of bytes. @param mayEnd whether fewer of them are no error */
  async skip(count: number, mayEnd = false): Promise<void> {
    for (let left = count; left > 0; ) {
      const piece = await this.piece(left);
      if (piece === undefined && mayEnd) return;
      if (piece === undefined) throw damaged("it ends within a file");
      left -= piece.length;
    }
  }

  /** Returns the next bytes, in pieces, and a count of those that were not taken yet. */
  open(count: number): { readonly bytes: AsyncGenerator<Buffer>; left(): number } {
    let left = count;
    const pieces = async function* (queue: ByteQueue): AsyncGenerator<Buffer> {
      while (left > 0) {
        const piece = await queue.piece(left);
        if (piece === undefined) throw damaged("it ends within a file");
        left -= piece.length;
        yield piece;
      }
    };
    return { bytes: pieces(this), left: () => left };
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }

  /** Takes at most so many bytes; returns undefined at the end. */
  private async piece(max: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#iterator.next();
      if (done) return undefined;
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, max);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }
}
