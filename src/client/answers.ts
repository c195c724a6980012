/**
 * Answers of the service, as in its OpenAPI document (`/api/openapi.json`). The envelopes are read-only; callers may
 * change metadata and props and send them back.
 */
import type { Received } from "./models/citations.js";
import type { Models } from "./models/index.js";

/** Problem at a place, with its cure. */
export interface Issue {
  /** A path in the body (`metadata.contributors.0.id`), or the name of a parameter. */
  readonly field: string;
  /** JSON pointer to the same place: `/metadata/contributors/0/id`. */
  readonly pointer: string;
  /** Stable code, for programs. docs/errors.md lists all codes. */
  readonly code: string;
  /** Message for people. */
  readonly messages: readonly string[];
  /** The rejected value. */
  readonly value?: unknown;
  /** Allowed values, if they are a list. */
  readonly allowed?: readonly unknown[];
  /** Suggestions, best first: values, or terms with `id` and `title`. */
  readonly nearest?: readonly unknown[];
}

/** Note on a change or an omission that did not stop the request. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** Path in the body. */
  readonly field?: string;
  /** Name of the parameter. */
  readonly parameter?: string;
  /** The dropped value. */
  readonly value?: unknown;
  readonly nearest?: readonly unknown[];
}

/** Tombstone of a retracted record. */
export interface Tombstone {
  readonly id: string;
  readonly model: string;
  readonly title: string;
  readonly depositors?: unknown;
  readonly publisher: string;
  readonly created: string;
  readonly removed: string;
  /** Reason of the retraction; empty if none was given. */
  readonly removal_reason: string;
  /** Curator or admin who retracted it; absent if it was the owner. */
  readonly removed_by?: string;
}

/** Matching fragments by the path of their field, in HTML: escaped except `<em>` around the matches. */
export type Highlight = Readonly<Record<string, readonly string[]>>;

/** Draft or published record. Times are ISO 8601 in UTC. */
export interface BinderyRecord<Name extends string = string, Metadata = unknown> {
  /** Id of ten characters: `zv0gv-btp27`. A draft keeps it when it is published. */
  readonly id: string;
  readonly model: Name;
  /** Time of the creation of the draft, or of the first publication of the record. */
  readonly created: string;
  readonly updated: string;
  /** Number of the revision, from 1; each stored change adds one. */
  readonly revision_id: number;
  readonly state: "draft" | "published";
  readonly is_draft: boolean;
  /** For a draft: whether the record is also published. */
  readonly is_published: boolean;
  /** Identical for all versions of a record. */
  readonly parent: { readonly id: string; readonly owner: { readonly user: string } };
  readonly versions: { readonly index: number; readonly is_latest: boolean; readonly is_latest_draft: boolean };
  readonly files: { readonly enabled: boolean };
  /** Metadata with cited terms filled in. In a draft with `errors`, any value may be missing or wrong. */
  readonly metadata: Metadata;
  readonly links: RecordLinks;
  /** Problems of a draft; absent if there are none. */
  readonly errors?: readonly Issue[];
  /** For a published record: earlier forms of terms that were refreshed later; absent if there are none. */
  readonly as_cited?: readonly AsCited[];
  /** Only in the answer to the write that caused them; absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** For a hit of a search with `highlight`. */
  readonly highlight?: Highlight;
}

/** Term as cited when the record was published; the metadata has its current form. */
export interface AsCited {
  /** Path in the record: `metadata.general_parameters.instrument`. */
  readonly field: string;
  readonly vocabulary: string;
  /** Term with its version marker, `@v`. */
  readonly term: Readonly<Record<string, unknown>>;
}

/** Record of a model: `RecordOf<"mst">`. `Known` maps models to the metadata of requests. */
export type RecordOf<Name extends keyof Known & string, Known = Models> = BinderyRecord<Name, Received<Known[Name]>>;

/** Record of any model, which `model` names. */
export type AnyRecord<Known = Models> = { [Name in keyof Known & string]: RecordOf<Name, Known> }[keyof Known & string];

