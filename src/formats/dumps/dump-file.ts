import { LIMITS } from "../../core/limits.js";

/** A file of a dump: the dump itself, or one inside an archive or a folder. */
export interface DumpFile {
  /** Name in the dump, with its folders, without the ending of gzip: `nodes.dmp`, `project/part-00.json`. */
  readonly name: string;
  /** Time of the last change, if the dump has it. */
  readonly modified?: Date | undefined;
  /** Reads the text, unpacked, in pieces. A file of an archive can be read until the next one is requested. */
  text(): AsyncGenerator<string>;
}

/** An error that ends the reading of a dump: nothing after its place can be read. */
export class DumpError extends Error {
  override readonly name = "DumpError";

  /**
   * @param message the problem and its cure
   * @param part file of the dump; absent: it as a whole
   * @param line from 1
   */
  constructor(
    message: string,
    readonly part?: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

/** A file of an archive. Its bytes may be packed by gzip. */
export interface ArchiveEntry {
  readonly name: string;
  readonly modified?: Date;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Consecutive lines of a text, without their ends. */
export interface LineRun {
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
}

/**
 * Reads the lines of a file of a dump, some thousand at a time: a table may have millions, and waiting for each of them
 * takes longer than reading it. `\n` and `\r\n` end a line.
 * @throws DumpError with the line after which the file cannot be read
 */
export async function* lineRuns(file: DumpFile): AsyncGenerator<LineRun> {
  let rest = "";
  let first = 1;
  /** Characters of the last pieces if all of them are blank. */
  let blanks = 0;
  const checkLength = (text: string): string => {
    if (text.length <= LIMITS.dumpLineLengthMax) return text;
    const message = `the line has more than ${LIMITS.dumpLineLengthMax} characters; is this the right file?`;
    throw new DumpError(message, file.name, first);
  };
  try {
    for await (const piece of file.text()) {
      blanks = piece.trim() === "" ? blanks + piece.length : 0;
      if (blanks > LIMITS.fileGapLengthMax) {
        throw new DumpError(
          `more than ${LIMITS.fileGapLengthMax} characters are blank; is this the right file?`,
          file.name,
          first,
        );
      }
      const lines = (rest + piece).split("\n");
      rest = checkLength(lines.pop()!);
      if (lines.length === 0) continue;
      yield { first, lines: piece.includes("\r") ? lines.map(withoutReturn) : lines };
      first += lines.length;
    }
  } catch (error) {
    throw withLine(error, file.name, first);
  }
  if (rest !== "") yield { first, lines: [withoutReturn(rest)] };
}

/** Returns an error in unpacking or decoding a file, with the line up to which the file was read. */
export function withLine(error: unknown, part: string, line: number): unknown {
  if (!(error instanceof Error) || "syscall" in error) return error;
  if (error instanceof DumpError && error.line !== undefined) return error;
  return new DumpError(`after this line ${error.message}`, part, line);
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
