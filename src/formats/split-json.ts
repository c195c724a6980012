import { LIMITS } from "../core/limits.js";
import { type FileDocument, parseDocument, parseJsonText } from "./documents.js";

/**
 * Splits a JSON array into its items, or consecutive JSON values, over any number of lines. Only brackets, commas and
 * strings are examined for this; each item is parsed by itself, so that a file of any size needs little memory.
 */
export async function* splitJson(pieces: AsyncIterable<string>): AsyncGenerator<FileDocument> {
  const splitter = new JsonSplitter();
  for await (const piece of pieces) {
    splitter.push(piece);
    yield* splitter.takeDocuments();
    if (splitter.isBroken) return;
  }
  splitter.end();
  yield* splitter.takeDocuments();
}

const charCode = (letter: string): number => letter.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA, NEWLINE] = [charCode('"'), charCode("\\"), charCode(","), charCode("\n")];
const [BRACKET, BRACE, BRACKET_END, BRACE_END] = [charCode("["), charCode("{"), charCode("]"), charCode("}")];

class JsonSplitter {
  isBroken = false;
  private documents: FileDocument[] = [];
  private phase: "start" | "array" | "values" | "closed" = "start";
  private line = 1;
  private depth = 0;
  private string: "no" | "in" | "escaped" = "no";
  /** Text of the item so far, without its part of the current piece, which begins at `from`. */
  private text = "";
  private from = 0;
  /** Line on which the item begins; undefined before its first character. */
  private firstLine: number | undefined;
  private isAfterComma = false;

  takeDocuments(): FileDocument[] {
    const taken = this.documents;
    this.documents = [];
    return taken;
  }

  push(piece: string): void {
    this.from = 0;
    for (let i = 0; i < piece.length && !this.isBroken; i++) {
      const code = piece.charCodeAt(i);
      if (code === NEWLINE) this.line++;
      if (this.string !== "no") this.readInString(code);
      else if (code > 0x20) this.read(piece, i, code);
    }
    this.text += piece.slice(this.from);
    if (this.text.length > LIMITS.documentLengthMax) this.break("an item is too long, or its brackets do not match");
  }

  end(): void {
    if (this.phase === "array") this.break("the array does not end");
    else if (this.firstLine !== undefined) this.take("");
  }

  private readInString(code: number): void {
    if (this.string === "escaped") this.string = "in";
    else if (code === BACKSLASH) this.string = "escaped";
    else if (code === QUOTE) this.string = "no";
  }

  private read(piece: string, i: number, code: number): void {
    if (this.phase === "closed") {
      this.break("something stands after the end of the array");
    } else if (this.phase === "start" && code === BRACKET) {
      this.phase = "array";
      this.from = i + 1;
    } else {
      if (this.phase === "start") this.phase = "values";
      this.readItem(piece, i, code);
    }
  }

  private readItem(piece: string, i: number, code: number): void {
    if (code === COMMA && this.depth === 0) {
      this.take(piece.slice(this.from, i));
      this.from = i + 1;
      this.isAfterComma = true;
    } else if (code === BRACKET_END || code === BRACE_END) {
      this.close(piece, i);
    } else {
      this.firstLine ??= this.line;
      if (code === QUOTE) this.string = "in";
      else if (code === BRACKET || code === BRACE) this.depth++;
    }
  }

  private close(piece: string, i: number): void {
    if (this.depth > 0) {
      this.depth--;
      if (this.phase !== "values" || this.depth > 0) return;
      this.take(piece.slice(this.from, i + 1));
    } else if (this.phase === "array" && piece[i] === "]") {
      if (this.firstLine !== undefined || this.isAfterComma) this.take(piece.slice(this.from, i));
      this.phase = "closed";
      this.text = "";
    } else {
      this.break(`nothing is open that this "${piece[i]}" closes`);
    }
    this.from = i + 1;
  }

  private take(upTo: string): void {
    const item = this.text + upTo;
    this.documents.push(parseDocument(this.firstLine ?? this.line, () => parseJsonText(item)));
    this.text = "";
    this.firstLine = undefined;
  }

  private break(reason: string): void {
    this.documents.push({ line: this.line, reason, isEnd: true });
    this.isBroken = true;
  }
}
