/**
 * What a query means: the tree after names have become paths and texts have become analysed words. This is what
 * engines compile and what the reference evaluator of the tests evaluates. It has no syntax; `tree.ts` has.
 *
 * A record (or term) is a set of leaves: (path, element, value). Words of a value come from `analyse`.
 */

/** Where words are looked for: in all text (declared or not), or in the values at some declared leaf paths. */
export type TextScope = { readonly in: "text" } | { readonly in: "paths"; readonly paths: readonly string[] };

/** An end of a range. Numbers as such, dates as microseconds since 1970 UTC, keywords folded by `foldKeyword`. */
export interface Bound {
  readonly value: number | string;
  readonly inclusive: boolean;
}

export type Clause =
  | { readonly kind: "everything" }
  | { readonly kind: "nothing" }
  /** The words stand in a row within one value. One word or more. */
  | { readonly kind: "words"; readonly place: TextScope; readonly words: readonly string[] }
  /** As `words`, but the last one is only the beginning of a word. */
  | { readonly kind: "prefix"; readonly place: TextScope; readonly words: readonly string[] }
  /** One word, `*` for any characters and `?` for one; never begins with either. */
  | { readonly kind: "wildcard"; readonly place: TextScope; readonly pattern: string }
  /** One word within so many edits (a transposition is one). */
  | { readonly kind: "fuzzy"; readonly place: TextScope; readonly word: string; readonly edits: 1 | 2 }
  /** One value of the type at one of the paths lies in the range; an absent end is open. */
  | {
      readonly kind: "range";
      readonly paths: readonly string[];
      readonly type: "number" | "date" | "keyword";
      readonly from?: Bound;
      readonly to?: Bound;
    }
  /** A value that is not null, "", [] or {} stands at one of the leaf paths. */
  | { readonly kind: "exists"; readonly paths: readonly string[] }
  /**
   * Cites this term (records) or is it (terms). Without `sites` anywhere, else at one of these paths of TermSites.
   * `within`: or a descendant of it.
   */
  | {
      readonly kind: "cites";
      readonly vocabularies: readonly string[];
      readonly id: string;
      readonly sites?: readonly string[];
      readonly within: boolean;
    }
  /** One element of the array of objects at `path` fulfils `of`, whose paths all lie under it. */
  | { readonly kind: "element"; readonly path: string; readonly of: Clause }
  | { readonly kind: "all"; readonly of: readonly Clause[] }
  | { readonly kind: "any"; readonly of: readonly Clause[] }
  | { readonly kind: "not"; readonly of: Clause };
