import { greatestOf } from "../../core/collections.js";

/**
 * The typed syntax tree of a query: what was written, without its spelling. `parse.ts` makes it, `print.ts` writes it,
 * `resolve.ts` gives it a meaning (`Clause`).
 *
 * Names of fields stand as they were typed. A leaf without a field is about all text, or within a `group` about the
 * text of the element. Texts are raw; each holds one word at least. `all` and `any` hold two nodes or more, never one
 * of their own kind; a `not` never holds a `not`.
 */
export type QueryNode = LeafNode | Composite;

export type LeafNode =
  | { readonly kind: "everything" }
  /** Words in a row. In a field an unquoted number or date compares as such; in quotes it is text. */
  | { readonly kind: "text"; readonly field?: string; readonly text: string; readonly quoted: boolean }
  /** As text, but the last word is only the beginning of one. */
  | { readonly kind: "prefix"; readonly field?: string; readonly text: string }
  /** One analysed word with `*` and `?`, which do not come first. */
  | { readonly kind: "wildcard"; readonly field?: string; readonly pattern: string }
  /** One word; `edits` where they were said. */
  | { readonly kind: "fuzzy"; readonly field?: string; readonly text: string; readonly edits?: 1 | 2 }
  /** One value that keeps to all of the bounds; one or more of them. */
  | { readonly kind: "range"; readonly field: string; readonly bounds: readonly RangeBound[] }
  | { readonly kind: "exists"; readonly field: string }
  /** A known id. `within`: or a descendant of it; then the field is said. */
  | { readonly kind: "cites"; readonly field?: string; readonly id: string; readonly within: boolean };

type Composite =
  /** All of it holds in one element of an array of objects; names within are relative to the element first. */
  | { readonly kind: "group"; readonly field: string; readonly of: QueryNode }
  | { readonly kind: "all"; readonly of: readonly QueryNode[] }
  | { readonly kind: "any"; readonly of: readonly QueryNode[] }
  | { readonly kind: "not"; readonly of: QueryNode };

/** `text` is raw and not empty; what it is (number, date, keyword) the field says. */
export interface RangeBound {
  readonly op: ">=" | ">" | "<=" | "<";
  readonly text: string;
}

export const EVERYTHING: QueryNode = { kind: "everything" };

/** All of some nodes: nested ones are taken up, one stands for itself; undefined for none. */
export function allNodes(nodes: readonly QueryNode[]): QueryNode | undefined {
  return joined("all", nodes);
}

/** Any of some nodes: nested ones are taken up, one stands for itself; undefined for none. */
export function anyNodes(nodes: readonly QueryNode[]): QueryNode | undefined {
  return joined("any", nodes);
}

/** Not this node; two of them cancel out. */
export function notNode(node: QueryNode): QueryNode {
  return node.kind === "not" ? node.of : { kind: "not", of: node };
}

function joined(kind: "all" | "any", nodes: readonly QueryNode[]): QueryNode | undefined {
  const of = nodes.flatMap((node) => (node.kind === kind ? node.of : [node]));
  return of.length > 1 ? { kind, of } : of[0];
}

/** Nesting of a tree: 0 for a leaf, one more for each `all`, `any`, `not` and `group` around it. */
export function depthOf(node: QueryNode): number {
  switch (node.kind) {
    case "all":
    case "any":
      return 1 + greatestOf(node.of.map(depthOf));
    case "not":
    case "group":
      return 1 + depthOf(node.of);
    default:
      return 0;
  }
}

/** Number of leaves of a tree. */
export function countLeaves(node: QueryNode): number {
  switch (node.kind) {
    case "all":
    case "any":
      return node.of.reduce((sum, of) => sum + countLeaves(of), 0);
    case "not":
    case "group":
      return countLeaves(node.of);
    default:
      return 1;
  }
}
