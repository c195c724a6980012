/** Opens files that an operator names. Anything else than a file or a pipe with a writer is refused at once. */
import { closeSync, constants, createReadStream, open as openFile, read as readBytes } from "node:fs";
import { stat } from "node:fs/promises";
import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const CHUNK_BYTES = 256 * 1024;

/** How long a named pipe may have no writer, and how often this is checked. */
const [PIPE_WAIT_MS, PIPE_CHECK_MS] = [10_000, 50];

/**
 * The error of an operator's path that is a device, a socket or a pipe without a writer instead of a file. The message
 * has the cure.
 */
export class NoFileError extends Error {
  override readonly name = "NoFileError";
}

/** Bytes of a file, and how many of them were read. */
interface OpenFile {
  readonly bytes: AsyncGenerator<Buffer>;
  bytesRead(): number;
}

/**
 * Opens a file, or a pipe such as that of `<(zcat file)`, to read it once from its beginning to its end.
 * @throws NodeJS.ErrnoException if it cannot be opened; NoFileError if it is neither a file nor a pipe
 */
export async function openForReading(file: string): Promise<OpenFile> {
  // Reading a folder is an error of the system.
  if ((await fileKind(file)) === "pipe") return openPipe(file);
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  return { bytes: chunksOf(source), bytesRead: () => source.bytesRead };
}

/** Refuses anything but a file that can be read twice. @throws NoFileError */
export async function requireFile(file: string): Promise<void> {
  const kind = await fileKind(file);
  if (kind === "folder") throw new NoFileError(`${file} is a folder, not a file.`);
  if (kind === "pipe") throw new NoFileError(`${file} is a pipe; write what comes out of it into a file.`);
}

async function fileKind(file: string): Promise<"file" | "folder" | "pipe"> {
  const stats = await stat(file);
  if (stats.isFIFO()) return "pipe";
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  const what = stats.isSocket() ? "a socket" : "a device";
  throw new NoFileError(`${file} is ${what}, not a file; write what it holds into a file.`);
}

async function openPipe(file: string): Promise<OpenFile> {
  // Opening it the usual way waits for a writer, in a thread that nothing ends.
  const descriptor = await promisify(openFile)(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const first = await firstBytes(descriptor, file).catch((error: unknown) => {
    closeSync(descriptor);
    throw error;
  });
  const socket = new Socket({ fd: descriptor, readable: true, writable: false });
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield first;
    yield* chunksOf(socket);
  };
  return { bytes: bytes(), bytesRead: () => first.length + socket.bytesRead };
}

/** Reads the first bytes of a pipe. A writer may be slow; a pipe without one is refused after a while. */
async function firstBytes(descriptor: number, file: string): Promise<Buffer> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let waitedMs = 0; waitedMs < PIPE_WAIT_MS; ) {
    const count = await promisify(readBytes)(descriptor, buffer, 0, buffer.length, null).then(
      ({ bytesRead }) => bytesRead,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EAGAIN") return undefined;
        throw error;
      },
    );
    if (count !== undefined && count > 0) return buffer.subarray(0, count);
    await wait(PIPE_CHECK_MS);
    // There is a writer if the system says to try again.
    waitedMs = count === undefined ? 0 : waitedMs + PIPE_CHECK_MS;
  }
  throw new NoFileError(`Nobody writes into the pipe ${file}; start what writes it first, or name a file.`);
}

async function* chunksOf(source: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield chunk as Buffer;
}
