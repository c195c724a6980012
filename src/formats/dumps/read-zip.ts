import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createInflateRaw } from "node:zlib";
import { crc32OfBytes } from "../../core/crc32.js";
import { type Unpacking, UnpackingError } from "../read-text.js";
import { type ArchiveEntry, DumpError } from "./dump-file.js";

/**
 * Signatures of the records of a zip archive (APPNOTE 6.3): local header, entry of the directory, its end, and the two
 * of an archive above 4 GB that locate its end.
 */
const SIGNATURES = { local: 0x04034b50, entry: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator: 0x07064b50 };

/** Size of the end of the directory, and of the longest comment after it. */
const [END_BYTES, COMMENT_BYTES_MAX] = [22, 65_535];
const [LOCATOR_BYTES, END64_BYTES, ENTRY_BYTES, LOCAL_BYTES] = [20, 56, 46, 30];

/** Maximum size of the directory, which is read as a whole. */
const DIRECTORY_BYTES_MAX = 64 * 1024 * 1024;

/** Placeholder of a number that does not fit, and id of the extra field that has the number. */
const [TOO_LARGE, EXTRA_64] = [0xffffffff, 1];

const METHODS = { stored: 0, deflated: 8 };

interface Entry {
  readonly name: string;
  readonly modified: Date;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly offset: number;
}

/**
 * Reads the files of a zip archive, in the order of its directory. Files that nobody reads are not unpacked.
 * @param onProgress called with the bytes of the archive that were passed
 * @throws DumpError if it is cut off, damaged, or needs a password
 */
export async function* readZip(
  file: string,
  unpacking: Unpacking,
  onProgress: (bytes: number) => void,
): AsyncGenerator<ArchiveEntry> {
  const handle = await open(file);
  try {
    let passed = 0;
    const entries = await readDirectory(handle);
    refuseOverlaps(entries);
    for (const entry of entries) {
      const { name, modified, packedSize } = entry;
      const onRead = (bytes: number): void => {
        unpacking.notePacked(passed + bytes);
        onProgress(passed + bytes);
      };
      if (!name.endsWith("/")) yield { name, modified, bytes: contentsOf(handle, file, entry, unpacking, onRead) };
      passed += packedSize;
      onRead(0);
    }
  } finally {
    await handle.close();
  }
}

/** Refuses an archive whose files share bytes: a small one of these can unpack to any size. */
function refuseOverlaps(entries: readonly Entry[]): void {
  let end = 0;
  for (const { name, offset, packedSize } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < end) throw damaged(`${name} overlaps another file`);
    end = offset + LOCAL_BYTES + packedSize;
  }
}

async function readDirectory(handle: FileHandle): Promise<readonly Entry[]> {
  try {
    return await readEntries(handle);
  } catch (error) {
    // A number that points outside the file.
    if (error instanceof RangeError) throw damaged("its directory is wrong");
    throw error;
  }
}

async function readEntries(handle: FileHandle): Promise<readonly Entry[]> {
  const { size } = await handle.stat();
  const tail = await readAt(handle, Math.max(0, size - END_BYTES - COMMENT_BYTES_MAX - LOCATOR_BYTES), size);
  let at = tail.length - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== SIGNATURES.end) at -= 1;
  if (at < 0) throw damaged("its directory is missing");
  let [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  const locator = at - LOCATOR_BYTES;
  if (locator >= 0 && tail.readUInt32LE(locator) === SIGNATURES.locator) {
    const from = Number(tail.readBigUInt64LE(locator + 8));
    const end = await readAt(handle, from, from + END64_BYTES);
    if (end.readUInt32LE(0) !== SIGNATURES.end64) throw damaged("the end of its directory is missing");
    [length, offset] = [Number(end.readBigUInt64LE(40)), Number(end.readBigUInt64LE(48))];
  }
  if (offset + length > size) throw damaged("it is shorter than its directory says");
  if (length > DIRECTORY_BYTES_MAX) throw damaged("its directory has more than 64 MiB");
  const directory = await readAt(handle, offset, offset + length);
  const entries: Entry[] = [];
  for (let next = 0; next < directory.length; ) {
    const [entry, end] = readEntry(directory, next);
    entries.push(entry);
    next = end;
  }
  return entries;
}

function readEntry(directory: Buffer, at: number): [Entry, number] {
  if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== SIGNATURES.entry) {
    throw damaged("an entry of its directory is wrong");
  }
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
  const nameEnd = at + ENTRY_BYTES + nameLength!;
  const extra = directory.subarray(nameEnd, nameEnd + extraLength!);
  const [size, packedSize, offset] = wideNumbers(
    extra,
    [24, 20, 42].map((field) => directory.readUInt32LE(at + field)),
  );
  const entry = {
    name: directory.toString("utf8", at + ENTRY_BYTES, nameEnd),
    modified: dosTime(directory.readUInt16LE(at + 14), directory.readUInt16LE(at + 12)),
    method: directory.readUInt16LE(at + 10),
    isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
    crc: directory.readUInt32LE(at + 16),
    packedSize: packedSize!,
    size: size!,
    offset: offset!,
  };
  return [entry, nameEnd + extraLength! + commentLength!];
}

/** Returns numbers; those too large for their place are read from the extra field, in their order. */
function wideNumbers(extra: Buffer, numbers: readonly number[]): readonly number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== EXTRA_64) continue;
    let next = at + 4;
    return numbers.map((number) => {
      if (number !== TOO_LARGE) return number;
      next += 8;
      return Number(extra.readBigUInt64LE(next - 8));
    });
  }
  return numbers;
}

/** Reads a time of MS-DOS. Its zone is unknown, so UTC is assumed. */
function dosTime(date: number, time: number): Date {
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  return new Date(Date.UTC(year, month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2));
}

async function* contentsOf(
  handle: FileHandle,
  file: string,
  { name, method, isEncrypted, packedSize, size, crc, offset }: Entry,
  unpacking: Unpacking,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  if (isEncrypted) throw new DumpError("it needs a password; load it unpacked", name);
  if (method !== METHODS.stored && method !== METHODS.deflated) {
    throw new DumpError(`it is packed by a method that is not read (${method}); load it unpacked`, name);
  }
  const header = await readAt(handle, offset, offset + LOCAL_BYTES);
  if (header.readUInt32LE(0) !== SIGNATURES.local) throw damaged(`${name} does not begin where it should`);
  if (packedSize === 0) {
    if (size !== 0 || crc !== 0) throw damaged(`the checksum of ${name} is wrong`);
    return;
  }
  const start = offset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const source = createReadStream(file, { start, end: start + packedSize - 1 });
  const bytes: AsyncIterable<Buffer> =
    method === METHODS.stored
      ? source
      : pipeline(source, createInflateRaw(), () => {
          // An error ends the iteration below.
        });
  let [sum, length] = [0, 0];
  try {
    for await (const chunk of unpacking.countUnpacked(bytes)) {
      onRead(source.bytesRead);
      sum = crc32OfBytes(chunk, sum);
      length += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (
      error instanceof DumpError ||
      error instanceof UnpackingError ||
      !(error instanceof Error) ||
      "syscall" in error
    )
      throw error;
    throw damaged(`${name}: ${error.message}`);
  }
  if (length !== size || sum !== crc) throw damaged(`the checksum of ${name} is wrong`);
}

async function readAt(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
  if (bytesRead < to - from) throw damaged("it is shorter than its directory says");
  return buffer;
}

const damaged = (what: string): DumpError =>
  new DumpError(`the archive is damaged or cut off (zip: ${what}); download it again`);
