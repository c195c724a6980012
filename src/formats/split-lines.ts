import { DOCUMENT_LENGTH_MAX, type FileDocument, parseDocument, parseJsonText } from "./documents.js";

/** A line of a text, without its end; `isCut` where it was longer than a document may be. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly isCut: boolean;
}

/** The lines of a text that comes in pieces; `\n` and `\r\n` end one. Of a line too long only the beginning is kept. */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  let rest = "";
  let isCut = false;
  let number = 1;
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      const text = isCut ? rest : rest + piece.slice(start, end);
      yield { number: number++, text: text.endsWith("\r") ? text.slice(0, -1) : text, isCut };
      [rest, isCut, start] = ["", false, end + 1];
    }
    if (!isCut) rest += piece.slice(start);
    if (rest.length > DOCUMENT_LENGTH_MAX) [rest, isCut] = ["", true];
  }
  if (rest !== "" || isCut) yield { number, text: rest, isCut };
}

/** One JSON value per line; blank lines are none. A bad line spoils no other. */
export async function* splitNdjson(pieces: AsyncIterable<string>): AsyncGenerator<FileDocument> {
  for await (const { number, text, isCut } of splitLines(pieces)) {
    if (isCut) yield { line: number, reason: `the line has more than ${DOCUMENT_LENGTH_MAX} characters` };
    else if (text.trim() !== "") yield parseDocument(number, () => parseJsonText(text));
  }
}

/** The lines of JSON lines without their values: for whoever only asks how far the text can be read. */
export async function* skimNdjson(pieces: AsyncIterable<string>): AsyncGenerator<FileDocument> {
  for await (const { number, text, isCut } of splitLines(pieces)) {
    if (isCut || text.trim() !== "") yield { line: number, value: null };
  }
}
