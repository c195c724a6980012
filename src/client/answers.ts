/**
 * What the service answers, as the OpenAPI document says it (`/api/openapi.json`), and what vocabularies take.
 * The envelopes are read only; metadata and props are the caller's own to change and to send back.
 */
import type { Received } from "./models/citations.js";
import type { Models } from "./models/index.js";

/** One problem at one place, with its cure. */
export interface Issue {
  /** Where: a path in the body (`metadata.contributors.0.id`), or the name of a parameter. */
  readonly field: string;
  /** JSON pointer to the same place: `/metadata/contributors/0/id`. */
  readonly pointer: string;
  /** Stable: decide by it. docs/errors.md lists all codes. */
  readonly code: string;
  /** For people. */
  readonly messages: readonly string[];
  /** What was sent. */
  readonly value?: unknown;
  /** What the place takes, where that is a list. */
  readonly allowed?: readonly unknown[];
  /** What was probably meant, best first: values, or terms with `id` and `title`. */
  readonly nearest?: readonly unknown[];
}

/** Something that was done or left out, and that stops nothing. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** Where in a body. */
  readonly field?: string;
  /** Or which parameter. */
  readonly parameter?: string;
  /** What was dropped. */
  readonly value?: unknown;
  readonly nearest?: readonly unknown[];
}

/** What is left of a retracted record. */
export interface Tombstone {
  readonly id: string;
  readonly model: string;
  readonly title: string;
  readonly depositors?: unknown;
  readonly publisher: string;
  readonly created: string;
  readonly removed: string;
  /** Empty where none was given. */
  readonly removal_reason: string;
  /** The curator or admin who retracted it; absent where its owner did. */
  readonly removed_by?: string;
}

/** Fragments that matched, by the path of their field, in HTML: escaped but for `<em>` around what matched. */
export type Highlight = Readonly<Record<string, readonly string[]>>;

/** A draft or a published record. Times are ISO 8601 in UTC. */
export interface BinderyRecord<Name extends string = string, Metadata = unknown> {
  /** Ten characters: `zv0gv-btp27`. A draft keeps it when it is published. */
  readonly id: string;
  readonly model: Name;
  /** When the draft was made, or the record first published. */
  readonly created: string;
  readonly updated: string;
  /** From 1, one more for each stored change. */
  readonly revision_id: number;
  readonly state: "draft" | "published";
  readonly is_draft: boolean;
  /** Of a draft: is there a published record too? */
  readonly is_published: boolean;
  /** The same for all versions of a record. */
  readonly parent: { readonly id: string; readonly owner: { readonly user: string } };
  readonly versions: { readonly index: number; readonly is_latest: boolean; readonly is_latest_draft: boolean };
  readonly files: { readonly enabled: boolean };
  /** With cited terms filled in. In a draft with `errors` anything may be missing or wrong. */
  readonly metadata: Metadata;
  readonly links: RecordLinks;
  /** Problems of a draft; absent where there are none. */
  readonly errors?: readonly Issue[];
  /** Of a published record: terms that were refreshed since, as they were cited; absent where there are none. */
  readonly as_cited?: readonly AsCited[];
  /** Said once, in the answer to the write that caused them; absent where there are none. */
  readonly warnings?: readonly Warning[];
  /** Of a hit of a search with `highlight`. */
  readonly highlight?: Highlight;
}

/** A term as a record cited it when it was published; the metadata has it as it is now. */
export interface AsCited {
  /** Where in the record: `metadata.general_parameters.instrument`. */
  readonly field: string;
  readonly vocabulary: string;
  /** With its version marker, `@v`. */
  readonly term: Readonly<Record<string, unknown>>;
}

/** The record of one model: `RecordOf<"mst">`. `Known` maps models to the metadata that one sends. */
export type RecordOf<Name extends keyof Known & string, Known = Models> = BinderyRecord<Name, Received<Known[Name]>>;

/** A record of any model; its `model` says which. */
export type AnyRecord<Known = Models> = { [Name in keyof Known & string]: RecordOf<Name, Known> }[keyof Known & string];

