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
