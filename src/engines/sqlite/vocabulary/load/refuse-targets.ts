import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { LoadOptions } from "../../../../ports/store.js";
import { circlesIn } from "../../../term-loads/circles.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";

type Refuse = NonNullable<LoadOptions["refuse"]>;

/**
 * Takes the lines out of `scratch.item` that give an item a parent or a successor which is not there, or a parent that
 * stands below the item. What was wrong before, and is not the line's doing, is left to `verify`.
 */
export function refuseTargets(loader: BulkLoader, { name, hierarchy }: Vocabulary, refuse: Refuse): void {
  const generation = currentGeneration(loader.db, name);
  // An item that is refused may be the target of another, or stand again where it stood.
  for (;;) {
    const missing = loader.scratch(
      () =>
        refuseMissing(loader, generation, "successor", refuse) +
        (hierarchy ? refuseMissing(loader, generation, "parent", refuse) : 0),
    );
    if (missing > 0) continue;
    if (!hierarchy || loader.scratch(() => refuseCircles(loader, generation, refuse)) === 0) return;
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

/** What a line may lead to: lines that do, and how they name it. */
const TARGETS = {
  parent: { given: "i.moved = 1", label: "parent" },
  successor: { given: "i.successor IS NOT NULL", label: "successor (replaced_by)" },
} as const;

function refuseMissing(
  { db }: BulkLoader,
  generation: Generation | undefined,
  column: keyof typeof TARGETS,
  refuse: Refuse,
): number {
  const { given, label } = TARGETS[column];
  const lines = `SELECT i.n, i.line, i.ext, i.${column} AS target FROM scratch.item i WHERE ${given}
    AND NOT EXISTS (SELECT 1 FROM scratch.item t WHERE t.ext = i.${column})`;
  const isThere = `EXISTS (SELECT 1 FROM main.ext_$g e JOIN main.term_$g t ON t.id = e.id
    WHERE e.ext = i.${column} AND t.ext = i.${column} COLLATE BINARY)`;
  const order = `ORDER BY i.n LIMIT ${REFUSED_AT_ONCE}`;
  const missing =
    generation === undefined
      ? db.sql<Row>(`${lines} ${order}`)
      : generation.sql<Row>(`${lines} AND NOT ${isThere} ${order}`);
  const rows = missing.all();
  for (const { line, target } of rows) {
    refuse(
      line ?? 0,
      `the ${label} "${target}" is not a term, neither of the vocabulary nor of the file; load or add it first`,
    );
  }
  removeLines(db, rows);
  return rows.length;
}

function refuseCircles(loader: BulkLoader, generation: Generation | undefined, refuse: Refuse): number {
  const { db } = loader;
  if (db.sql("SELECT 1 FROM scratch.item WHERE moved = 1 LIMIT 1").get() === undefined) return 0;
  const inCircle = circlesIn(loadedAbove(loader, generation));
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
function loadedAbove({ db }: BulkLoader, generation: Generation | undefined): Uint32Array {
  const last = db.sql<number>("SELECT coalesce(max(n), 0) FROM scratch.item").pluck().get() ?? 0;
  const above = new Uint32Array(last + 1);
  const links = db.sql<[number, number]>(
    "SELECT i.n, p.n FROM scratch.item i JOIN scratch.item p ON p.ext = i.parent WHERE i.fresh > 0 AND p.fresh > 0",
  );
  for (const [n, parent] of links.raw().iterate() as IterableIterator<[number, number]>) above[n] = parent;
  if (generation === undefined) return above;
  const others = db.sql<[number, string]>(
    `SELECT i.n, i.parent FROM scratch.item i WHERE i.fresh > 0 AND i.parent IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM scratch.item p WHERE p.ext = i.parent AND p.fresh > 0)`,
  );
  const climb = makeClimb(db, generation);
  for (const [n, parent] of others.raw().all()) above[n] = climb(parent);
  return above;
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
