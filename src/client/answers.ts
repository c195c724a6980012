// Made from the schemas in src/core/answers by `npm run docs`; change the schemas there.

/**
 * Answers of the service, as in its OpenAPI document (`/api/openapi.json`). The envelopes are read-only; callers
 * may change metadata and props and send them back. Times are ISO 8601 in UTC.
 */

/** One problem at one place, and how to fix it. */
export interface Issue {
  /** A path in the body, or the name of a parameter. Example: `metadata.contributors.0.id`. */
  readonly field: string;
  /** JSON pointer to the same place. Example: `/metadata/contributors/0/id`. */
  readonly pointer: string;
  /** Stable; docs/errors.md lists all codes. Example: `TERM_UNKNOWN`. */
  readonly code: string;
  readonly messages: readonly string[];
  /** The value that was sent. */
  readonly value?: unknown;
  /** The allowed values, if listed. */
  readonly allowed?: readonly unknown[];
  /** Suggestions, best first. */
  readonly nearest?: readonly unknown[];
}

/** A note on what was changed or ignored; a request with warnings succeeds. */
export interface Warning {
  /** Stable; docs/errors.md lists all codes. Example: `UNKNOWN_PARAMETER`. */
  readonly code: string;
  readonly message: string;
  /** A path in the body. */
  readonly field?: string;
  /** The name of a parameter. */
  readonly parameter?: string;
  /** The value that was dropped. */
  readonly value?: unknown;
  /** Known names or terms that are similar to the value that was sent. */
  readonly nearest?: readonly unknown[];
}

/** The tombstone of a retracted record. */
export interface Tombstone {
  /** Id of the retracted record. Example: `zv0gv-btp27`. */
  readonly id: string;
  /** Name of the model. Example: `mst`. */
  readonly model: string;
  readonly title: string;
  /** The depositors in the record. */
  readonly depositors?: unknown;
  readonly publisher: string;
  /** When it was first published. */
  readonly created: string;
  /** When it was retracted. */
  readonly removed: string;
  /** Empty if no reason was given. */
  readonly removal_reason: string;
  /** The curator or admin who retracted it; absent if the owner did. */
  readonly removed_by?: string;
}

/**
 * With highlight=true: matching fragments by the path of their field (`*`: fields that no schema declares), as
 * escaped HTML with <em> around the matches.
 */
export type Highlight = Readonly<Record<string, readonly string[]>>;

/** A draft or a published record. */
export interface BinderyRecord<Name extends string = string, Metadata = unknown> {
  /** Ten characters of Crockford's base32; not case-sensitive. Example: `zv0gv-btp27`. */
  readonly id: string;
  /** Name of the model. Example: `mst`. */
  readonly model: Name;
  /** When the draft was created, or the record first published. */
  readonly created: string;
  /** When it last changed. */
  readonly updated: string;
  /** Increases by one with each stored change; also the ETag. */
  readonly revision_id: number;
  readonly state: "draft" | "published";
  readonly is_draft: boolean;
  /** For a draft: whether there is a published record with this id. */
  readonly is_published: boolean;
  readonly parent: {
    /** The same for all versions of a record. */
    readonly id: string;
    readonly owner: {
      /** Id of the user who created it. */
      readonly user: string;
    };
  };
  readonly versions: {
    readonly index: number;
    readonly is_latest: boolean;
    readonly is_latest_draft: boolean;
  };
  readonly files: {
    readonly enabled: boolean;
  };
  /** The metadata from the depositor, with the cited terms filled in; the model's schema describes it. */
  readonly metadata: Metadata;
  /** Problems of a draft; absent if there are none. */
  readonly errors?: readonly Issue[];
  /** For a published record: terms that the operator refreshed later. `metadata` has their current form. */
  readonly as_cited?: readonly AsCited[];
  readonly links: RecordLinks;
  /** Absent if there are none. */
  readonly warnings?: readonly Warning[];
  readonly highlight?: Highlight;
  /** With expand=checks: outcomes of the checks that the model declares, computed from the record. */
  readonly checks?: readonly RecordCheck[];
}

/** A term as it was cited when the record was published. */
export interface AsCited {
  /** The place in the metadata. Example: `metadata.general_parameters.instrument`. */
  readonly field: string;
  /** Name of the vocabulary. Example: `instruments`. */
  readonly vocabulary: string;
  /** The term as it was cited when the record was published, with its version marker `@v`. */
  readonly term: Readonly<Record<string, unknown>>;
}

/** The outcome of a check of a record. Nothing of it is stored or exported. */
export interface RecordCheck {
  /** Name of the check in the catalog. Example: `kd_from_rates`. */
  readonly check: string;
  /**
   * Path of the result or object that is checked. Absent: the check is about several, or the record. Example:
   * `metadata.general_parameters.results.0`.
   */
  readonly result?: string;
  /** `note`: a number or a statement with nothing to compare it with, or something that is missing. */
  readonly status: "agrees" | "differs" | "note";
  /** By which factor the computed and the stated number differ. */
  readonly factor?: number;
  /** The outcome in words. Example: `koff / kon is 1.16 nM, like the KD of 1.16 ± 0.1 nM`. */
  readonly text: string;
  /** How it is computed. Example: `KD = koff / kon`. */
  readonly formula: string;
}

