import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { decodeText, gunzip, isGzip, Unpacking, UnpackingError } from "../read-text.js";
import { type ArchiveEntry, DumpError, type DumpFile } from "./dump-file.js";
import { readTar } from "./read-tar.js";
import { readZip } from "./read-zip.js";

const CHUNK_BYTES = 256 * 1024;

/** Mark of a tar archive, and its offset. */
const TAR_MARK = "ustar";
const TAR_MARK_AT = 257;

/**
 * Reads the files of a dump, in its order: of a folder (by name, with its subfolders), a zip, a tar or one file; each
 * packed by gzip or not, also inside an archive. The content decides. Memory does not grow with the dump.
 * @param path of a file or a folder
 * @param onProgress called with the bytes of the files on the disk read so far
 * @throws NodeJS.ErrnoException if it cannot be opened; DumpError if it is damaged or beyond the limits
 */
export async function* readDump(path: string, onProgress?: (bytesRead: number) => void): AsyncGenerator<DumpFile> {
  let before = 0;
  for (const { file, name } of await dumpFiles(path)) {
    let read = 0;
    yield* readFile(file, name, (bytes) => {
      read = bytes;
      onProgress?.(before + bytes);
    });
    before += read;
  }
}

/** Lists the files on the disk that make up a dump, by name. @throws NodeJS.ErrnoException if it cannot be opened */
export async function dumpFiles(path: string): Promise<readonly { readonly file: string; readonly name: string }[]> {
  if (!(await stat(path)).isDirectory()) return [{ file: path, name: basename(path) }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const named = files.sort().map((file) => ({ file, name: relative(path, file) }));
  return named.filter(({ name }) => !isOfSystem(name));
}

/**
 * Returns whether an operating system added the file to a folder or an archive: resource forks and folder views of
 * macOS (`__MACOSX/`, `._name`, `.DS_Store`), and similar files of Windows.
 */
function isOfSystem(name: string): boolean {
  const parts = name.split(/[/\\]/);
  const last = parts.at(-1)!.toLowerCase();
  return parts.includes("__MACOSX") || last.startsWith("._") || SYSTEM_FILES.includes(last);
}

const SYSTEM_FILES: readonly string[] = [".ds_store", "thumbs.db", "desktop.ini"];

async function* readFile(file: string, name: string, onProgress: (bytes: number) => void): AsyncGenerator<DumpFile> {
  const unpacking = new Unpacking();
  const start = await firstBytes(file);
  if (isZip(start)) {
    yield* filesOf(readZip(file, unpacking, onProgress), unpacking);
    return;
  }
  const { mtime } = await stat(file);
  const bytes = unpacking.countUnpacked(gunzipped(readBytes(file, unpacking, onProgress), start));
  const { head, all, close } = await peek(bytes, TAR_MARK_AT + TAR_MARK.length);
  try {
    if (isTar(head)) yield* filesOf(readTar(all), unpacking);
    else yield { name: withoutGzip(name), modified: mtime, text: () => decodeText(all) };
  } finally {
    await close();
  }
}

async function* readBytes(
  file: string,
  unpacking: Unpacking,
  onProgress: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of source) {
    unpacking.notePacked(source.bytesRead);
    onProgress(source.bytesRead);
    yield chunk as Buffer;
  }
}

async function* filesOf(entries: AsyncIterable<ArchiveEntry>, unpacking: Unpacking): AsyncGenerator<DumpFile> {
  for await (const { name, modified, bytes } of entries) {
    if (isOfSystem(name)) continue;
    const text = async function* (): AsyncGenerator<string> {
      const { head, all } = await peek(bytes, 2);
      yield* decodeText(isGzip(head) ? unpacking.countUnpacked(gunzipped(all, head)) : all);
    };
    yield { name: withoutGzip(name), modified, text };
  }
}

/** Returns whether the message of an error already says what is wrong. */
const isKnown = (error: unknown): boolean => error instanceof DumpError || error instanceof UnpackingError;

/** Unpacks bytes that begin as gzip does, and passes on others. @param start at least the first two bytes */
async function* gunzipped(bytes: AsyncIterable<Buffer>, start: Buffer): AsyncGenerator<Buffer> {
  if (!isGzip(start)) {
    yield* bytes;
    return;
  }
  try {
    yield* gunzip(bytes);
  } catch (error) {
    if (isKnown(error) || !(error instanceof Error) || "syscall" in error) throw error;
    throw new DumpError(`the file is cut off or damaged (gzip: ${error.message}); download it again`);
  }
}

interface Peeked {
  readonly head: Buffer;
  /** All bytes, including the beginning. */
  readonly all: AsyncGenerator<Buffer>;
  /** Ends the source, even if nobody read `all`. */
  close(): Promise<void>;
}

/** Reads the beginning of bytes without taking it from them. */
async function peek(bytes: AsyncIterable<Buffer>, length: number): Promise<Peeked> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let isEnd = false;
  while (head.length < length && !isEnd) {
    const { done, value } = await iterator.next();
    if (done) isEnd = true;
    else head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  const close = async (): Promise<void> => void (await iterator.return?.());
  const all = async function* (): AsyncGenerator<Buffer> {
    try {
      yield head;
      while (!isEnd) {
        const { done, value } = await iterator.next();
        if (done) return;
        yield value;
      }
    } finally {
      await close();
    }
  };
  return { head, all: all(), close };
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const isZip = (start: Buffer): boolean => start.toString("latin1", 0, 4) === "PK\u0003\u0004";
const isTar = (head: Buffer): boolean =>
  head.toString("latin1", TAR_MARK_AT, TAR_MARK_AT + TAR_MARK.length) === TAR_MARK;
const withoutGzip = (name: string): string => name.replace(/\.gz(ip)?$/i, "").replace(/\.tgz$/i, ".tar");
