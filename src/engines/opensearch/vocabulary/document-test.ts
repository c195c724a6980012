/**
 * What a document of a term has to fulfil. Made of clauses, steps of rankings and filters; asked of the index
 * (`toQuery`), and judged of documents that it does not have yet (`fulfils`).
 */
import type { TextColumn } from "../documents/term-document.js";

/** Fields of exact terms; those of facets by `facet.<name>`. */
export type TermField = "id" | "parent" | "region" | "whole" | `facet.${string}`;

export type DocumentTest =
  | { readonly kind: "always" }
  | { readonly kind: "never" }
  | { readonly kind: "all"; readonly of: readonly DocumentTest[] }
  | { readonly kind: "any"; readonly of: readonly DocumentTest[] }
  | { readonly kind: "not"; readonly of: DocumentTest }
  /** The field has one of the values. */
  | { readonly kind: "has"; readonly field: TermField; readonly values: ReadonlySet<string> }
  /** There is an item that replaced it. */
  | { readonly kind: "replaced" }
  /** The tokens stand in a row in one value; `isPrefix`: the last one is only the beginning of one. */
  | {
      readonly kind: "phrase";
      readonly column: TextColumn;
      readonly tokens: readonly string[];
      readonly isPrefix: boolean;
    }
  /** A word with wildcards. `before` stands before each word of the column. */
  | { readonly kind: "pattern"; readonly column: TextColumn; readonly before: string; readonly pattern: string }
  /** A word within so many edits of one, or (`isPrefix`) that begins with one. */
  | {
      readonly kind: "near";
      readonly column: TextColumn;
      readonly before: string;
      readonly word: string;
      readonly edits: 1 | 2;
      readonly isPrefix: boolean;
    }
  /** A number at the path, or a keyword (as `rangeKeyword` has it), lies between the ends; an absent one is open. */
  | { readonly kind: "between"; readonly path: string; readonly from?: End<number>; readonly to?: End<number> }
  | { readonly kind: "keyword"; readonly from: End<string>; readonly to: End<string> };

export interface End<T> {
  readonly value: T;
  readonly inclusive: boolean;
}

export const ALWAYS: DocumentTest = { kind: "always" };
export const NEVER: DocumentTest = { kind: "never" };

export function allTests(tests: readonly DocumentTest[]): DocumentTest {
  const of = tests.filter(({ kind }) => kind !== "always");
  if (of.some(({ kind }) => kind === "never")) return NEVER;
  return of.length === 1 ? of[0]! : of.length === 0 ? ALWAYS : { kind: "all", of };
}

export function anyTest(tests: readonly DocumentTest[]): DocumentTest {
  const of = tests.filter(({ kind }) => kind !== "never");
  if (of.some(({ kind }) => kind === "always")) return ALWAYS;
  return of.length === 1 ? of[0]! : of.length === 0 ? NEVER : { kind: "any", of };
}

export function notTest(of: DocumentTest): DocumentTest {
  if (of.kind === "always") return NEVER;
  if (of.kind === "never") return ALWAYS;
  return of.kind === "not" ? of.of : { kind: "not", of };
}

export const hasAny = (field: TermField, values: Iterable<string>): DocumentTest => {
  const set = new Set(values);
  return set.size === 0 ? NEVER : { kind: "has", field, values: set };
};
