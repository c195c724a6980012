import type { ParentOf } from "./held-record.js";

/** All above an item, nearest first; itself is none of them, even in a circle. */
export function ancestorsOf(parentOf: ParentOf, vocabulary: string, id: string): ReadonlySet<string> {
  const above = new Set<string>();
  for (let at = parentOf(vocabulary, id); at !== undefined && at !== id && !above.has(at); ) {
    above.add(at);
    at = parentOf(vocabulary, at);
  }
  return above;
}
