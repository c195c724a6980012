/** Counters of citations that are off: what has to be added to them. */
export interface CitationDifference {
  readonly vocabulary: string;
  readonly id: string;
  readonly published: number;
  readonly others: number;
}

/** A row of a record whose last change is not noted, or one that is gone and no change says so. */
export interface MissingChange {
  readonly row: number;
  readonly id: string;
  readonly model: string;
  readonly state: "draft" | "published";
  readonly revision: number;
}

/** As above, of an item of a vocabulary. */
export interface MissingTermChange {
  readonly vocabulary: string;
  readonly id: string;
}

/** What would repair a vocabulary's items. */
export interface VocabularyRepairs {
  /** Rows that are not what their content makes them. */
  readonly rows: Set<number>;
  /** Rows under an id that a later row has. */
  readonly repeats: Set<number>;
  /** Ids that are items, and noted as gone. */
  readonly lives: Set<string>;
  /** Is the generation to be made again? */
  remake: boolean;
  /** Rows that cannot be read: a generation with them cannot be made again. */
  unreadable: number;
}

/** What a repair would rebuild, by rows and ids, so that each is looked at again when it is repaired. */
export interface RepairPlan {
  /** Rows of records: columns, values and index are made again from the body. */
  readonly records: Set<number>;
  /** Bodies without a row of `rec`. */
  readonly bodies: Set<number>;
  /** Rows of the index without a record. */
  readonly strays: Set<number>;
  /** Full-text tables to be emptied and filled again. */
  readonly tables: Set<"leaf" | "elem">;
  /** Parents whose versions do not say rightly which is the latest. */
  readonly parents: Set<string>;
  /** Ids with the least number that their counter has. */
  readonly counters: Map<string, number>;
  readonly words: Set<string>;
  readonly uses: CitationDifference[];
  readonly changes: MissingChange[];
  readonly removals: MissingChange[];
  readonly termChanges: MissingTermChange[];
  /** Rows of records that were retracted. */
  readonly retracted: Set<number>;
  /** Shares of drafts that are no more. */
  readonly shares: Set<string>;
  readonly vocabularies: Map<string, VocabularyRepairs>;
  /** Numbers of generations whose tables belong to nothing. */
  readonly generations: Set<number>;
  /** Imports whose entries belong to nothing. */
  readonly imports: Set<number>;
  /** Indexes of SQLite that do not agree with their tables. */
  readonly indexes: Set<string>;
  /** Are there bodies without a checksum? */
  hasUnsummed: boolean;
}

export function makeRepairPlan(): RepairPlan {
  return {
    records: new Set(),
    bodies: new Set(),
    strays: new Set(),
    tables: new Set(),
    parents: new Set(),
    counters: new Map(),
    words: new Set(),
    uses: [],
    changes: [],
    removals: [],
    termChanges: [],
    retracted: new Set(),
    shares: new Set(),
    vocabularies: new Map(),
    generations: new Set(),
    imports: new Set(),
    indexes: new Set(),
    hasUnsummed: false,
  };
}

/** What would repair a vocabulary, noted for the first time where it is not yet. */
export function ofVocabulary({ vocabularies }: RepairPlan, name: string): VocabularyRepairs {
  let plan = vocabularies.get(name);
  if (plan === undefined) {
    plan = { rows: new Set(), repeats: new Set(), lives: new Set(), remake: false, unreadable: 0 };
    vocabularies.set(name, plan);
  }
  return plan;
}
