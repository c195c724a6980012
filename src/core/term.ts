import type { Json, JsonObject } from "./json.js";

/** One title per language tag: `{ en: "Water" }`. */
export type Titles = Readonly<Record<string, string>>;

export type TermStatus = "active" | "deprecated";

/** A language tag as titles and synonyms have them: `en`, `pt-BR`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** Another name of a term. `kind` is the authority's word: synonym, acronym, common name, iupac ... */
export interface Synonym {
  readonly name: string;
  readonly kind: string;
  readonly lang?: string;
}

/** What a curator or an import says of a term; everything else is the service's. */
export interface TermContent {
  readonly id: string;
  readonly title: Titles;
  readonly props: JsonObject;
  readonly synonyms?: readonly Synonym[];
  /** Id of the term above, where the vocabulary is a hierarchy. */
  readonly parent?: string;
  readonly status: TermStatus;
  /** Id of the successor of a deprecated term. */
  readonly replaced_by?: string;
  /** A depositor added it, and no curator has looked at it yet. Never of a deprecated term. */
  readonly confirmed?: false;
}

/** What the service says of a term: one that was read can be sent back, or imported, as it is. */
export const TERM_SERVER_KEYS: readonly string[] = [
  ...["@v", "created", "updated", "revision_id", "cited_by", "links", "type", "ancestors", "below", "edited"],
  ...["$schema", "matched", "highlight", "warnings"],
];

/** What a line of a file says of a term: a field that is not named stays as it is, `null` takes it away. */
export interface TermPatch {
  readonly id: string;
  /**
   * How it meets what is there. Absent: a value takes the place of the one there. `join`: as that, but synonyms and
   * lists of props are joined. `fill`: and titles and other props that are there stay.
   */
  readonly manner?: "join" | "fill";
  /** By language: each is a field of its own. */
  readonly title?: Readonly<Record<string, string | null>>;
  /** By name: each is a field of its own. */
  readonly props?: Readonly<Record<string, Json | null>>;
  /** The whole list; an empty one takes all synonyms away. */
  readonly synonyms?: readonly Synonym[];
  readonly parent?: string | null;
  readonly status?: TermStatus | null;
  readonly replaced_by?: string | null;
  /** Absent: who imports the term has looked at it. */
  readonly confirmed?: false;
}

/**
 * A term as a store returns it. `json` is the item as clients see it, without `cited_by`, `links` and `ancestors`:
 * `{"id","type","title","props","@v","created","updated","revision_id", synonyms?, status?, replaced_by?, confirmed?,
 * parent?}`.
 */
export interface StoredTerm {
  readonly vocabulary: string;
  readonly id: string;
  readonly revision: number;
  readonly json: string;
  /** How many records cite it: the latest published version of each. */
  readonly citedBy: number;
}

/** What an index takes of a cited term: it follows the vocabulary, whatever the record that cites it keeps. */
export interface TermNow {
  /** The id that stands for the cited one: that of its last successor, or itself. */
  readonly id: string;
  /** Ids that replaced the cited one, one after the other. Where they lead in a circle each stands for itself. */
  readonly successors: readonly string[];
  /** The `@v` of the term that stands for it; absent where none is there. */
  readonly version?: string;
  /** Titles and synonyms of the cited term and of its successors, as they are now. */
  readonly titles: readonly Titles[];
  readonly names: readonly string[];
}

/** A term as it is cited: what dereferencing copies from, and what a record's index takes from it. */
export interface CitedTerm {
  readonly vocabulary: string;
  readonly id: string;
  /** `<uuid>::<revision>`. */
  readonly version: string;
  readonly title: Titles;
  readonly props: JsonObject;
  readonly status: TermStatus;
  /** All synonyms, for the index of the records that cite it. */
  readonly names: readonly string[];
}

/** A cited term as it stands, or stood, at a place of the metadata of a record. */
export interface AsCited {
  /** `metadata.general_parameters.funding_references.0` */
  readonly field: string;
  readonly vocabulary: string;
  /** The whole object: `@v`, `id`, `title` and copied fields. */
  readonly term: JsonObject;
}
