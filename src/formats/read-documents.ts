import { isJson } from "../core/json.js";
import { LIMITS } from "../core/limits.js";
import type { FileDocument } from "./documents.js";
import { NoFileError } from "./open-file.js";
import { readText } from "./read-text.js";
import { type CsvRow, splitCsv } from "./split-csv.js";
import { splitJson } from "./split-json.js";
import { skimNdjson, splitNdjson } from "./split-lines.js";

type Split = (pieces: AsyncIterable<string>) => AsyncGenerator<FileDocument>;

/**
 * Splits YAML. The library is large, so it is loaded with the first file that needs it, not at the start of each
 * thread.
 */
const splitYaml: Split = async function* (pieces) {
  const yaml = await import("./split-yaml.js");
  yield* yaml.splitYaml(pieces);
};

const refuse = (reason: string): Split =>
  async function* () {
    yield { line: 1, reason, isEnd: true };
  };

/**
 * Refuses CSV. A table has no place for all that a document may have; only readers of tables know what their rows are.
 */
const refuseCsv = refuse("CSV can be imported only into vocabularies; use YAML, JSON or NDJSON");

/** Refuses RDF. SKOS contains neither props nor kinds of synonyms, so importing an export would lose both. */
const refuseRdf = refuse("RDF cannot be imported, not even SKOS from Bindery; export NDJSON or CSV and import that");

/** Ending of a name that shows how the file is packed. */
const PACKED = /\.gz(ip)?$/;

/** Length of the beginning of a file that tells JSON lines from one JSON value. */
const HEAD_LENGTH = 1024 * 1024;

/**
 * Reads the documents of a file one by one: YAML (one document or several), a JSON array, a JSON object, or JSON lines;
 * packed by gzip or not. The name decides, else the content. Memory does not grow with the file.
 * @throws NodeJS.ErrnoException if the file cannot be opened or read
 */
export async function* readDocuments(
  file: string,
  onProgress?: (bytesRead: number) => void,
): AsyncGenerator<FileDocument> {
  const text = new WatchedText(readText(file, onProgress));
  yield* whileReadable(splitDocuments(file, text.pieces()), text);
}

/**
 * Finds the place after which a file cannot be read: packed text that is cut off, bytes that are not UTF-8, JSON that
 * never ends. JSON lines are not parsed for this: a bad one affects no other.
 * @throws NodeJS.ErrnoException if the file cannot be opened or read
 */
export async function findBreak(file: string): Promise<{ readonly line: number; readonly reason: string } | undefined> {
  const text = new WatchedText(readText(file));
  for await (const document of whileReadable(splitDocuments(file, text.pieces(), skimNdjson), text)) {
    if ("isEnd" in document) return document;
  }
  return undefined;
}

/** Returns whether the name of a file says that it is CSV, packed or not. */
export const isCsvName = (file: string): boolean => file.toLowerCase().replace(PACKED, "").endsWith(".csv");

/**
 * Reads the rows of a CSV file, packed by gzip or not.
 * @throws NodeJS.ErrnoException if the file cannot be opened or read
 */
export async function* readCsv(file: string, onProgress?: (bytesRead: number) => void): AsyncGenerator<CsvRow> {
  const text = new WatchedText(readText(file, onProgress));
  yield* whileReadable(splitCsv(text.pieces()), text);
}

/** Text that is read as long as it has documents: reading blank lines, or one endless line, ends. */
class WatchedText {
  #gap = 0;

  constructor(private readonly text: AsyncIterable<string>) {}

  async *pieces(): AsyncGenerator<string> {
    for await (const piece of this.text) {
      this.#gap += piece.length;
      if (this.#gap > LIMITS.fileGapLengthMax) {
        throw new Error(`more than ${LIMITS.fileGapLengthMax} characters have no document; is this the right file?`);
      }
      yield piece;
    }
  }

  /** Notes that a document ends in the text read so far. */
  endGap(): void {
    this.#gap = 0;
  }
}

/** Yields what was read of a file, up to where its bytes are not text, or hold nothing that can be read. */
async function* whileReadable<T extends { readonly line: number }>(
  read: AsyncIterable<T>,
  text: WatchedText,
): AsyncGenerator<T | { readonly line: number; readonly reason: string; readonly isEnd: true }> {
  let last = 1;
  let unreadable = 0;
  try {
    for await (const each of read) {
      last = each.line;
      text.endGap();
      yield each;
      unreadable = "reason" in each ? unreadable + 1 : 0;
      if (unreadable >= LIMITS.fileUnreadableMax)
        throw new Error(`${unreadable} documents on end cannot be read; is this the right file?`);
    }
  } catch (error) {
    if (isFromSystem(error)) throw error;
    yield { line: last, reason: `after here ${(error as Error).message}`, isEnd: true };
  }
}

/** Splits a text that comes in pieces into documents, by its name or its content. */
export async function* splitDocuments(
  name: string,
  pieces: AsyncGenerator<string>,
  splitLines: Split = splitNdjson,
): AsyncGenerator<FileDocument> {
  const [head, all] = await peek(pieces);
  yield* splitterOf(name, head, splitLines)(all);
}

/** Returns whether an error is one of the file system. Errors of zlib have a number too, but no system call. */
function isFromSystem(error: unknown): boolean {
  return error instanceof NoFileError || (error instanceof Error && "syscall" in error);
}

/** Returns the way to split a file. @param splitLines splits JSON lines */
function splitterOf(file: string, head: string, splitLines: Split): Split {
  const name = file.toLowerCase().replace(PACKED, "");
  if (isCsvName(name)) return refuseCsv;
  if (/\.(ttl|jsonld|rdf|nt|nq|trig)$/.test(name)) return refuseRdf;
  if (/\.ya?ml$/.test(name)) return splitYaml;
  if (/\.(ndjson|jsonl|jsonlines)$/.test(name)) return splitLines;
  const text = head.trimStart();
  if (text.startsWith("[")) return splitJson;
  if (!text.startsWith("{") && !name.endsWith(".json")) return splitYaml;
  return isJson(text.split("\n", 1)[0]!) ? splitLines : splitJson;
}

/** Returns the beginning of a text, up to the end of its first line that is not blank, and all of the text. */
async function peek(pieces: AsyncGenerator<string>): Promise<[string, AsyncIterable<string>]> {
  let head = "";
  while (head.length < HEAD_LENGTH && !head.trimStart().includes("\n")) {
    const { done, value } = await pieces.next();
    if (done) break;
    head += value;
  }
  const all = async function* (): AsyncGenerator<string> {
    yield head;
    yield* pieces;
  };
  return [head, all()];
}
