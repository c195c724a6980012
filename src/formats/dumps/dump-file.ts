/** A file of a dump: the dump itself, or one inside an archive or a folder. */
export interface DumpFile {
  /** Name in the dump, with its folders, without the ending of gzip: `nodes.dmp`, `project/part-00.json`. */
  readonly name: string;
  /** Time of the last change, if the dump has it. */
  readonly modified?: Date;
  /** Reads the text, unpacked, in pieces. A file of an archive can be read until the next one is requested. */
  text(): AsyncGenerator<string>;
}

/** An error that ends the reading of a dump: nothing after its place can be read. */
export class DumpError extends Error {
  override readonly name = "DumpError";

  /**
   * @param message says what is wrong and the cure
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
