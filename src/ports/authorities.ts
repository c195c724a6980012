/** Authorities that maintain vocabularies, as far as their dumps are read. */
import type { JsonObject } from "../core/json.js";
import type { TermPatch } from "../core/term.js";

/** Where in a dump something stands. */
export interface DumpPlace {
  /** File of the dump: `nodes.dmp`; empty: the dump as a whole. */
  readonly part: string;
  /** From 1. */
  readonly line: number;
}

/** What a dump says, as far as a vocabulary takes it. */
export type DumpEntry =
  /** An item, as a line of `import vocabulary` says it: with `null` for what the authority knows that it has not. */
  | (DumpPlace & { readonly item: JsonObject })
  /** An id that is no item: another one (`to`) stands for it, or (null) it was withdrawn. */
  | (DumpPlace & { readonly redirect: string; readonly to: string | null })
  /** What refuses the dump. `isEnd`: nothing after this place can be read. */
  | (DumpPlace & { readonly reason: string; readonly isEnd?: true })
  /** What is left out on purpose, for the report: `a class, no compound`. Counted by its text. */
  | { readonly leftOut: string; readonly count: number }
  /** The release, as the dump names it. */
  | { readonly release: string };

export interface DumpOptions {
  /** Ids as the authority writes them: only these items are wanted. Absent: all. */
  readonly only?: ReadonlySet<string>;
  /** Called with the bytes of the dump read so far; of one that is read twice it goes to twice its size. */
  onProgress?(bytesRead: number): void;
}

/** An authority, and how its dumps are read. */
export interface Authority {
  /** As `authority` in a vocabulary.yaml names it. */
  readonly name: string;
  readonly title: string;
  /** Where its dumps are found. */
  readonly url: string;
  readonly licence: string;
  /** The vocabulary that takes its items where no other one is named. */
  readonly vocabulary: string;
  /** What `load` takes, in words. */
  readonly takes: string;
  /**
   * What its dumps are called, the best kind first: a file by its name, or (`isFolder`) a folder by a file in it. Only
   * for finding them in a folder of dumps: `read` goes by the content.
   */
  readonly dumps: readonly { readonly name: RegExp; readonly isFolder?: true }[];
  /** How often a dump is read from its beginning. */
  readonly passes: 1 | 2;
  /**
   * May several entries give an item, of which the first one counts? Then the others are left out. Absent: such a dump
   * is refused.
   */
  readonly firstCounts?: boolean;
  /**
   * How its items meet those that are there. Absent: what it says takes the place of what was there. `join`: as that,
   * but lists are joined, since several authorities know names of the same things. `fill`: and single values that are
   * there stay.
   */
  readonly manner?: TermPatch["manner"];
  /** Does `only` mean anything to it? What an id looks like, in words. */
  readonly picks?: string;
  /**
   * Reads a dump, a run of entries at a time, in memory that does not grow with their number (but for what an authority
   * says). A place that is wrong is told and passed over where the rest can be read.
   *
   * @param path file or folder
   * @throws NodeJS.ErrnoException where it cannot be opened
   */
  read(path: string, options: DumpOptions): AsyncGenerator<readonly DumpEntry[]>;
}
