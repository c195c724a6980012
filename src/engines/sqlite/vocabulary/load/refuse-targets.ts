import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { LoadOptions } from "../../../../ports/store.js";
import { circlesIn } from "../../../term-loads/circles.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { linkParents, type ParentLinks } from "./link-parents.js";

type Refuse = NonNullable<LoadOptions["refuse"]>;

/**
 * Takes the lines out of `scratch.item` that give an item a parent or a successor which is not there, or a parent that
 * stands below the item. What was wrong before, and is not the line's doing, is left to `verify`.
 * @returns the parents of what is left
 */
export function refuseTargets(
  loader: BulkLoader,
  { name, hierarchy }: Vocabulary,
  refuse: Refuse,
): ParentLinks | undefined {
  const generation = currentGeneration(loader.db, name);
  // An item that is refused may be the target of another, or stand again where it stood.
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

interface Row {
  readonly n: number;
  readonly line: number | null;
  readonly ext: string;
  readonly target: string;
}

/** Lines that are refused in one go; what is left of them the next one finds. */
const REFUSED_AT_ONCE = 50_000;

function refuseSuccessors({ db }: BulkLoader, generation: Generation | undefined, refuse: Refuse): number {
  const lines = `SELECT i.n, i.line, i.ext, i.successor AS target FROM scratch.item i WHERE i.successor IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM scratch.item t WHERE t.ext = i.successor)`;
  const isThere = `EXISTS (SELECT 1 FROM main.ext_$g e JOIN main.term_$g t ON t.id = e.id
    WHERE e.ext = i.successor AND t.ext = i.successor COLLATE BINARY)`;
  const order = `ORDER BY i.n LIMIT ${REFUSED_AT_ONCE}`;
  const missing =
    generation === undefined
      ? db.sql<Row>(`${lines} ${order}`)
      : generation.sql<Row>(`${lines} AND NOT ${isThere} ${order}`);
  return refuseMissing(db, missing.all(), "successor (replaced_by)", refuse);
}

function refuseParents(
  { db }: BulkLoader,
  generation: Generation | undefined,
  { others }: ParentLinks,
  refuse: Refuse,
): number {
  const isStaged = db.sql("SELECT 1 FROM scratch.item WHERE ext = ?");
  const isThere = generation?.sql(
    "SELECT 1 FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? AND t.ext = ? COLLATE BINARY",
  );
  const find = db.sql<Row>("SELECT n, line, ext, parent AS target FROM scratch.item WHERE n = ?");
  const missing = others.filter(
    ({ parent, isMoved }) =>
      isMoved && isStaged.get(parent) === undefined && isThere?.get(parent, parent) === undefined,
  );
  const rows = missing.slice(0, REFUSED_AT_ONCE).flatMap(({ n }) => find.get(n) ?? []);
  return refuseMissing(db, rows, "parent", refuse);
}

function refuseMissing(db: BulkLoader["db"], rows: readonly Row[], label: string, refuse: Refuse): number {
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
  const inCircle = circlesIn(loadedAbove(loader, generation, links));
  const find = db.sql<Row>("SELECT n, line, ext, parent AS target FROM scratch.item WHERE n = ? AND moved = 1");
  const rows = inCircle.flatMap((n) => find.get(n) ?? []);
  for (const { line, ext, target } of rows) {
    refuse(line ?? 0, `the parent "${target}" is a descendant of "${ext}"; give one of them another parent`);
  }
  removeLines(db, rows);
  return rows.length;
}

function removeLines(db: BulkLoader["db"], rows: readonly Pick<Row, "n">[]): void {
  const remove = db.sql("DELETE FROM scratch.item WHERE n = ?");
  for (const { n } of rows) remove.run(n);
}

/**
 * By the number of a changed item that of the nearest changed one above it, 0 where there is none: a circle that the
 * load makes goes through one of its lines.
 */
function loadedAbove(
  { db }: BulkLoader,
  generation: Generation | undefined,
  { above, others }: ParentLinks,
): Uint32Array {
  if (generation === undefined || others.length === 0) return above;
  const nearest = above.slice();
  const climb = makeClimb(db, generation);
  for (const { n, parent } of others) nearest[n] = climb(parent);
  return nearest;
}

/** Leads from an item that the load does not change up to one that it does; each step is made once. */
function makeClimb(db: BulkLoader["db"], generation: Generation): (id: string) => number {
  const changed = db.sql<number>("SELECT n FROM scratch.item WHERE ext = ? AND fresh > 0").pluck();
  const parentOf = generation
    .sql<string | null>(
      `SELECT t.parent FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .pluck();
  const known = new Map<string, number>();
  return (id) => {
    const passed: string[] = [];
    let found = 0;
    for (let at: string | null | undefined = id; at !== null && at !== undefined; at = parentOf.get(at, at)) {
      const n = known.get(at) ?? changed.get(at);
      if (n !== undefined) {
        found = n;
        break;
      }
      known.set(at, 0);
      passed.push(at);
    }
    for (const each of passed) known.set(each, found);
    return found;
  };
}
