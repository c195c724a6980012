import type { Vocabulary } from "../../../core/catalog/types.js";
import type { Db } from "../database.js";
import type { Generation } from "./generation.js";
import { findRow, ROW_COLUMNS, type StoredRow } from "./put-row.js";

/** What an id leads to. `moved`: it is an alias, or another id replaced it. */
export type Resolved = { readonly kind: "found"; readonly row: StoredRow; readonly moved: boolean } | typeof GONE;

const GONE = { kind: "gone" } as const;

/** Successors that lead back to where they began. */
const CIRCLE = { kind: "circle" } as const;

type Followed = Resolved | typeof CIRCLE | undefined;

/**
 * Follows an id to the item that stands for it now: replaced ids to their successors (an item whose successor is not
 * there stands for itself), ids that were deleted, aliases, and ids in other capitals where the exact one is not there.
 */
export function resolveId(
  db: Db,
  generation: Generation | undefined,
  vocabulary: Vocabulary,
  id: string,
): Resolved | undefined {
  const seen = new Set<string>();
  const follow = (asked: string): Followed => {
    if (seen.has(asked)) return CIRCLE;
    seen.add(asked);
    const exact = generation && findRow(generation, asked);
    if (exact !== undefined) return current(exact);
    const life = db
      .sql<{ successor: string | null }>("SELECT successor FROM life WHERE vocabulary = ? AND ext = ?")
      .get(vocabulary.name, asked);
    if (life !== undefined) return life.successor === null ? GONE : moved(follow(life.successor), GONE);
    const alias = vocabulary.aliases.get(asked.toLowerCase());
    if (alias !== undefined && alias !== asked) return moved(follow(alias), undefined);
    const variant = generation && findVariant(generation, asked);
    return variant && current(variant);
  };
  const current = (row: StoredRow): Followed => {
    const itself = { kind: "found", row, moved: false } as const;
    return row.successor === null ? itself : moved(follow(row.successor), itself);
  };
  const found = follow(id);
  if (found !== CIRCLE) return found as Resolved | undefined;
  const row = generation && findRow(generation, id);
  return row === undefined ? GONE : { kind: "found", row, moved: false };
}

/** @param instead where the target is no item */
function moved(target: Followed, instead: Resolved | undefined): Followed {
  if (target?.kind === "found") return { ...target, moved: true };
  return target === CIRCLE ? CIRCLE : (instead ?? target);
}

/** The best item whose id differs in capitals only. */
function findVariant(generation: Generation, id: string): StoredRow | undefined {
  return generation
    .sql<StoredRow>(
      `SELECT ${ROW_COLUMNS} FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? ORDER BY t.id LIMIT 1`,
    )
    .get(id);
}

/** Several ids, in the order asked; those that lead nowhere are left out. Most are found by one statement. */
export function resolveMany(
  db: Db,
  generation: Generation | undefined,
  vocabulary: Vocabulary,
  ids: readonly string[],
): { readonly asked: string; readonly row: StoredRow }[] {
  const exact = new Map<string, StoredRow>();
  if (generation !== undefined) {
    const rows = generation
      .sql<StoredRow>(
        `SELECT ${ROW_COLUMNS} FROM json_each(?) j JOIN ext_$g e ON e.ext = j.value JOIN term_$g t ON t.id = e.id
         WHERE t.ext = j.value COLLATE BINARY`,
      )
      .all(JSON.stringify(ids));
    for (const row of rows) exact.set(row.ext, row);
  }
  return ids.flatMap((asked) => {
    const row = exact.get(asked);
    if (row !== undefined && row.successor === null) return [{ asked, row }];
    const found = resolveId(db, generation, vocabulary, asked);
    return found?.kind === "found" ? [{ asked, row: found.row }] : [];
  });
}
