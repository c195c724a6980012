import type { Vocabulary } from "../../../../core/catalog/types.js";
import { circlesIn } from "../../../../core/terms/term-order.js";
import type { LoadOptions } from "../../../../ports/store.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";

type Refuse = NonNullable<LoadOptions["refuse"]>;

/** Rows read into memory in one query. */
const ROWS_AT_ONCE = 50_000;

/** Parents of the terms that a load adds or changes. */
export interface ParentLinks {
  /** For each row of `scratch.item`, the row of its parent if the load adds or changes it, else 0. */
  readonly parentRows: Uint32Array;
  /** Terms whose parent the load does not change. */
  readonly unloadedParents: readonly UnloadedParent[];
}

interface UnloadedParent {
  readonly n: number;
  readonly parent: string;
  /** Whether the line gives the term a different parent. */
  readonly isMoved: boolean;
}

function linkParents({ db }: BulkLoader): ParentLinks {
  const last = db.sql<number>("SELECT coalesce(max(n), 0) FROM scratch.item").pluck().get() ?? 0;
  const parentRows = new Uint32Array(last + 1);
  const unloadedParents: UnloadedParent[] = [];
  const read = db
    .sql<[n: number, parentRows: number | null, parent: string | null, moved: number]>(
      `SELECT i.n, p.n, CASE WHEN p.n IS NULL THEN i.parent END, i.moved
       FROM scratch.item i LEFT JOIN scratch.item p ON p.ext = i.parent AND p.fresh > 0
       WHERE i.n > ? AND i.n <= ? AND i.fresh > 0 AND i.parent IS NOT NULL`,
    )
    .raw();
  for (let from = 0; from < last; from += ROWS_AT_ONCE) {
    for (const [n, parentRow, parent, moved] of read.all(from, from + ROWS_AT_ONCE)) {
      if (parentRow !== null) parentRows[n] = parentRow;
      else if (parent !== null) unloadedParents.push({ n, parent, isMoved: moved === 1 });
    }
  }
  return { parentRows, unloadedParents };
}

/**
 * Removes lines from `scratch.item` that give a term a missing parent or successor, or a parent below the term itself.
 * Existing errors that this import did not cause are left to `verify`.
 * @returns the parents of the remaining terms
 */
export function refuseTargets(
  loader: BulkLoader,
  { name, hierarchy }: Vocabulary,
  refuse: Refuse,
): ParentLinks | undefined {
  const generation = currentGeneration(loader.db, name);
  // Repeats, because a refused term may be the target of another, or is again where it was.
  for (;;) {
    const links = hierarchy ? linkParents(loader) : undefined;
    const missing = loader.scratch(
      () =>
        refuseSuccessors(loader, generation, refuse) +
        (links === undefined ? 0 : refuseParents(loader, generation, links, refuse)),
    );
    if (missing > 0) continue;
    if (links === undefined || loader.scratch(() => refuseCircles(loader, generation, links, refuse)) === 0)
      return links;
  }
}

interface TargetRow {
  readonly n: number;
  readonly line: number | null;
  readonly ext: string;
  readonly target: string;
}

/** Maximum number of lines that are refused in one pass; the next pass finds the others. */
const REFUSED_AT_ONCE = 50_000;

function refuseSuccessors({ db }: BulkLoader, generation: Generation | undefined, refuse: Refuse): number {
  const lines = `SELECT i.n, i.line, i.ext, i.successor AS target FROM scratch.item i WHERE i.successor IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM scratch.item t WHERE t.ext = i.successor)`;
  const storedTarget = `EXISTS (SELECT 1 FROM main.ext_$g e JOIN main.term_$g t ON t.id = e.id
    WHERE e.ext = i.successor AND t.ext = i.successor COLLATE BINARY)`;
  const order = `ORDER BY i.n LIMIT ${REFUSED_AT_ONCE}`;
  const missing =
    generation === undefined
      ? db.sql<TargetRow>(`${lines} ${order}`)
      : generation.sql<TargetRow>(`${lines} AND NOT ${storedTarget} ${order}`);
  return refuseMissing(db, missing.all(), "successor (replaced_by)", refuse);
}