/** Absolute addresses, as they apply. */
export interface RecordLinks {
  readonly self: string;
  /** The page of a published record. */
  readonly self_html?: string;
  readonly draft?: string;
  readonly record?: string;
  readonly publish?: string;
  readonly versions?: string;
  readonly latest?: string;
  readonly files: string;
}

/** One page of hits. */
export interface SearchAnswer<Hit> {
  readonly hits: {
    readonly hits: readonly Hit[] /** All matches; exact, unless there is an `index`. */;
    readonly total: number;
  };
  /** By facet; absent with `facets: false`. */
  readonly aggregations?: Readonly<Record<string, Aggregation>>;
  readonly sortBy: string;
  /** Absent with a cursor. */
  readonly page?: number;
  readonly links: { readonly self: string; readonly prev?: string; readonly next?: string };
  readonly query: {
    /** How q was read, as a query that means the same. */
    readonly parsed: string;
    /** Was text that is not valid syntax read as plain words? */
    readonly fallback: boolean;
    /** Where nothing was found, probably for a misspelt word: queries that do find something. */
    readonly suggestions?: readonly string[];
  };
  /** So many of the last changes may be missing from the answer. Absent: it is exact. */
  readonly index?: { readonly behind: number };
  readonly warnings?: readonly Warning[];
}

/** What a facet counts among all hits. */
export interface Aggregation {
  readonly label: string;
  readonly type: "terms" | "tree" | "year" | "histogram";
  readonly buckets: readonly Bucket[];
  /** Hits in buckets that are not listed. */
  readonly other: number;
  /** Of a histogram: what its numbers are in. */
  readonly unit?: string;
  /** Of a histogram: how its axis grows. */
  readonly scale?: "linear" | "log";
  /** Of a histogram: the smallest and the largest number that it counts, whatever it filters itself; null: none. */
  readonly min?: number | null;
  readonly max?: number | null;
}

export interface Bucket {
  /** What to send as the value of the filter. */
  readonly key: string;
  /** What to show. */
  readonly label: string;
  readonly doc_count: number;
  readonly is_selected: boolean;
  /** Of a tree: the key of the nearest term above that is listed. */
  readonly parent?: string;
  /** With `facetBelow`: are there buckets below it too? */
  readonly has_below?: true;
  /** Of a year or a range: its first day, or its least number. */
  readonly from?: number | string;
  /** Of a year or a range: where the next one begins. */
  readonly to?: number | string;
}

/** What is to be said of metadata that were only validated; nothing was stored. */
export interface ValidationResult<Metadata = unknown> {
  /** Could a draft of them be published as it is? */
  readonly valid: boolean;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Warning[];
  /** As it would be stored, with cited terms filled in. */
  readonly metadata: Metadata;
}

/** What `vocabularies` lists. */
export interface VocabularySummary {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly authority?: string;
  readonly count: number;
  /** Published records that have an older version of one of its items; absent where nothing can be searched. */
  readonly stale?: number;
  /** A regular expression for the whole id. */
  readonly id_pattern: string;
  /** May any depositor add items? */
  readonly extensible: boolean;
  /** The authority that `lookUp` asks, and that is asked for ids that are not loaded; absent: none is. */
  readonly lookup?: string;
  /** Dumps of authorities that were loaded into it; absent where there are none. */
  readonly sources?: readonly VocabularySource[];
  readonly links: { readonly self: string; readonly items: string; readonly lookup?: string };
}

/** A dump of an authority, as it was last loaded into a vocabulary. */
export interface VocabularySource {
  readonly authority: string;
  readonly title: string;
  readonly url: string;
  readonly licence: string;
  /** As the dump names it. */
  readonly release?: string;
  /** Name of the file or folder. */
  readonly file: string;
  /** Digest of the file, in hex. */
  readonly sha256: string;
  /** ISO 8601 UTC. */
  readonly loaded: string;
}

/** What `models` lists. */
export interface ModelSummary {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly version: number;
  readonly links: ModelLinks;
}

export interface ModelLinks {
  readonly self: string;
  readonly schema: string;
  /** The fields that queries may name. */
  readonly fields: string;
  /** Absent where the model has none. */
  readonly example?: string;
  readonly records: string;
}