/** Links that apply to the record or draft. */
export interface RecordLinks {
  /** The record, or the draft. */
  readonly self: string;
  /** The page of a published record, for people. */
  readonly self_html?: string;
  /** The draft. */
  readonly draft?: string;
  /** The published record. */
  readonly record?: string;
  /** POST here to publish the draft. */
  readonly publish?: string;
  /** The published versions; POST here to create the draft of a new one. */
  readonly versions?: string;
  /** Redirects to the latest published version. */
  readonly latest?: string;
  /** Always an empty list: this service stores no files. */
  readonly files: string;
}

/** A page of hits. */
export interface SearchAnswer<Hit> {
  readonly hits: {
    readonly hits: readonly Hit[];
    /** The number of all matches; exact, unless there is an `index`. */
    readonly total: number;
  };
  /** Counts by facet; absent with facets=none. */
  readonly aggregations?: Readonly<Record<string, Aggregation>>;
  /** The order of the hits. Example: `newest`. */
  readonly sortBy: string;
  /** Number of the page; absent with a cursor. */
  readonly page?: number;
  readonly links: SearchLinks;
  readonly query: {
    /** How `q` was read, as an equivalent query. */
    readonly parsed: string;
    /** Whether a part of `q` was read differently from its literal meaning. */
    readonly fallback: boolean;
    /** If there are no hits, probably because of a misspelt word: queries that have hits, best first. */
    readonly suggestions?: readonly string[];
  };
  readonly index?: {
    /** Number of changes that may be missing. */
    readonly behind: number;
  };
  /** Absent if there are none. */
  readonly warnings?: readonly Warning[];
}

/** Links of a page of hits. */
export interface SearchLinks {
  /** This page, with all parameters. */
  readonly self: string;
  /** The previous page. */
  readonly prev?: string;
  /** The next page: by number, or by cursor after the last page that has a number. */
  readonly next?: string;
}

/** Counts of one facet over all hits. */
export interface Aggregation {
  readonly label: string;
  /**
   * terms: each value is a key; tree: each cited term and its ancestors in the vocabulary (a key also selects all
   * descendants); year: of dates, in UTC; histogram: ranges of numbers.
   */
  readonly type: "terms" | "tree" | "year" | "histogram";
  /** Sorted by count, then by key; steps of a histogram without edges ascend. Selected ranges come last. */
  readonly buckets: readonly Bucket[];
  /** Sum of the counts of all buckets that are not listed. */
  readonly other: number;
  /** For a histogram: the unit of its numbers. Example: `M`. */
  readonly unit?: string;
  /** For a histogram: the scale of its axis. */
  readonly scale?: "linear" | "log";
  /** For a histogram: the smallest number that it counts, without its own filter; null if none. */
  readonly min?: number | null;
  /** For a histogram: the largest number that it counts, without its own filter; null if none. */
  readonly max?: number | null;
}

/** A bucket of a facet. */
export interface Bucket {
  /** The value of the parameter that selects this bucket. Example: `ins:2`. */
  readonly key: string;
  /** The text to display. Example: `Monolith NT.115 RED`. */
  readonly label: string;
  readonly doc_count: number;
  readonly is_selected: boolean;
  /** For a tree: the key of the nearest ancestor that is listed. Example: `taxid:2`. */
  readonly parent?: string;
  /** With `facet_below`: there are more buckets below it. */
  readonly has_below?: true;
  /** For a year or a range: its first day, or its lower end. */
  readonly from?: number | string;
  /** For a year or a range: the beginning of the next one. */
  readonly to?: number | string;
}

/** A molecule, and what published records say about it. */
export interface Molecule {
  /** Id of the molecule; its page and its data are at this id. Example: `uniprot:P00698`. */
  readonly id: string;
  /** The name that most records use. Example: `Hen egg-white lysozyme`. */
  readonly name: string;
  /** Number of records that a search for the molecule finds. */
  readonly records: number;
  /** Number of records, the newest first, from which everything else was read, except for the aggregations. */
  readonly read: number;
  /** Names that records use, the most used one first. */
  readonly names: readonly {
    readonly name: string;
    /** Number of records that say so. */
    readonly records: number;
  }[];
  /** Other ids of the same molecule in these records. */
  readonly identifiers: readonly {
    readonly id: string;
    /** Page of the register about it. */
    readonly url?: string;
    /** Number of records that say so. */
    readonly records: number;
  }[];
  /** Organisms that it comes from. */
  readonly organisms: readonly {
    readonly id?: string;
    readonly name: string;
    /** Number of records that say so. */
    readonly records: number;
  }[];
  /** Mutants and other variants, as the records name them. */
  readonly variants: readonly {
    readonly name: string;
    /** Number of records that say so. */
    readonly records: number;
  }[];
  /** Sequences, the most used one first. */
  readonly sequences: readonly {
    readonly sequence: string;
    /** Number of records that say so. */
    readonly records: number;
  }[];
  /** Models of the records. */
  readonly models: readonly {
    readonly name: string;
    readonly title: string;
    /** Number of records that say so. */
    readonly records: number;
  }[];
  /** The most frequent one first. */
  readonly partners: readonly MoleculePartner[];
  /** The best numbers of the first quantity come first. */
  readonly results: readonly MoleculeResult[];
  /** Counts over all records, as in a search. */
  readonly aggregations: Readonly<Record<string, Aggregation>>;
  /** The term of a vocabulary that has the same id. */
  readonly term?: {
    readonly vocabulary: string;
    readonly id: string;
  };
  readonly links: {
    /** This molecule. */
    readonly self: string;
    /** Its page, for people. */
    readonly self_html: string;
    /** The search for its records. */
    readonly records: string;
    /** Page of the register about it. */
    readonly register?: string;
    /** The term with the same id. */
    readonly term?: string;
  };
}

