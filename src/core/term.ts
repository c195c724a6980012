import type { Json, JsonObject } from "./json.js";

/** Titles by language tag: `{ en: "Water" }`. */
export type Titles = Readonly<Record<string, string>>;

export type TermStatus = "active" | "deprecated";

/** Pattern of the language tags of titles and synonyms: `en`, `pt-BR`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** Another name of a term. The authority defines `kind`: synonym, acronym, common name, iupac ... */
export interface Synonym {
  readonly name: string;
  readonly kind: string;
  readonly lang?: string | undefined;
}

/** The content of a term, which curators and imports write. The service adds everything else. */
export interface TermContent {
  readonly id: string;
  readonly title: Titles;
  readonly props: JsonObject;
  readonly synonyms?: readonly Synonym[];
  /** Id of the parent, if the vocabulary is a hierarchy. */
  readonly parent?: string;
  readonly status: TermStatus;
  /** Id of the successor of a deprecated term. */
  readonly replaced_by?: string;
  /** Set if a depositor added it and no curator has confirmed it. Never set for a deprecated term. */
  readonly confirmed?: false;
}

/** Keys that the service adds to a term. They are ignored in input, so that a term can be sent back or imported. */
export const TERM_SERVER_KEYS: readonly string[] = [
  "@v",
  "created",
  "updated",
  "revision_id",
  "cited_by",
  "links",
  "type",
  "ancestors",
  "below",
  "edited",
  "$schema",
  "matched",
  "highlight",
  "warnings",
];

/** Changes of a term by a line of a file: a missing field stays the same, `null` removes it. */
export interface TermPatch {
  readonly id: string;
  /**
   * How it is merged with the existing term. Absent: values replace existing ones. `join`: the same, but synonyms and
   * lists of props are joined. `fill`: like `join`, but existing titles and other props stay.
   */
  readonly manner?: "join" | "fill";
  /** By language; each one is a separate field. */
  readonly title?: Readonly<Record<string, string | null>>;
  /** By name; each one is a separate field. */
  readonly props?: Readonly<Record<string, Json | null>>;
  /** The whole list; an empty list removes all synonyms. */
  readonly synonyms?: readonly Synonym[];
  readonly parent?: string | null;
  readonly status?: TermStatus | null;
  readonly replaced_by?: string | null;
  /** Absent: the import confirms the term. */
  readonly confirmed?: false;
}

/**
 * A term from a store. `json` is the term for clients, without `cited_by`, `links` and `ancestors`:
 * `{"id","type","title","props","@v","created","updated","revision_id", synonyms?, status?, replaced_by?, confirmed?,
 * parent?}`.
 */
export interface StoredTerm {
  readonly vocabulary: string;
  readonly id: string;
  readonly revision: number;
  readonly json: string;
  /** Number of records whose latest published version cites it. */
  readonly citedBy: number;
}

/** The current data of a cited term in the index. They follow the vocabulary, not the copy in the citing record. */
export interface CurrentTerm {
  /** The id of the last successor of the cited term, or its own id. */
  readonly id: string;
  /** The chain of successors of the cited term. If they form a circle, each id is its own. */
  readonly successors: readonly string[];
  /** The `@v` of the last successor; absent if no term exists. */
  readonly version?: string;
  /** Current titles and synonyms of the cited term and of its successors. */
  readonly titles: readonly Titles[];
  readonly names: readonly string[];
}

/** A cited term: the data that are copied into records and their index. */
export interface CitedTerm {
  readonly vocabulary: string;
  readonly id: string;
  /** `<uuid>::<revision>`. */
  readonly version: string;
  readonly title: Titles;
  readonly props: JsonObject;
  readonly status: TermStatus;
  /** All synonyms, for the index of citing records. */
  readonly names: readonly string[];
}
