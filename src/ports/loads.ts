/** Loads of many items into one vocabulary: what goes in, and what is said of it. */
import type { FieldChange } from "../core/catalog/merge-term.js";
import type { Json } from "../core/json.js";
import type { TermContent, TermPatch, Titles } from "../core/term.js";
import type { LoadKind } from "../core/terms/load-kind.js";

/** What a store made of a line before it is loaded. Plain data, which passes between threads. */
export type PreparedTerm = object;

/** An id that is no item: `to` stands for it, or (null) it was withdrawn. */
export interface Redirect {
  readonly id: string;
  readonly to: string | null;
}

/**
 * A line of a file: the whole of an item, what is written over the item of that id, or a redirect; or one that was
 * prepared. A redirect of an id that is an item deprecates it: items are never removed by a load.
 */
export type TermLine = { readonly line: number } & (
  | { readonly content: TermContent }
  | {
      readonly patch: TermPatch;
      /** The item that the patch makes where there is none of its id, if that is known. */
      readonly alone?: TermContent;
    }
  | { readonly redirect: Redirect }
  | { readonly prepared: PreparedTerm }
);

/** How many items are without something that they had before. */
export interface LostFields {
  readonly parent: number;
  /** Items that lost one of their synonyms at least. */
  readonly synonyms: number;
  /** By language. */
  readonly title: Readonly<Record<string, number>>;
  /** By name. */
  readonly props: Readonly<Record<string, number>>;
}

/** An item that a load changes, field by field. */
export interface ChangedItem {
  readonly id: string;
  readonly fields: readonly FieldChange[];
}

/** What a load does to one item, or leaves as it is because a person changed it. */
export type LoadedItem =
  | { readonly kind: "new"; readonly id: string; readonly title: Titles }
  | { readonly kind: LoadKind; readonly id: string; readonly fields: readonly FieldChange[] }
  | {
      readonly kind: "kept";
      readonly id: string;
      readonly field: string;
      /** What the item has and what the source says; absent: nothing. */
      readonly value?: Json;
      readonly source?: Json;
      /** Who changed it, and when. */
      readonly by: string;
      readonly time: string;
    };

/** What a load did, or would do. */
export interface LoadSummary {
  readonly new: number;
  /** All items that were there and are other than before. */
  readonly changed: number;
  readonly unchanged: number;
  /** Of the changed ones, each counted once; see `LoadKind`. */
  readonly merged: number;
  readonly withdrawn: number;
  readonly renamed: number;
  /** Of a sync: fields that it left as a person made them, although its source says something else. */
  readonly kept: number;
  /** Ids that lead elsewhere than before, and are no items. */
  readonly redirects: number;
  readonly lost: LostFields;
  /** The first `LIMITS.importExamplesMax` of the changed items. */
  readonly examples: readonly ChangedItem[];
}

/** Data by which the load of an authority decides whether a term keeps its title. */
export interface AuthorityLoad {
  /** Names of all authorities. A term that only other sources have keeps its title. */
  readonly names: readonly string[];
  /** Titles of the terms of the starter catalog, by id. */
  readonly starterTitles: ReadonlyMap<string, Titles>;
}

/** How a load goes about. Absent: it takes every item as it is, and writes. */
export interface LoadOptions {
  /** Leaves items alone that are there already. */
  readonly addsOnly?: boolean;
  /** No id comes twice: then nothing has to be kept of items that do not change. */
  readonly isUnique?: boolean;
  /**
   * Checks lines against what is there: a new item needs a title, a parent or successor that a line gives has to be
   * there, and no item comes to stand below itself. Called for each line that is left out; in no order.
   */
  refuse?(line: number, reason: string): void;
  /** Asked when all was read and checked: on false nothing is written. */
  isWanted?(): boolean;
  /** Name of what is loaded. Its items are known by it when it is loaded again. */
  readonly source?: string;
  /**
   * The items are a new state of all that `source` has. What people changed since stays as they made it. Asked when all
   * was read: on true, items that came from the source and that it no longer has are deprecated. One that they were
   * deprecated by, and that is back, is active again.
   */
  withdraws?(): boolean;
  /** Called for each item that is new or changes, and for each field that stays; before anything is written. */
  report?(item: LoadedItem): void;
  /**
   * Present if the source is an authority. Titles from a person, an import or the starter catalog then stay, and the
   * titles of the source become synonyms.
   */
  readonly authority?: AuthorityLoad;
  /**
   * Refuses a new term under an id that redirects to another term (an alias, a merged id, other capitals), and a line
   * that would make a merged term active without setting its status. Absent: the source decides which ids are terms.
   */
  readonly refusesOtherIds?: boolean;
  /** Reads, compares and writes nothing, not even that a load runs. */
  readonly dryRun?: boolean;
  /** Called now and then while a new generation is made, after all was read, with how many of its items are in it. */
  onIndexed?(done: number, all: number): void;
}
