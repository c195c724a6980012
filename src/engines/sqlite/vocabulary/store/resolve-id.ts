import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { Db } from "../../connection/database.js";
import type { Generation } from "./generation.js";
import type { StoredRow } from "./put-row.js";

/** What is read of an item that an id leads to. */
export type FoundRow = Pick<
  StoredRow,
  "id" | "ext" | "created" | "revision" | "parent" | "successor" | "title" | "rest"
>;

const FOUND_COLUMNS = "t.id, t.ext, t.created, t.revision, t.parent, t.successor, t.title, t.rest";

/** What an id leads to. `moved`: it is an alias, or another id replaced it. */
export type Resolved = { readonly kind: "found"; readonly row: FoundRow; readonly moved: boolean } | typeof GONE;

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
    const exact = generation && findExact(generation, asked);
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
  const current = (row: FoundRow): Followed => {
    const itself = { kind: "found", row, moved: false } as const;
    return row.successor === null ? itself : moved(follow(row.successor), itself);
  };
  const found = follow(id);
  if (found !== CIRCLE) return found as Resolved | undefined;
  const row = generation && findExact(generation, id);
  return row === undefined ? GONE : { kind: "found", row, moved: false };
}

/** @param instead where the target is no item */
function moved(target: Followed, instead: Resolved | undefined): Followed {
  if (target?.kind === "found") return { ...target, moved: true };
  return target === CIRCLE ? CIRCLE : (instead ?? target);
}

/** The item with exactly this id. */
function findExact(generation: Generation, id: string): FoundRow | undefined {
  // The first comparison seeks ids in any case, the second one keeps the exact one.
  return generation
    .sql<FoundRow>(
      `SELECT ${FOUND_COLUMNS} FROM ext_$g e JOIN term_$g t ON t.id = e.id
       WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .get(id, id);
}

/** The best item whose id differs in capitals only. */
function findVariant(generation: Generation, id: string): FoundRow | undefined {
  return generation
    .sql<FoundRow>(
      `SELECT ${FOUND_COLUMNS} FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? ORDER BY t.id LIMIT 1`,
    )
    .get(id);
}

/** Several ids, in the order asked; those that lead nowhere are left out. Most are found by one statement. */
export function resolveMany(
  db: Db,
  generation: Generation | undefined,
  vocabulary: Vocabulary,
  ids: readonly string[],
): { readonly asked: string; readonly row: FoundRow }[] {
  const exact = new Map<string, FoundRow>();
  if (generation !== undefined) {
    const rows = generation
      .sql<FoundRow>(
        `SELECT ${FOUND_COLUMNS} FROM json_each(?) j JOIN ext_$g e ON e.ext = j.value JOIN term_$g t ON t.id = e.id
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
