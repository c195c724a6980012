/** Loads of many terms into one vocabulary: their input and results. */
import type { FieldChange } from "../core/answers/term-answers.js";
import type { AuditEntry } from "../core/audit-entry.js";
import type { Json } from "../core/json.js";
import type { TermContent, TermPatch, Titles } from "../core/term.js";
import type { LoadKind } from "../core/terms/edited-fields.js";

/** A line that a store has prepared for a load. Plain data that can pass between threads. */
export type PreparedTerm = object;

/** An id that is not a term: it was replaced by `to`, or withdrawn (null). */
export interface Redirect {
  readonly id: string;
  readonly to: string | null;
}

/**
 * A line of a file: a complete term, changes of a term, a redirect, or a prepared line. A redirect of the id of a term
 * deprecates the term, because loads never delete terms.
 */
export type TermLine = { readonly line: number } & (
  | { readonly content: TermContent }
  | {
      readonly patch: TermPatch;
      /** The term that the patch creates if its id does not exist; absent if it cannot create one. */
      readonly alone?: TermContent | undefined;
    }
  | { readonly redirect: Redirect }
  | { readonly prepared: PreparedTerm }
);

/** Numbers of terms that lose data. */
export interface LostFields {
  readonly parent: number;
  /** Terms that lose at least one of their synonyms. */
  readonly synonyms: number;
  /** By language. */
  readonly title: Readonly<Record<string, number>>;
  /** By name. */
  readonly props: Readonly<Record<string, number>>;
}

/** A term that a load changes, with its changed fields. */
export interface LoadedChange {
  readonly id: string;
  readonly fields: readonly FieldChange[];
}

/** The effect of a load on a term, or a field that it keeps because a person changed it. */
export type LoadEffect =
  | { readonly kind: "new"; readonly id: string; readonly title: Titles }
  | { readonly kind: LoadKind; readonly id: string; readonly fields: readonly FieldChange[] }
  | {
      readonly kind: "kept";
      readonly id: string;
      readonly field: string;
      /** The stored value and the value of the source; absent: none. */
      readonly value?: Json | undefined;
      readonly source?: Json | undefined;
      /** The user who changed it, and the time. */
      readonly by: string;
      readonly time: string;
    };

/** The result of a load, or of a dry run. */
export interface LoadSummary {
  readonly new: number;
  /** Number of existing terms that change. */
  readonly changed: number;
  readonly unchanged: number;
  /** Numbers of changed terms of these kinds, each counted once; see `LoadKind`. */
  readonly merged: number;
  readonly withdrawn: number;
  readonly renamed: number;
  /** For a sync: fields that keep the change of a person although the source has another value. */
  readonly kept: number;
  /** Ids that are not terms and get another target. */
  readonly redirects: number;
  readonly lost: LostFields;
  /** The first `LIMITS.importExamplesMax` changed terms. */
  readonly examples: readonly LoadedChange[];
}

/** Data by which the load of an authority decides whether a term keeps its title. */
interface AuthorityTitles {
  /** Names of all authorities. A term that only other sources have keeps its title. */
  readonly names: readonly string[];
  /** Titles of the terms of the starter catalog, by id. */
  readonly starterTitles: ReadonlyMap<string, Titles>;
}

/** Options of a load. By default it writes every term as it is. */
export interface LoadOptions {
  /** Whether existing terms stay unchanged. */
  readonly addsOnly?: boolean;
  /** No id occurs twice. Then unchanged terms need no memory. */
  readonly isUnique?: boolean;
  /**
   * Checks lines against the stored terms: a new term needs a title, the parent or successor of a line must exist, and
   * no term may become its own ancestor. Called for each line that is left out, in any order.
   */
  refuse?(line: number, reason: string): void;
  /** Called after all lines are read and checked. If it returns false, nothing is written. */
  isWanted?(): boolean;
  /** Name of the source. A later load recognizes its terms by it. */
  readonly source?: string | undefined;
  /** Audit entry of the operator, written in the transaction that makes the changes visible, if there are any. */
  readonly auditEntry?: AuditEntry | undefined;
  /**
   * Present if the load contains all terms of `source`. Changes by people stay. Called after all lines are read: if it
   * returns true, terms of the source that are missing now are deprecated. Terms that an earlier load deprecated this
   * way and that are back become active again.
   */
  withdraws?(): boolean;
  /** Called for each new or changed term, and for each field that is kept, before anything is written. */
  report?(item: LoadEffect): void;
  /**
   * Present if the source is an authority. Titles from a person, an import or the starter catalog then stay, and the
   * titles of the source become synonyms.
   */
  readonly authority?: AuthorityTitles;
  /**
   * Refuses a new term under an id that redirects to another term (an alias, a merged id, other capitals), and a line
   * that would make a merged term active without setting its status. Absent: the source decides which ids are terms.
   */
  readonly refusesOtherIds?: boolean;
  /** Only reads and compares; does not even record that a load runs. */
  readonly dryRun?: boolean;
  /**
   * Called repeatedly while a new generation is built, after all lines are read, with the number of its terms so far.
   */
  onIndexed?(done: number, total: number): void;
}

/** Metadata of a loaded dump. */
export interface LoadedDump {
  readonly vocabulary: string;
  readonly authority: string;
  /** The release according to the dump or the operator. */
  readonly release?: string | undefined;
  /** Name of the file or folder, without its path. */
  readonly file: string;
  /** Digest of the file in hex; for a folder, of the lines `<SHA-256>  <name>` of its files, sorted by name. */
  readonly sha256: string;
  readonly bytes: number;
  /** When the load ended: ISO 8601 UTC. */
  readonly loaded: string;
}

/** Read access to the metadata of loaded dumps. */
export interface DumpReader {
  /** Lists the last dump of each authority in each vocabulary, by vocabulary and authority. */
  list(): Promise<readonly LoadedDump[]>;
}

/** Write access to the metadata of loaded dumps. */
export interface DumpKeeper extends DumpReader {
  /** Replaces the metadata of the previous dump. */
  keep(dump: LoadedDump): Promise<void>;
}

/** The key by which a document of an import is recognized. */
export interface ImportedDocument {
  readonly model: string;
  /** Id of the user who owns the record. */
  readonly owner: string;
  readonly key: string;
}

/** Finds the record of an imported document, and the digest of the document. Both are kept if the record is deleted. */
export interface ImportReader {
  find(document: ImportedDocument): Promise<{ readonly id: string; readonly digest: string } | undefined>;
}

/** Write access to the keys of imported documents. */
export interface ImportKeeper extends ImportReader {
  keep(document: ImportedDocument, record: { readonly id: string; readonly digest: string }): Promise<void>;
}
