import type { Warning } from "../../core/issue.js";
import { Notes } from "../parse/notes.js";
import { printQuery } from "../parse/print.js";
import { allNodes, anyNodes, EVERYTHING, notNode, type QueryNode } from "../parse/tree.js";
import { analyse } from "../text/analyse.js";
import type { IndexSupports } from "./supports.js";

/**
 * Rewrites a tree so that an index which supports this much can answer it: what it cannot do is read as plain words.
 * A fuzzy word becomes the word; `field.within:id` the words of the id; a same-element group all words that stand in
 * it, without their fields, and without what stands under NOT.
 *
 * @returns `warnings` say what was rewritten; none where the tree is the same
 */
export function degradeTree(
  tree: QueryNode,
  supports: IndexSupports,
): { readonly tree: QueryNode; readonly warnings: readonly Warning[] } {
  const notes = new Notes();
  return { tree: degrade(tree, supports, notes) ?? EVERYTHING, warnings: notes.warnings };
}

/** Undefined where no word is left. */
function degrade(node: QueryNode, supports: IndexSupports, notes: Notes): QueryNode | undefined {
  switch (node.kind) {
    case "all":
      return allNodes(node.of.flatMap((of) => degrade(of, supports, notes) ?? []));
    case "any":
      return anyNodes(node.of.flatMap((of) => degrade(of, supports, notes) ?? []));
    case "not": {
      const of = degrade(node.of, supports, notes);
      return of === undefined ? undefined : notNode(of);
    }
    case "group": {
      const of = supports.sameElement ? degrade(node.of, supports, notes) : asWords(node, notes, "same-element groups");
      return of === undefined || !supports.sameElement ? of : { ...node, of };
    }
    case "fuzzy":
      return supports.fuzzy ? node : asWords(node, notes, "fuzzy words");
    case "cites":
      return supports.within || !node.within ? node : asWords(node, notes, "subtrees (within)");
    default:
      return node;
  }
}

function asWords(node: QueryNode, notes: Notes, feature: string): QueryNode | undefined {
  const words = allNodes(wordsIn(node));
  const [written, read] = [printQuery(node), words === undefined ? "everything" : printQuery(words)];
  const message = `The search does not support ${feature} yet; "${written}" was read as "${read}".`;
  notes.fallBack("QUERY_FEATURE_MISSING", message, { value: written });
  return words;
}

/** Fields stay with single words; in a group they go, because they are names within the element. */
function wordsIn(node: QueryNode, inGroup = false): readonly QueryNode[] {
  const named = inGroup || !("field" in node) || node.field === undefined ? {} : { field: node.field };
  switch (node.kind) {
    case "all":
    case "any":
      return node.of.flatMap((of) => wordsIn(of, inGroup));
    case "group":
      return wordsIn(node.of, true);
    case "text":
    case "fuzzy":
      return [{ kind: "text", ...named, text: node.text, quoted: node.kind === "text" && node.quoted }];
    case "cites":
      return [{ kind: "text", text: node.id, quoted: true }];
    case "prefix":
    case "wildcard": {
      const { field: _, ...bare } = node;
      return [{ ...bare, ...named }];
    }
    case "range":
      return node.bounds.flatMap(({ text }): readonly QueryNode[] =>
        analyse(text).length === 0 ? [] : [{ kind: "text", text, quoted: true }],
      );
    default:
      return [];
  }
}
