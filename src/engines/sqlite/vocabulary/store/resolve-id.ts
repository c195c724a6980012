import type { Vocabulary } from "../../../../core/catalog/types.js";
import { followId, type Resolved } from "../../../../core/terms/follow-id.js";
import type { Db } from "../../connection/database.js";
import type { Generation } from "./generation.js";
import type { StoredRow } from "./term-rows.js";

/** Columns that are read of the term to which an id leads. */
export type ResolvedRow = Pick<
  StoredRow,
  "id" | "ext" | "created" | "revision" | "parent" | "successor" | "title" | "rest"
>;

const RESOLVED_COLUMNS = "t.id, t.ext, t.created, t.revision, t.parent, t.successor, t.title, t.rest";

/** Resolves an id as the open transaction sees it (`followId`). */
export function resolveId(
  db: Db,
  generation: Generation | undefined,
  vocabulary: Vocabulary,
  id: string,
): Resolved<ResolvedRow> | undefined {
  return followId(id, {
    exact: (candidate) => generation && findExact(generation, candidate),
    successorOfGone: (candidate) => successorOfGone(db, generation, vocabulary.name, candidate),
    alias: (candidate) => vocabulary.aliases.get(candidate.toLowerCase()),
    variant: (candidate) => generation && findVariant(generation, candidate),
  });
}

/**
 * Returns the successor of an id that is no longer a term, from its authority or its deletion: null if there is none,
 * undefined if it never was a term.
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

/** Returns the term with exactly this id. */
function findExact(generation: Generation, id: string): ResolvedRow | undefined {
  // The first comparison seeks ids case-insensitively, the second one selects the exact one.
  const row = generation
    .sql<RawRow>(
      `SELECT ${RESOLVED_COLUMNS} FROM ext_$g e JOIN term_$g t ON t.id = e.id
       WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .raw()
    .get(id, id);
  if (row === undefined) return undefined;
  // Reading rows as arrays takes half the time.
  const [number, ext, created, revision, parent, successor, title, rest] = row;
  return { id: number, ext, created, revision, parent, successor, title, rest };
}

type RawRow = [number, string, number, number, string | null, string | null, string, string];

/** Returns the best-ranked term whose id differs only in case. */
function findVariant(generation: Generation, id: string): ResolvedRow | undefined {
  return generation
    .sql<ResolvedRow>(
      `SELECT ${RESOLVED_COLUMNS} FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? ORDER BY t.id LIMIT 1`,
    )
    .get(id);
}

/** Resolves several ids in their order; those that lead nowhere are left out. */
export function resolveMany(
  db: Db,
  generation: Generation | undefined,
  vocabulary: Vocabulary,
  ids: readonly string[],
): { readonly id: string; readonly row: ResolvedRow }[] {
  return ids.flatMap((id) => {
    const resolved = resolveId(db, generation, vocabulary, id);
    return resolved?.kind === "found" ? [{ id, row: resolved.row }] : [];
  });
}
