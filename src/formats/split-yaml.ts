import { parse, YAMLParseError } from "yaml";
import { DOCUMENT_LENGTH_MAX, type FileDocument, parseDocument } from "./documents.js";
import { splitLines } from "./split-lines.js";

/** A marker stands at the beginning of a line, where no text of a document can stand. */
const BEGIN = /^---(\s|$)/;
const END = /^\.\.\.(\s|$)/;
const NO_CONTENT = /^(\s*(#.*)?|%.*|---\s*(#.*)?)$/;

/** The documents of a YAML stream, each by itself; empty ones are none. A list at the top is its items. */
export async function* splitYaml(pieces: AsyncIterable<string>): AsyncGenerator<FileDocument> {
  let lines: string[] = [];
  let length = 0;
  let first = 1;
  let content: number | undefined;
  const take = (next: number): FileDocument[] => {
    const documents = content === undefined ? [] : parseYaml(lines, first, content, length);
    [lines, length, first, content] = [[], 0, next, undefined];
    return documents;
  };
  for await (const { number, text, isCut } of splitLines(pieces)) {
    if (END.test(text) || (BEGIN.test(text) && content !== undefined)) yield* take(number);
    if (END.test(text)) continue;
    length += isCut ? DOCUMENT_LENGTH_MAX : text.length + 1;
    if (length <= DOCUMENT_LENGTH_MAX) lines.push(text);
    if (content === undefined && !NO_CONTENT.test(text)) content = number;
  }
  yield* take(0);
}

function parseYaml(lines: readonly string[], first: number, content: number, length: number): FileDocument[] {
  if (length > DOCUMENT_LENGTH_MAX) {
    return [{ line: content, reason: `the document has more than ${DOCUMENT_LENGTH_MAX} characters` }];
  }
  const document = parseDocument(content, () => parseText(lines.join("\n"), first));
  if (!("value" in document) || !Array.isArray(document.value)) return [document];
  return document.value.map((value) => ({ line: content, value }));
}

function parseText(text: string, first: number): unknown {
  try {
    return parse(text, { schema: "core", logLevel: "error", prettyErrors: true });
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const [place] = error.linePos ?? [];
    const said = error.message.split(/ at line \d+/)[0]!;
    const where = place === undefined ? "" : ` (line ${first + place.line - 1}, column ${place.col})`;
    throw new Error(`it is not valid YAML: ${said}${where}`, { cause: error });
  }
}
