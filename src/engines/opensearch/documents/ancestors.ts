import type { Lineage } from "../../../ports/index-source.js";

/** All items above one, nearest first; itself is none, even in a circle. */
export function ancestorsOf({ parentOf }: Lineage, vocabulary: string, id: string): readonly string[] {
  const above = new Set<string>();
  for (let at = parentOf(vocabulary, id); at !== undefined && at !== id && !above.has(at); ) {
    above.add(at);
    at = parentOf(vocabulary, at);
  }
  return [...above];
}
