import { circlesIn } from "../vocabulary/load/circles.js";
import type { VerifyingItems } from "./check-items.js";

/** Each parent is an item, and none stands below itself. What else would be meant only a curator can say. */
export function checkParents({ vocabulary, generation, report }: VerifyingItems): void {
  if (!vocabulary.hierarchy) return;
  const add = (ext: string, expected: string, found: string): void =>
    report.add({ check: "items.parents", where: `${vocabulary.name}/${ext}`, expected, found });
  const above = new Uint32Array(generation.next);
  const links = generation.sql<[number, string, string, number | null]>(
    `SELECT t.id, t.ext, t.parent, (SELECT q.id FROM ext_$g e JOIN term_$g q ON q.id = e.id
       WHERE e.ext = t.parent AND q.ext = t.parent COLLATE BINARY) FROM term_$g t WHERE t.parent IS NOT NULL`,
  );
  let done = 0;
  for (const [id, ext, parent, parentId] of links.raw().iterate() as IterableIterator<
    [number, string, string, number | null]
  >) {
    report.progress(`parents of ${vocabulary.name}`, ++done, generation.count);
    if (parentId === null) add(ext, `the parent ${parent}`, "no such item");
    else above[id] = parentId;
  }
  const nameOf = generation.sql<string>("SELECT ext FROM term_$g WHERE id = ?").pluck();
  for (const id of circlesIn(above)) add(nameOf.get(id) ?? `row ${id}`, "a way up to a root", "a circle");
}
