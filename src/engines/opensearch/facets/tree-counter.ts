import { findAncestors } from "../../../query/evaluate/record-in-memory.js";
import { citationSites, type TreeBuckets } from "../../../query/facet-kinds/tree-keys.js";
import { listTree } from "../../../query/index-model/list-buckets.js";
import { type FacetCounter, largestKeys } from "./facet-counter.js";
import { listSome } from "./key-counter.js";

/** Counter of cited terms with all their ancestors. */
export const TREE_COUNTER: FacetCounter<TreeBuckets> = {
  holds: "keys",
  needsAll: true,
  fieldPrefix: ({ vocabulary }) => `a_${vocabulary}`,
  contentOf({ vocabulary }, paths, { cites }, lineage) {
    const sites = citationSites(paths);
    const citesAtSites = cites.filter((cite) => cite.vocabulary === vocabulary && sites.includes(cite.site));
    const currentCites = citesAtSites.filter(({ isReplaced }) => isReplaced !== true);
    const ids = currentCites.flatMap(({ id }) => [id, ...findAncestors(lineage.parentOf, vocabulary, id)]);
    return new Set(ids.map((id) => treeKey(id, lineage.parentOf(vocabulary, id))));
  },
  termKeys: () => [],
  aggregate: (_, field, __, size) => ({ keys: largestKeys(field, size) }),
  readCounts(_, { keys }, __, { counts, parents }) {
    for (const { key, doc_count } of keys?.buckets ?? []) {
      const { id, parent } = readTreeKey(key);
      counts.set(id, doc_count);
      if (parent !== undefined) parents.set(id, parent);
    }
  },
  list(facet, tally, parentOf) {
    const { buckets, size, selected, listed } = facet;
    const tree = { parentOf, unlisted: buckets.unlisted ?? [] };
    return listed === undefined
      ? listTree({ counts: tally.counts, ...tree }, size, selected)
      : listSome(facet, listed, tally, tree);
  },
};

/** Separates the ids of a key; no id contains it. */
const ID_SEPARATOR = "\u0001";

/** Returns the key of a bucket of a tree with its parent, which is needed to list buckets. */
export const treeKey = (id: string, parent: string | undefined): string => `${id}${ID_SEPARATOR}${parent ?? ""}`;

/** Parses the result of `treeKey`. */
export function readTreeKey(key: string): { readonly id: string; readonly parent: string | undefined } {
  const [id = "", parent = ""] = key.split(ID_SEPARATOR);
  return { id, parent: parent === "" ? undefined : parent };
}
