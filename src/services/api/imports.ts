import type { LoadEffect, LoadSummary, TermLine } from "../../ports/store.js";
import type { PrepareResult } from "./preparation.js";

/** Options for loading a new state of a source that was loaded before. */
export interface SyncOptions {
  /**
   * Whether the file is the complete source. If so, missing terms of this source are deprecated; changes by people
   * stay. Nothing is deprecated if a line is refused, because this may be the missing term.
   */
  readonly sync?: boolean;
  /** Called for each new or changed term, and for each field that keeps the change of a person. */
  report?(item: LoadEffect): void;
}

/** The result of an import of terms. */
export interface ImportSummary extends LoadSummary {
  /** `part`: the file of a dump that contains the line. */
  readonly refused: readonly { readonly part?: string; readonly line: number; readonly reason: string }[];
}

/** A load of a dump of an authority. */
export interface AuthorityLoad extends SyncOptions {
  readonly authority: string;
  /** File or folder. */
  readonly dump: string;
  /** Absent: the default vocabulary of the authority. */
  readonly vocabulary?: string;
  /** Loads only these ids, written as by the authority; absent: all terms. */
  readonly only?: readonly string[];
  /** Absent: the release that the dump contains. */
  readonly release?: string;
  readonly skipRefused?: boolean;
  /** Returns the result without writing. */
  readonly dryRun?: boolean;
  /** Called repeatedly with the number of bytes read of the dump, and its size. */
  onProgress?(bytesRead: number, bytes: number): void;
  /** Called repeatedly after reading, with the number of terms in the new index. */
  onIndexed?(done: number, total: number): void;
}

/** The result of a load of an authority's dump. */
export interface AuthoritySummary extends ImportSummary {
  readonly vocabulary: string;
  readonly release?: string;
  readonly sha256: string;
  /** Numbers of intentionally omitted data, by description. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** An import of records. */
export interface RecordImport {
  readonly model: string;
  readonly file: string;
  /** Name of the user who owns the records. */
  readonly owner: string;
  /** Whether valid records are published. If so, the others are refused. */
  readonly publish: boolean;
  /** Whether a record that differs from its document is updated by an edit. Otherwise the document is refused. */
  readonly update?: boolean;
  /** With `publish`: whether documents with problems are kept as drafts. They are reported as well. */
  readonly keepDrafts?: boolean;
  /** Returns the result without writing. */
  readonly dryRun?: boolean;
  /** Called repeatedly with the number of bytes read. */
  readonly onProgress?: (bytesRead: number) => void;
}

/** Outcomes of the documents of a file: each is created, updated, unchanged or refused. */
export interface RecordImportSummary {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Number of published records among the created and updated ones. */
  readonly published: number;
  /** Number of refused documents whose records were retracted. */
  readonly retracted: number;
  /** With `keepDrafts` also the documents that became drafts. `id`: of the existing record. */
  readonly refused: readonly { readonly line: number; readonly id?: string; readonly reason: string }[];
}

/** An import of terms. */
export interface TermImport extends SyncOptions {
  readonly vocabulary: string;
  readonly file: string;
  readonly skipRefused: boolean;
  /**
   * The effect of a line on an existing term: `merge` (the default) writes the fields of the line, `replace` replaces
   * the whole term, `add` does not change it.
   */
  readonly mode?: "merge" | "replace" | "add";
  /** Name of the source; absent: `import`, the same for all files. */
  readonly source?: string;
  /** Returns the result without writing. */
  readonly dryRun?: boolean;
  /** Called repeatedly with the number of bytes read. */
  readonly onProgress?: (bytesRead: number) => void;
}

/** A file that an import reads, and its kind of content. */
export type ImportSource =
  | {
      readonly kind: "terms";
      readonly file: string;
      readonly vocabulary: string;
      /** Whether a line contains only changes of a term. Otherwise it is a complete term. */
      readonly isPatch: boolean;
      /** Set if the file is a dump of this authority. */
      readonly authority?: string;
      /** For a dump: reads only these ids. */
      readonly only?: readonly string[];
    }
  | { readonly kind: "records"; readonly file: string; readonly model: string };

/** A document that cannot be imported. */
export interface Unreadable {
  readonly line: number;
  readonly reason: string;
  /** Set if nothing after this place can be read. */
  readonly isEnd?: boolean | undefined;
}

/** The identity of a document of an import, which assigns it to a record. */
export interface DocumentIdentity {
  /** `id:<id>`, `key:<text at the model's import_key>` or `digest:<of the metadata>`. */
  readonly key: string;
  /** SHA-256 of the canonical metadata, in hex; shows whether the document has changed since its last import. */
  readonly digest: string;
  /** Ids in a document that Bindery exported. */
  readonly id?: string;
  readonly parent?: string | undefined;
  /** `versions.index`, from 1. */
  readonly version?: number | undefined;
}

/** A document that can become a record, with its prepared metadata. */
export interface ParsedRecord {
  readonly line: number;
  readonly identity: DocumentIdentity;
  /** JSON text of a `SentRecord`. */
  readonly sent: string;
  readonly prepared: PrepareResult;
}

/** A parsed document of a source: a line of a vocabulary, or a record. */
export type ParsedDocument<Kind extends ImportSource["kind"]> =
  | Unreadable
  | (Kind extends "terms" ? TermLine : ParsedRecord);

/** A batch of documents of a source, in its order. */
export interface DocumentBatch {
  readonly documents: readonly ParsedDocument<ImportSource["kind"]>[];
  /** Number of bytes of the file read so far. */
  readonly bytesRead: number;
  /** Information about a dump, so far. */
  readonly dump?: DumpReport | undefined;
}

/** Information about a dump apart from its terms. */
export interface DumpReport {
  readonly release?: string;
  /** Numbers of intentionally omitted data, by description. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** The lines of all files have consecutive numbers: the number `at` is line `line` of the file `part`. */
  readonly stretches: readonly { readonly at: number; readonly part: string; readonly line: number }[];
}

/**
 * Services of the thread that reads, checks and prepares documents in advance for an import. All values can pass
 * between threads.
 */
export interface ImportReadServices {
  /** @returns a handle of the source for the other calls */
  openImport(source: ImportSource): Promise<number>;
  /** Returns the next batch; undefined at the end. @throws PARAMETER_INVALID if the source cannot be opened */
  readImport(opened: number): Promise<DocumentBatch | undefined>;
  /** Closes the source. */
  closeImport(opened: number): Promise<void>;
}
