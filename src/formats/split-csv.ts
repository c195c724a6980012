import { LIMITS } from "../core/limits.js";

/** A row of CSV, or the reason why it cannot be read. Nothing after such a row can be read: its end is unknown. */
export type CsvRow =
  | {
      /** Line on which the row begins, from 1. */
      readonly line: number;
      /** Cells as in the file, without their quotes. */
      readonly cells: readonly string[];
    }
  | { readonly line: number; readonly reason: string; readonly isEnd: true };

/**
 * Place in a row. `after`: after a quote in a quoted cell, which ends the cell or is the first of two that stand for
 * one.
 */
type Place = "start" | "plain" | "quoted" | "after";

/** Characters that end a cell without quotes, or must not be in it. */
const SIGN = /[",\r\n]/g;

/**
 * Splits CSV (RFC 4180) that comes in pieces into rows: commas separate cells, and a cell with commas, quotes or line
 * ends is in quotes. `\n`, `\r\n` and `\r` end a row; empty lines are left out.
 */
export async function* splitCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const reader = new RowReader();
  for await (const piece of pieces) {
    yield* reader.take(piece);
    if (reader.isBroken) return;
  }
  yield* reader.end();
}

class RowReader {
  isBroken = false;
  private place: Place = "start";
  private cells: string[] = [];
  private cell = "";
  /** Length of the row, in UTF-16 units. */
  private length = 0;
  /**
   * Numbers of the current line, of the line on which the row began, and of that on which the last quoted cell began.
   */
  private line = 1;
  private first = 1;
  private opened = 1;
  /** Whether the last character may be followed by a line feed that belongs to the same line end. */
  private isReturned = false;

  *take(piece: string): Generator<CsvRow> {
    for (let at = 0; at < piece.length; ) {
      if (this.place === "quoted") {
        at = this.takeQuoted(piece, at);
        if (this.length > LIMITS.documentLengthMax) return yield this.refuse(TOO_LONG, this.opened);
        continue;
      }
      const sign = piece[at]!;
      const isRest = sign === "\n" && this.isReturned;
      this.isReturned = sign === "\r";
      if (isRest) at += 1;
      else if (sign === '"') {
        const wrong = this.takeQuote();
        if (wrong !== undefined) return yield this.refuse(wrong);
        at += 1;
      } else if (sign === ",") {
        this.endCell();
        at += 1;
        if (this.cells.length >= LIMITS.csvCellsMax) return yield this.refuse(TOO_MANY_CELLS, this.first);
      } else if (sign === "\n" || sign === "\r") {
        yield* this.endRow();
        at += 1;
      } else if (this.place === "after") {
        return yield this.refuse("there is text after the quote that ends the cell; write a quote inside a cell twice");
      } else {
        at = this.takePlain(piece, at);
        if (this.length > LIMITS.documentLengthMax) return yield this.refuse(TOO_LONG, this.opened);
      }
    }
  }

  *end(): Generator<CsvRow> {
    if (this.place === "quoted")
      yield this.refuse("the quote that begins the cell has no quote that ends it", this.opened);
    else if (this.cells.length > 0 || this.place !== "start") yield* this.endRow();
  }

  private takeQuoted(piece: string, at: number): number {
    const quote = piece.indexOf('"', at);
    const end = quote < 0 ? piece.length : quote;
    const text = piece.slice(at, end);
    this.cell += text;
    this.length += text.length;
    for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) this.line += 1;
    if (quote >= 0) this.place = "after";
    return end + 1;
  }

  /** Takes a quote. @returns what is wrong with it here */
  private takeQuote(): string | undefined {
    if (this.place === "plain") return "there is a quote inside a cell that does not begin with one";
    if (this.place === "after") this.cell += '"';
    else this.opened = this.line;
    this.place = "quoted";
    return undefined;
  }

  private takePlain(piece: string, at: number): number {
    SIGN.lastIndex = at;
    const end = SIGN.exec(piece)?.index ?? piece.length;
    this.cell += piece.slice(at, end);
    this.length += end - at;
    this.place = "plain";
    return end;
  }

  private endCell(): void {
    this.cells.push(this.cell);
    [this.cell, this.place] = ["", "start"];
  }

  private *endRow(): Generator<CsvRow> {
    const isBlank = this.cells.length === 0 && this.place === "start";
    this.endCell();
    if (!isBlank) yield { line: this.first, cells: this.cells };
    this.line += 1;
    [this.cells, this.length, this.first, this.opened] = [[], 0, this.line, this.line];
  }

  private refuse(reason: string, line = this.line): CsvRow {
    this.isBroken = true;
    return { line, reason: `column ${this.cells.length + 1}: ${reason}`, isEnd: true };
  }
}

const TOO_MANY_CELLS = `the row has more than ${LIMITS.csvCellsMax} cells; is this the right file?`;
const TOO_LONG = `the row has more than ${LIMITS.documentLengthMax} characters; is a quote missing?`;
