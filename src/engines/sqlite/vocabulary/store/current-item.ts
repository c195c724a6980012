import type { TermContent } from "../../../../core/term.js";
import { contentOf } from "../../../../core/terms/term-row.js";
import type { CurrentItem } from "../../../term-loads/compared-item.js";
import type { Generation } from "./generation.js";

/** An item with the number of its row. */
interface CurrentRow extends CurrentItem {
  readonly id: number;
}

/** The item with exactly this id. */
export function findCurrent(generation: Generation, id: string): CurrentRow | undefined {
  const row = generation
    .sql<{ id: number; hash: Buffer; parent: string | null; status: number; sources: number }>(
      `SELECT t.id, t.hash, t.parent, t.status, t.sources FROM ext_$g e JOIN term_$g t ON t.id = e.id
       WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .get(id, id);
  if (row === undefined) return undefined;
  const { hash, parent, sources } = row;
  const content = (): TermContent => {
    const read = generation.sql<{ title: string; rest: string }>("SELECT title, rest FROM term_$g WHERE id = ?");
    return contentOf({ ext: id, parent, ...read.get(row.id)! });
  };
  return { id: row.id, hash: hash.toString("hex"), parent, isDeprecated: row.status > 0, sources, content };
}
