// Made from the schemas in src/core/answers by `npm run docs`; change the schemas there.

/** Answers about terms of vocabularies. */
import type { Highlight, Warning } from "./answers.js";
import type { Titles } from "./models/citations.js";

/** A term of a vocabulary. */
export interface Term<Props = Record<string, unknown>> {
  /** Id of the term. Example: `taxid:562`. */
  readonly id: string;
  /** Name of the vocabulary. Example: `organisms`. */
  readonly type: string;
  /** One title per language. */
  readonly title: Titles;
  /** The other fields that the vocabulary declares; {} if there are none. */
  readonly props: Props;
  /** Version marker: <uuid>::<revision>. */
  readonly "@v": string;
  /** When it was added. */
  readonly created: string;
  /** When it last changed. */
  readonly updated: string;
  readonly revision_id: number;
  readonly synonyms?: readonly Synonym[];
  readonly parent?: RelatedTerm;
  /** Root first; only for a single term. */
  readonly ancestors?: readonly RelatedTerm[];
  /** Number of direct children and of all descendants. Only in answers with a single term of a hierarchy. */
  readonly below?: {
    readonly children: number;
    readonly all: number;
  };
  readonly status?: "active" | "deprecated";
  readonly replaced_by?: string;
  /** A depositor added it, and no curator has confirmed it yet. */
  readonly confirmed?: false;
  /** Only for a single term. */
  readonly edited?: readonly EditedField[];
  /** Number of records whose latest version cites it. */
  readonly cited_by: number;
  readonly links: TermLinks;
  /** With `suggest`: the field and the text that matched; for a synonym also its kind. */
  readonly matched?: {
    readonly field: string;
    readonly text: string;
    readonly kind?: string;
  };
  readonly highlight?: Highlight;
  /** Absent if there are none. */
  readonly warnings?: readonly Warning[];
}

/** A term as in a search of the vocabulary; `@v`, times and revision only if it is loaded. */
export interface FoundTerm<Props = Record<string, unknown>> {
  /** Id of the term. Example: `taxid:562`. */
  readonly id: string;
  /** Name of the vocabulary. Example: `organisms`. */
  readonly type: string;
  /** One title per language. */
  readonly title: Titles;
  /** The other fields that the vocabulary declares; {} if there are none. */
  readonly props: Partial<Props>;
  readonly synonyms?: readonly Synonym[];
  readonly status?: "active" | "deprecated";
  readonly replaced_by?: string;
  /** Version marker: <uuid>::<revision>. */
  readonly "@v"?: string;
  /** When it was added. */
  readonly created?: string;
  /** When it last changed. */
  readonly updated?: string;
  readonly revision_id?: number;
  readonly parent?: RelatedTerm;
  /** A depositor added it, and no curator has confirmed it yet. */
  readonly confirmed?: false;
  /** Number of records whose latest version cites it. */
  readonly cited_by?: number;
  readonly source: {
    /** Name of the authority that returned the hit. Example: `ror`. */
    readonly authority: string;
    /** Whether the vocabulary has the term; if so, the hit is this term. */
    readonly loaded: boolean;
  };
  /** The links of the term; {} if it is not loaded. */
  readonly links: {
    /** The term. */
    readonly self?: string;
    /** Its page, for people. */
    readonly self_html?: string;
    /** The records that cite it. */
    readonly citations?: string;
    /** A picture of the compound, if the term has its structure. */
    readonly structure?: string;
  };
}

/** A synonym of a term: synonym, acronym, common name, iupac ... */
export interface Synonym {
  readonly name: string;
  readonly kind: string;
  readonly lang?: string;
}

/** The parent or an ancestor of a term. */
export interface RelatedTerm {
  readonly id: string;
  /** One title per language. */
  readonly title: Titles;
}

/** Links of a term. */
export interface TermLinks {
  /** The term. */
  readonly self: string;
  /** Its page, for people. */
  readonly self_html: string;
  /** The records that cite it. */
  readonly citations: string;
  /** A picture of the compound, if the term has its structure. */
  readonly structure?: string;
}

/** A field that a person changed after the last load from the source of the term; a sync keeps this value. */
export interface EditedField {
  /** Name of the field. Examples: `title.en`, `props.rank`, `parent`. */
  readonly field: string;
  /** When it was changed. */
  readonly time: string;
}

/** One change of a term. */
export interface TermChange {
  /** The new revision; for `removed` the last one. */
  readonly revision_id: number;
  /** loaded: by an import, or from the dump of an authority. */
  readonly action: "created" | "changed" | "merged" | "confirmed" | "removed" | "loaded";
  /** When it was made. */
  readonly time: string;
  /** Name of the user at that time; `operator`: the command line. Example: `carla`. */
  readonly by: string;
  /** For `loaded`: the loaded source. Example: `ncbi`. */
  readonly source?: string;
  /** The differences; empty for `created` and `removed`. */
  readonly fields: readonly {
    /** Name of the field. Examples: `title.en`, `props.rank`, `parent`. */
    readonly field: string;
    /** Absent if it is new. */
    readonly from?: unknown;
    /** Absent if it was removed. */
    readonly to?: unknown;
  }[];
}
