import type { LoadSummary } from "../../ports/store.js";

export interface ImportSummary extends LoadSummary {
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
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

/** Imports of files, for the command line. */
export interface ImportOperatorServices {
  importTerms(input: {
    readonly vocabulary: string;
    readonly file: string;
    readonly skipRefused: boolean;
    /**
     * What a line is for an item that is there: `merge` (absent: this) writes the fields that the line has, `replace`
     * makes it the whole item, `add` leaves the item alone.
     */
    readonly mode?: "merge" | "replace" | "add";
    /** Says what would be done, and writes nothing. */
    readonly dryRun?: boolean;
    /** Called now and then with the bytes read so far. */
    readonly onProgress?: (bytesRead: number) => void;
  }): Promise<ImportSummary>;
  /** @throws PARAMETER_INVALID where the file cannot be opened, or the owner is not there */
  importRecords(input: RecordImport): Promise<RecordImportSummary>;
  /** Loads starter items into vocabularies that never had any. */
  loadStarters(): Promise<void>;
}
