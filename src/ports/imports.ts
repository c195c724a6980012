/** What imports remember of the documents that they read. */

/** A document of an import, as it is known again. */
export interface ImportedDocument {
  readonly model: string;
  /** Id of the user who owns the record. */
  readonly owner: string;
  readonly key: string;
}

/** Which record a document became, and a digest of what it said. Is kept also when the record is gone. */
export interface ImportReader {
  find(document: ImportedDocument): Promise<{ readonly id: string; readonly digest: string } | undefined>;
}

export interface ImportKeeper extends ImportReader {
  keep(document: ImportedDocument, record: { readonly id: string; readonly digest: string }): Promise<void>;
}
