import type { Vocabulary } from "../../../../core/catalog/types.js";
import { followId, type Resolved } from "../../../../core/terms/follow-id.js";
import type { Db } from "../../connection/database.js";
import type { Generation } from "./generation.js";
import type { StoredRow } from "./put-row.js";

/** What is read of an item that an id leads to. */
export type FoundRow = Pick<
  StoredRow,
  "id" | "ext" | "created" | "revision" | "parent" | "successor" | "title" | "rest"
>;

const FOUND_COLUMNS = "t.id, t.ext, t.created, t.revision, t.parent, t.successor, t.title, t.rest";

/** What an id leads to, as the open transaction sees it (`followId`). */
export function resolveId(
  db: Db,
  generation: Generation | undefined,
  vocabulary: Vocabulary,
  id: string,
): Resolved<FoundRow> | undefined {
  return followId(id, {
    exact: (asked) => generation && findExact(generation, asked),
    successorOfGone: (asked) => successorOfGone(db, generation, vocabulary.name, asked),
    alias: (asked) => vocabulary.aliases.get(asked.toLowerCase()),
    variant: (asked) => generation && findVariant(generation, asked),
  });
}

/**
 * Of an id that is no item the one that stands for it, as its authority says or because it was deleted: null where none
 * does; undefined: it never was one.
 */
export function successorOfGone(
  db: Db,
  generation: Generation | undefined,
  vocabulary: string,
  id: string,
): string | null | undefined {
  const redirect = generation
    ?.sql<string | null>("SELECT successor FROM redirect WHERE g = $g AND ext = ?")
    .pluck()
    .get(id);
  if (redirect !== undefined) return redirect;
  const sql = "SELECT successor FROM life WHERE vocabulary = ? AND ext = ?";
  return db.sql<string | null>(sql).pluck().get(vocabulary, id);
}

/** The item with exactly this id. */
function findExact(generation: Generation, id: string): FoundRow | undefined {
  // The first comparison seeks ids in any case, the second one keeps the exact one.
  const row = generation
    .sql<RawRow>(
      `SELECT ${FOUND_COLUMNS} FROM ext_$g e JOIN term_$g t ON t.id = e.id
       WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .raw()
    .get(id, id);
  if (row === undefined) return undefined;
  // Rows that arrive without names take half the time.
  const [number, ext, created, revision, parent, successor, title, rest] = row;
  return { id: number, ext, created, revision, parent, successor, title, rest };
}

type RawRow = [number, string, number, number, string | null, string | null, string, string];

/** The best item whose id differs in capitals only. */
function findVariant(generation: Generation, id: string): FoundRow | undefined {
  return generation
    .sql<FoundRow>(
      `SELECT ${FOUND_COLUMNS} FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? ORDER BY t.id LIMIT 1`,
    )
    .get(id);
}

/** Several ids, in the order asked; those that lead nowhere are left out. */
export function resolveMany(
  db: Db,
  generation: Generation | undefined,
  vocabulary: Vocabulary,
  ids: readonly string[],
): { readonly asked: string; readonly row: FoundRow }[] {
  return ids.flatMap((asked) => {
    const found = resolveId(db, generation, vocabulary, asked);
    return found?.kind === "found" ? [{ asked, row: found.row }] : [];
  });
}
