import { LIMITS } from "../../core/limits.js";
import { DumpError } from "./dump-error.js";
import type { DumpFile } from "./read-dump.js";

/** Lines of a text that follow on each other, without their ends. */
export interface LineRun {
  /** Number of the first one, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
}

/**
 * The lines of a file of a dump, some thousand at a time: a table may have millions, and waiting for each of them takes
 * longer than reading it. `\n` and `\r\n` end a line.
 *
 * @throws DumpError naming the line after which it cannot be read on
 */
export async function* lineRuns(file: DumpFile): AsyncGenerator<LineRun> {
  let rest = "";
  let first = 1;
  /** Characters of the last pieces, if they hold nothing else than blanks. */
  let blanks = 0;
  const checked = (text: string): string => {
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
      rest = checked(lines.pop()!);
      if (lines.length === 0) continue;
      yield { first, lines: piece.includes("\r") ? lines.map(withoutReturn) : lines };
      first += lines.length;
    }
  } catch (error) {
    throw atLine(error, file.name, first);
  }
  if (rest !== "") yield { first, lines: [withoutReturn(rest)] };
}

/** What fails while a file is unpacked and decoded, with the place up to which it was read. */
export function atLine(error: unknown, part: string, line: number): unknown {
  if (!(error instanceof Error) || "syscall" in error) return error;
  if (error instanceof DumpError && error.line !== undefined) return error;
  return new DumpError(`after this line ${error.message}`, part, line);
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
