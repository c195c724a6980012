import { greatestOf } from "../../core/collections.js";
import type { Span } from "../text/positions.js";

/**
 * Syntax tree of a query, without its spelling. `parse.ts` makes it, `print.ts` prints it, and `resolve.ts` turns it
 * into a `Clause`.
 *
 * Field names are kept as typed. A leaf without a field applies to all text, or inside a `group` to the text of the
 * element. Texts are raw, with at least one word. `all` and `any` have at least two children, never one of their own
 * kind; the child of a `not` is never a `not`.
 */
export type QueryNode = LeafNode | Composite;

/** A node without children. */
export type LeafNode =
  | { readonly kind: "everything" }
  /** Consecutive words. In a field, an unquoted number or date is compared by value; a quoted one is text. */
  | { readonly kind: "text"; readonly field?: string | undefined; readonly text: string; readonly quoted: boolean }
  /** Consecutive words; the last one is a prefix of a word. */
  | { readonly kind: "prefix"; readonly field?: string | undefined; readonly text: string }
  /** One analysed word with `*` and `?`. It begins with neither. */
  | { readonly kind: "wildcard"; readonly field?: string | undefined; readonly pattern: string }
  /** One word; `edits` is absent if the query does not give them. */
  | {
      readonly kind: "fuzzy";
      readonly field?: string | undefined;
      readonly text: string;
      readonly edits?: 1 | 2 | undefined;
    }
  /** One value within all bounds. At least one bound. */
  | { readonly kind: "range"; readonly field: string; readonly bounds: readonly RangeBound[] }
  | { readonly kind: "exists"; readonly field: string }
  /** A known id. `within`: also its descendants; such a node has a field. */
  | { readonly kind: "cites"; readonly field?: string | undefined; readonly id: string; readonly within: boolean };

type Composite =
  /** `of` matches within one element of an array of objects. Names in it are looked up below the array first. */
  | { readonly kind: "group"; readonly field: string; readonly of: QueryNode }
  | { readonly kind: "all"; readonly of: readonly QueryNode[] }
  | { readonly kind: "any"; readonly of: readonly QueryNode[] }
  | { readonly kind: "not"; readonly of: QueryNode };

/** One bound of a range. `text` is raw and not empty; the field decides whether it is a number, date or keyword. */
export interface RangeBound {
  readonly op: ">=" | ">" | "<=" | "<";
  readonly text: string;
}

/** Node that matches everything. */
export const EVERYTHING_NODE: QueryNode = { kind: "everything" };

/** Joins nodes by AND and flattens nested ANDs. Returns a single node unchanged, and undefined for an empty list. */
export function allNodes(nodes: readonly QueryNode[]): QueryNode | undefined {
  return joinNodes("all", nodes);
}

/** Joins nodes by OR, in the same way as `allNodes`. */
export function anyNodes(nodes: readonly QueryNode[]): QueryNode | undefined {
  return joinNodes("any", nodes);
}

/** Negates a node. A double negation is removed. */
export function notNode(node: QueryNode): QueryNode {
  return node.kind === "not" ? node.of : { kind: "not", of: node };
}

function joinNodes(kind: "all" | "any", nodes: readonly QueryNode[]): QueryNode | undefined {
  const of = nodes.flatMap((node) => (node.kind === kind ? node.of : [node]));
  return of.length > 1 ? { kind, of } : of[0];
}

/** Returns the depth of a tree: the largest number of `all`, `any`, `not` and `group` nodes around a leaf. */
export function measureDepth(node: QueryNode): number {
  switch (node.kind) {
    case "all":
    case "any":
      return 1 + greatestOf(node.of.map(measureDepth));
    case "not":
    case "group":
      return 1 + measureDepth(node.of);
    default:
      return 0;
  }
}

/** Returns the number of leaves of a tree. */
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

/** Operator between operands (AND, OR) or before one (NOT, +). `+` has no effect. */
export type Operator = "AND" | "OR" | "NOT" | "+";

/**
 * Part of a query's text with its interpretation. `parse.ts` makes the parts together with the tree. They are in the
 * order of the text and do not overlap. Between them are blanks, and the brackets of groups.
 */
export type Part = Span &
  (
    | { readonly kind: "clause"; readonly node: QueryNode }
    | {
        readonly kind: "group";
        readonly node: QueryNode;
        /** Name by which the field was found. In a group it may include the name of the group. */
        readonly field?: string | undefined;
        /** Whether it matches within one element of the list that is its field. */
        readonly isElement?: boolean;
        readonly parts: readonly Part[];
      }
    | { readonly kind: "operator"; readonly operator: Operator }
    /** Ignored text. */
    | { readonly kind: "dropped" }
  );