/** A molecule that was measured together with this one. */
export interface MoleculePartner {
  /** Id of the molecule; its page and its data are at this id. Example: `uniprot:P00698`. */
  readonly id?: string;
  /** The name that most records use. Example: `Hen egg-white lysozyme`. */
  readonly name: string;
  /** Number of records with results about both molecules. */
  readonly records: number;
  readonly best?: MoleculeFigure;
}

/** Results of a record about the same molecules. */
export interface MoleculeResult {
  /** Id of the record. Example: `zv0gv-btp27`. */
  readonly record: string;
  /** Name of its model. Example: `mst`. */
  readonly model: string;
  /** Title of the record. */
  readonly title: string;
  /** When the record was published. */
  readonly created: string;
  /** The other molecules that the results are about. */
  readonly with: readonly {
    /** Id of the molecule; its page and its data are at this id. Example: `uniprot:P00698`. */
    readonly id?: string;
    readonly name: string;
  }[];
  /** At most one number of each quantity. */
  readonly figures: readonly MoleculeFigure[];
}

/** The best number of a quantity. */
export interface MoleculeFigure {
  /** Name of the quantity in queries. Example: `kd`. */
  readonly quantity: string;
  /** As deposited, or in the canonical unit if it is derived. */
  readonly value: number;
  /** Its unit. Example: `nM`. */
  readonly unit?: string;
  readonly error?: {
    readonly lower: number;
    readonly upper: number;
    /** Both are fractions of the number. */
    readonly is_relative?: true;
  };
  /** The record does not state the number. */
  readonly derived?: true;
  /** Names of the quantities from which it is derived. */
  readonly from?: readonly string[];
}

/** The result of validating a body with validate=only. */
export interface ValidationResult<Metadata = unknown> {
  /** Whether it could be published. */
  readonly valid: boolean;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Warning[];
  /** The metadata as it would be stored, with cited terms filled in. */
  readonly metadata: Metadata;
}

/** An entry of the list of vocabularies. */
export interface VocabularySummary {
  /** Name of the vocabulary. Example: `organisms`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Name of the authority that maintains it. Example: `ncbi`. */
  readonly authority?: string;
  /** Number of its terms. */
  readonly count: number;
  /** Number of published records with an older version of its terms; absent if there is no search index. */
  readonly stale?: number;
  /** Regular expression that ids match as a whole. Example: `^taxid:[0-9]+$`. */
  readonly id_pattern: string;
  /** Whether any depositor may add terms. */
  readonly extensible: boolean;
  /** The authority that provides terms that are not loaded; absent if there is none. Example: `ncbi`. */
  readonly lookup?: string;
  /** Dumps of authorities that were loaded, by authority. */
  readonly sources?: readonly VocabularySource[];
  readonly links: {
    /** The vocabulary. */
    readonly self: string;
    /** Search of its terms. */
    readonly items: string;
    /** Search at the authority. */
    readonly lookup?: string;
  };
}

/** A dump of an authority, as it was last loaded into a vocabulary. */
export interface VocabularySource {
  /** Name of the authority. Example: `ncbi`. */
  readonly authority: string;
  readonly title: string;
  /** Address of its dumps. */
  readonly url: string;
  readonly licence: string;
  /** The release according to the dump. Examples: `v2.8`, `2026-11-01`. */
  readonly release?: string;
  /** Name of the file or folder. Example: `taxdump.tar.gz`. */
  readonly file: string;
  /** Digest of the file, in hex; for a folder, the digest of the list of the digests of its files. */
  readonly sha256: string;
  /** When it was last loaded. */
  readonly loaded: string;
}

/** A kind of record. */
export interface ModelSummary {
  /** Name of the model. Example: `mst`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Version of its declaration. */
  readonly version: number;
  readonly links: ModelLinks;
}

/** Links of a model. */
export interface ModelLinks {
  /** The model. */
  readonly self: string;
  /** JSON Schema of `metadata`. */
  readonly schema: string;
  /** The fields that queries may name. */
  readonly fields: string;
  /** An example of a body; absent if the model has none. */
  readonly example?: string;
  /** Search of its records; POST here to create a draft. */
  readonly records: string;
}