/** Absolute addresses, if they apply. */
export interface RecordLinks {
  readonly self: string;
  /** Page of a published record. */
  readonly self_html?: string;
  readonly draft?: string;
  readonly record?: string;
  readonly publish?: string;
  readonly versions?: string;
  readonly latest?: string;
  readonly files: string;
}

/** Page of hits. */
export interface SearchAnswer<Hit> {
  readonly hits: {
    readonly hits: readonly Hit[] /** All matches; exact, unless there is an `index`. */;
    readonly total: number;
  };
  /** Aggregations by facet; absent with `facets: false`. */
  readonly aggregations?: Readonly<Record<string, Aggregation>>;
  readonly sortBy: string;
  /** Number of the page; absent with a cursor. */
  readonly page?: number;
  readonly links: { readonly self: string; readonly prev?: string; readonly next?: string };
  readonly query: {
    /** Interpretation of q, as an equivalent query. */
    readonly parsed: string;
    /** Whether text that is not valid syntax was read as plain words. */
    readonly fallback: boolean;
    /** Queries with hits, if there are no hits, probably because of a misspelt word. */
    readonly suggestions?: readonly string[];
  };
  /** Number of recent changes that the answer may lack; absent if the answer is exact. */
  readonly index?: { readonly behind: number };
  readonly warnings?: readonly Warning[];
}

/** Counts of a facet among all hits. */
export interface Aggregation {
  readonly label: string;
  readonly type: "terms" | "tree" | "year" | "histogram";
  readonly buckets: readonly Bucket[];
  /** Number of hits in buckets that are not listed. */
  readonly other: number;
  /** For a histogram: unit of its numbers. */
  readonly unit?: string;
  /** For a histogram: scale of its axis. */
  readonly scale?: "linear" | "log";
  /** For a histogram: smallest and largest number, without its own filter; null if there are none. */
  readonly min?: number | null;
  readonly max?: number | null;
}

/** Bucket of a facet. */
export interface Bucket {
  /** Value for the filter. */
  readonly key: string;
  /** Text to display. */
  readonly label: string;
  readonly doc_count: number;
  readonly is_selected: boolean;
  /** For a tree: key of the nearest ancestor in the list. */
  readonly parent?: string;
  /** With `facetBelow`: whether there are buckets below it. */
  readonly has_below?: true;
  /** For a year or a range: its first day, or its smallest number. */
  readonly from?: number | string;
  /** For a year or a range: the beginning of the next one. */
  readonly to?: number | string;
}

/** Result of a validation, which stores nothing. */
export interface ValidationResult<Metadata = unknown> {
  /** Whether a draft of the metadata could be published. */
  readonly valid: boolean;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Warning[];
  /** Metadata as they would be stored, with cited terms filled in. */
  readonly metadata: Metadata;
}

/** Entry of the list of vocabularies. */
export interface VocabularySummary {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly authority?: string;
  readonly count: number;
  /** Number of published records with an older version of one of its terms; absent without a search index. */
  readonly stale?: number;
  /** Regular expression for the whole id. */
  readonly id_pattern: string;
  /** Whether each depositor may add terms. */
  readonly extensible: boolean;
  /** Authority for `lookUp` and for ids that are not loaded; absent if there is none. */
  readonly lookup?: string;
  /** Loaded dumps of authorities; absent if there are none. */
  readonly sources?: readonly VocabularySource[];
  readonly links: { readonly self: string; readonly items: string; readonly lookup?: string };
}

/** Dump of an authority that was last loaded into a vocabulary. */
export interface VocabularySource {
  readonly authority: string;
  readonly title: string;
  readonly url: string;
  readonly licence: string;
  /** Release according to the dump. */
  readonly release?: string;
  /** Name of the file or folder. */
  readonly file: string;
  /** SHA-256 digest of the file, in hex. */
  readonly sha256: string;
  /** Time of the load, ISO 8601 UTC. */
  readonly loaded: string;
}

/** Entry of the list of models. */
export interface ModelSummary {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly version: number;
  readonly links: ModelLinks;
}

/** Absolute addresses of a model. */
export interface ModelLinks {
  readonly self: string;
  readonly schema: string;
  /** Fields for queries. */
  readonly fields: string;
  /** Absent if the model has none. */
  readonly example?: string;
  readonly records: string;
}
