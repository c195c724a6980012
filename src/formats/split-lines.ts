import { LIMITS } from "../core/limits.js";
import { type FileDocument, parseDocument, parseJsonText } from "./documents.js";

/** A line of a text, without its end; `isCut` if it is longer than a document may be. */
export interface Line {
  /** Number from 1. */
  readonly number: number;
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * Splits a text that comes in pieces into lines, those of a piece together; `\n` and `\r\n` end a line. Of a line that
 * is too long only the number is kept.
 * @param isWanted whether a line is not left out; a line left out costs almost nothing
 */
export async function* splitLines(
  pieces: AsyncIterable<string>,
  isWanted: (text: string) => boolean = () => true,
): AsyncGenerator<readonly Line[]> {
  let rest = "";
  let isCut = false;
  let number = 1;
  for await (const piece of pieces) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      const text = rest === "" && end === start ? "" : rest + piece.slice(start, end);
      if (isCut) lines.push({ number, text: "", isCut });
      else if (isWanted(text)) lines.push({ number, text: text.endsWith("\r") ? text.slice(0, -1) : text, isCut });
      number += 1;
      rest = "";
      isCut = false;
      start = end + 1;
    }
    if (!isCut) rest += piece.slice(start);
    if (rest.length > LIMITS.documentLengthMax) [rest, isCut] = ["", true];
    if (lines.length > 0) yield lines;
  }
  if (isCut || (rest !== "" && isWanted(rest))) yield [{ number, text: rest, isCut }];
}

const isNotBlank = (text: string): boolean => text !== "" && text.trim() !== "";

/** Reads one JSON value per line; blank lines are left out. A bad line affects no other. */
export async function* splitNdjson(pieces: AsyncIterable<string>): AsyncGenerator<FileDocument> {
  for await (const lines of splitLines(pieces, isNotBlank)) {
    for (const { number, text, isCut } of lines) {
      if (isCut) yield { line: number, reason: `the line has more than ${LIMITS.documentLengthMax} characters` };
      else yield parseDocument(number, () => parseJsonText(text));
    }
  }
}

/** Yields some lines of JSON lines without their values, to find out how far the text can be read. */
export async function* skimNdjson(pieces: AsyncIterable<string>): AsyncGenerator<FileDocument> {
  for await (const lines of splitLines(pieces, isNotBlank)) {
    yield { line: lines.at(-1)!.number, value: null };
  }
}
