import type { LoadedDump } from "../../ports/dumps.js";
import type { LoadedItem, LoadSummary, TermLine } from "../../ports/store.js";
import type { Prepared } from "./prepare-services.js";

/** How a source is loaded that is a new state of one that was loaded before. */
export interface SyncOptions {
  /**
   * Is it all that the source has? Then items that came from it and are missing are deprecated, and what people changed
   * stays. Not where something is refused: that may be what is missing.
   */
  readonly sync?: boolean;
  /** Called for each item that is new or changes, and for each field that stays as a person made it. */
  report?(item: LoadedItem): void;
}

export interface ImportSummary extends LoadSummary {
  /** `part`: file of a dump, in which the line is. */
  readonly refused: readonly { readonly part?: string; readonly line: number; readonly reason: string }[];
}

/** What is loaded of an authority, and how. */
export interface AuthorityLoad extends SyncOptions {
  readonly authority: string;
  /** File or folder. */
  readonly dump: string;
  /** Absent: the one that the authority names. */
  readonly vocabulary?: string;
  /** Ids as the authority writes them; absent: all items are loaded. */
  readonly only?: readonly string[];
  /** Absent: as the dump says. */
  readonly release?: string;
  readonly skipRefused?: boolean;
  /** Says what would be done, and writes nothing. */
  readonly dryRun?: boolean;
  /** Called now and then with how much of the dump was read, and of how many bytes in all. */
  onProgress?(bytesRead: number, bytes: number): void;
  /** Called now and then after that, with how many items are in the new index. */
  onIndexed?(done: number, all: number): void;
}

export interface AuthoritySummary extends ImportSummary {
  readonly vocabulary: string;
  readonly release?: string;
  readonly sha256: string;
  /** What was left out on purpose, with how many. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** What an import of records is asked for, and what it says. */

export interface RecordImport {
  readonly model: string;
  readonly file: string;
  /** Name of the user who owns the records. */
  readonly owner: string;
  /** Are the valid ones published? Then the others are refused. */
  readonly publish: boolean;
  /** Does a record that differs from its document become what the document says, as an edit? Else it is refused. */
  readonly update?: boolean;
  /** With `publish`: are documents with problems kept as drafts, and reported all the same? */
  readonly keepDrafts?: boolean;
  /** Says what would become of the file, and writes nothing. */
  readonly dryRun?: boolean;
  /** Called now and then with the bytes read so far. */
  readonly onProgress?: (bytesRead: number) => void;
}

/** What became of the documents of a file: each is created, updated, unchanged or refused. */
export interface RecordImportSummary {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Of the created and the updated ones. */
  readonly published: number;
  /** Of the refused ones: their records were retracted. */
  readonly retracted: number;
  /** With `keepDrafts` also those that were kept as drafts. `id`: of the record that there is. */
  readonly refused: readonly { readonly line: number; readonly id?: string; readonly reason: string }[];
}

interface TermImport extends SyncOptions {
  readonly vocabulary: string;
  readonly file: string;
  readonly skipRefused: boolean;
  /**
   * What a line is for an item that is there: `merge` (absent: this) writes the fields that the line has, `replace`
   * makes it the whole item, `add` leaves the item alone.
   */
  readonly mode?: "merge" | "replace" | "add";
  /** Name of what the items come from; absent: `import`, the same for all files. */
  readonly source?: string;
  /** Says what would be done, and writes nothing. */
  readonly dryRun?: boolean;
  /** Called now and then with the bytes read so far. */
  readonly onProgress?: (bytesRead: number) => void;
}

/** Imports of files, for the command line. */
export interface ImportOperatorServices {
  importTerms(input: TermImport): Promise<ImportSummary>;
  /**
   * Loads a dump of an authority: every item, or, where one is refused, none.
   * @throws PARAMETER_INVALID where the authority is unknown, or the dump cannot be read
   */
  loadAuthority(load: AuthorityLoad): Promise<AuthoritySummary>;
  /** The dumps in a folder and below it, known by their names: one of each authority. */
  findDumps(folder: string): Promise<readonly { readonly authority: string; readonly dump: string }[]>;
  /** What was loaded, by vocabulary and authority. */
  listDumps(): Promise<readonly LoadedDump[]>;
  /** @throws PARAMETER_INVALID where the file cannot be opened, or the owner is not there */
  importRecords(input: RecordImport): Promise<RecordImportSummary>;
  /** Loads starter items into vocabularies that never had any. */
  loadStarters(): Promise<void>;
}

/** A file that an import reads, and what stands in it. */
export type ImportSource =
  | {
      readonly kind: "terms";
      readonly file: string;
      readonly vocabulary: string;
      /** Is a line what is written over a term? Else it is the whole of one. */
      readonly isPatch: boolean;
      /** The file is a dump of it. */
      readonly authority?: string;
      /** Of a dump: only these. */
      readonly only?: readonly string[];
    }
  | { readonly kind: "records"; readonly file: string; readonly model: string };

/** A document that cannot be imported. */
export interface Unreadable {
  readonly line: number;
  readonly reason: string;
  /** Nothing after this place can be read. */
  readonly isEnd?: boolean;
}

/** Which record a document of an import is. */
export interface Identity {
  /** `id:<id>`, `key:<text at the model's import_key>` or `digest:<of the metadata>`. */
  readonly key: string;
  /** SHA-256 of the canonical metadata, in hex: has the document changed since it was imported? */
  readonly digest: string;
  /** Of a document that Bindery exported: the ids that it had. */
  readonly id?: string;
  readonly parent?: string;
  /** `versions.index`, from 1. */
  readonly version?: number;
}

/** A document that can become a record, with what was prepared of it. */
export interface ReadRecord {
  readonly line: number;
  readonly identity: Identity;
  /** JSON text of what it says of the record. */
  readonly sent: string;
  readonly prepared: Prepared;
}

/** What a document of a source was read as: a line of a vocabulary, or a record. */
export type ReadDocument<Kind extends ImportSource["kind"]> =
  | Unreadable
  | (Kind extends "terms" ? TermLine : ReadRecord);

/** Some documents of a source, in its order. */
export interface ReadDocuments {
  readonly documents: readonly ReadDocument<ImportSource["kind"]>[];
  /** Of the file, so far. */
  readonly bytesRead: number;
  /** Of a dump, so far. */
  readonly dump?: DumpReport;
}

/** What is told of a dump beside its items. */
export interface DumpReport {
  readonly release?: string;
  /** What was left out on purpose, with how many. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** The lines of its files are numbered through: from the number `at` on they are those of `part` from `line` on. */
  readonly stretches: readonly { readonly at: number; readonly part: string; readonly line: number }[];
}

/**
 * For the thread that reads what imports write, some documents ahead: it parses, checks and prepares them. All of it
 * passes between threads.
 */
export interface ImportReadServices {
  /** @returns what stands for the source in the other calls */
  openImport(source: ImportSource): Promise<number>;
  /** What follows on what was read before; undefined at the end. @throws PARAMETER_INVALID where it cannot be opened */
  readImport(opened: number): Promise<ReadDocuments | undefined>;
  /** Reads no more of it. */
  closeImport(opened: number): Promise<void>;
}
