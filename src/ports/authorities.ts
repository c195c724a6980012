/** Authorities that maintain vocabularies: readers of their dumps. */

import type { LiveAuthorityName } from "../core/background.js";
import type { JsonObject } from "../core/json.js";
import type { TermPatch } from "../core/term.js";

/** A place in a dump. */
export interface DumpPlace {
  /** File of the dump, such as `nodes.dmp`; empty: the dump as a whole. */
  readonly part: string;
  /** From 1. */
  readonly line: number;
}

/** An entry of a dump. */
export type DumpEntry =
  /** A term in the form of a line of `import vocabulary`; `null` for values that the term does not have. */
  | (DumpPlace & { readonly item: JsonObject })
  /** An id that is not a term: it was replaced by `to`, or withdrawn (null). */
  | (DumpPlace & { readonly redirect: string; readonly to: string | null })
  /** An error in the dump, which is refused. `isEnd`: nothing after this place can be read. */
  | (DumpPlace & { readonly reason: string; readonly isEnd?: true })
  /** Intentionally omitted data, for the report: `a class, no compound`. Counted by the text. */
  | { readonly leftOut: string; readonly count: number }
  /** The release of the dump. */
  | { readonly release: string };

/** Options for reading a dump. */
export interface DumpOptions {
  /** Reads only the terms with these ids, written as by the authority. Absent: all terms. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Called with the number of bytes read; up to twice the size of a dump that is read twice. */
  onProgress?(bytesRead: number): void;
}

/** An authority with the reader of its dumps. */
export interface Authority {
  /** Its name in the key `authority` of a vocabulary.yaml. */
  readonly name: string;
  readonly title: string;
  /** URL of its dumps. */
  readonly url: string;
  readonly licence: string;
  /** The default vocabulary for its terms. */
  readonly vocabulary: string;
  /** Description of the files that `load` accepts. */
  readonly takes: string;
  /**
   * Patterns of the names of its dumps, the best kind first: of a file, or (`isFolder`) of a file in a folder. They are
   * used only to find dumps in a folder; `read` checks the content.
   */
  readonly dumps: readonly { readonly name: RegExp; readonly isFolder?: true }[];
  /** Number of times that a dump is read from the beginning. */
  readonly passes: 1 | 2;
  /**
   * Whether several entries may have the same id. If so, the first one counts and the others are left out. Absent: such
   * a dump is refused.
   */
  readonly firstCounts?: boolean;
  /**
   * How its terms are merged with existing ones. Absent: its values replace the existing ones. `join`: the same, but
   * lists are joined, because several authorities have names of the same things. `fill`: the same as `join`, but
   * existing single values stay.
   */
  readonly manner?: TermPatch["manner"];
  /** Description of its ids; absent: it does not support `only`. */
  readonly picks?: string;
  /**
   * Reads a dump in batches of entries. Memory does not grow with the number of entries, except for some authorities.
   * An error is reported as an entry, and skipped if the rest can be read.
   *
   * @param path file or folder
   * @throws NodeJS.ErrnoException if it cannot be opened
   */
  read(path: string, options: DumpOptions): AsyncGenerator<readonly DumpEntry[]>;
}

/** The answer of an authority about an id. */
export type LiveTerm =
  /** The term in the form of an entry of its dump (`DumpEntry`). */
  { readonly kind: "found"; readonly item: JsonObject } | { readonly kind: "missing" };

/** A page of hits of an authority. */
export interface LivePage {
  /** In the form of entries of its dump, in the order of the authority. */
  readonly items: readonly JsonObject[];
  /** Number of hits on all pages. */
  readonly total: number;
}

/** A live authority. Answers are cached for a while, and concurrent identical requests are sent once. */
export interface LiveAuthority {
  readonly name: LiveAuthorityName;
  /** Name for messages: `ROR`. */
  readonly title: string;
  /** Returns whether the id has the form of its ids. */
  hasForm(id: string): boolean;
  /** @throws AuthorityUnavailableError */
  find(id: string): Promise<LiveTerm>;
  /**
   * Searches by its own rules; every text is valid.
   * @param page from 1, with `LIMITS.lookupPageSize` terms
   * @throws AuthorityUnavailableError
   */
  search(text: string, page: number): Promise<LivePage>;
}

/** The authorities that the operator enabled, by name. */
export type LiveAuthorities = ReadonlyMap<string, LiveAuthority>;

/** Reasons why an authority gave no usable answer, as they follow its name in a sentence. */
export const UNAVAILABLE_REASONS = {
  silent: "does not answer",
  failing: "answers with errors",
  unreadable: "gave an answer that cannot be used",
  paused: "asked for a pause",
  crowded: "has too many questions waiting",
} as const;
export type UnavailableReason = keyof typeof UNAVAILABLE_REASONS;

/** Thrown if an authority gave no usable answer. */
export class AuthorityUnavailableError extends Error {
  override readonly name = "AuthorityUnavailableError";
  /** @param retrySeconds time until a retry makes sense. @param detail for the log */
  constructor(
    readonly reason: UnavailableReason,
    readonly retrySeconds: number,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}