function refuseParents(
  { db }: BulkLoader,
  generation: Generation | undefined,
  { unloadedParents }: ParentLinks,
  refuse: Refuse,
): number {
  const stagedTarget = db.sql("SELECT 1 FROM scratch.item WHERE ext = ?");
  const storedTarget = generation?.sql(
    "SELECT 1 FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? AND t.ext = ? COLLATE BINARY",
  );
  const lineByNumber = db.sql<TargetRow>("SELECT n, line, ext, parent AS target FROM scratch.item WHERE n = ?");
  const missing = unloadedParents.filter(
    ({ parent, isMoved }) =>
      isMoved && stagedTarget.get(parent) === undefined && storedTarget?.get(parent, parent) === undefined,
  );
  const rows = missing.slice(0, REFUSED_AT_ONCE).flatMap(({ n }) => lineByNumber.get(n) ?? []);
  return refuseMissing(db, rows, "parent", refuse);
}

function refuseMissing(db: BulkLoader["db"], rows: readonly TargetRow[], label: string, refuse: Refuse): number {
  for (const { line, target } of rows) {
    refuse(
      line ?? 0,
      `the ${label} "${target}" is not a term, neither of the vocabulary nor of the file; load or add it first`,
    );
  }
  removeLines(db, rows);
  return rows.length;
}

function refuseCircles(
  loader: BulkLoader,
  generation: Generation | undefined,
  links: ParentLinks,
  refuse: Refuse,
): number {
  const { db } = loader;
  if (db.sql("SELECT 1 FROM scratch.item WHERE moved = 1 LIMIT 1").get() === undefined) return 0;
  const circleTerms = circlesIn(nearestLoaded(loader, generation, links)).flat();
  const lineByNumber = db.sql<TargetRow>(
    "SELECT n, line, ext, parent AS target FROM scratch.item WHERE n = ? AND moved = 1",
  );
  const rows = circleTerms.flatMap((n) => lineByNumber.get(n) ?? []);
  for (const { line, ext, target } of rows) {
    refuse(line ?? 0, `the parent "${target}" is a descendant of "${ext}"; give one of them another parent`);
  }
  removeLines(db, rows);
  return rows.length;
}

function removeLines(db: BulkLoader["db"], rows: readonly Pick<TargetRow, "n">[]): void {
  const remove = db.sql("DELETE FROM scratch.item WHERE n = ?");
  for (const { n } of rows) remove.run(n);
}

/**
 * Returns for each changed term the row of its nearest changed ancestor, 0 if there is none: a circle that the load
 * makes contains one of its lines.
 */
function nearestLoaded(
  { db }: BulkLoader,
  generation: Generation | undefined,
  { parentRows, unloadedParents }: ParentLinks,
): Uint32Array {
  if (generation === undefined || unloadedParents.length === 0) return parentRows;
  const nearest = parentRows.slice();
  const nearestChanged = makeNearestChanged(db, generation);
  for (const { n, parent } of unloadedParents) nearest[n] = nearestChanged(parent);
  return nearest;
}

/** Makes a function that returns the nearest ancestor that the load changes. Each step is made once. */
function makeNearestChanged(db: BulkLoader["db"], generation: Generation): (id: string) => number {
  const changed = db.sql<number>("SELECT n FROM scratch.item WHERE ext = ? AND fresh > 0").pluck();
  const parentById = generation
    .sql<string | null>(
      `SELECT t.parent FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .pluck();
  const nearestById = new Map<string, number>();
  return (id) => {
    const visited: string[] = [];
    let ancestor = 0;
    for (
      let current: string | null | undefined = id;
      current !== null && current !== undefined;
      current = parentById.get(current, current)
    ) {
      const n = nearestById.get(current) ?? changed.get(current);
      if (n !== undefined) {
        ancestor = n;
        break;
      }
      nearestById.set(current, 0);
      visited.push(current);
    }
    for (const passedId of visited) nearestById.set(passedId, ancestor);
    return ancestor;
  };
}
