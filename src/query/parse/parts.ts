import type { Operator } from "./operators.js";
import type { QueryNode } from "./tree.js";

/** A piece of a text, in UTF-16 units: `to` is the first that does not belong to it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * A piece of a query's text, and what it was read as: `parse.ts` makes the parts with the tree, in one pass. Parts are
 * in their order and do not overlap; between them are blanks and the brackets around those of a group.
 */
export type Part = Span &
  (
    | { readonly kind: "clause"; readonly node: QueryNode }
    | {
        readonly kind: "group";
        readonly node: QueryNode;
        /** As it was found: a name in a group may have that of the group before it. */
        readonly field?: string;
        /** Is it about one element of the list that is its field? */
        readonly isElement?: boolean;
        readonly parts: readonly Part[];
      }
    | { readonly kind: "operator"; readonly operator: Operator }
    /** Ignored. */
    | { readonly kind: "dropped" }
  );
