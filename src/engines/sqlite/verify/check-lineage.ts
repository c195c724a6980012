import { circlesIn } from "../../../core/terms/circles.js";
import { nest } from "../../../core/terms/term-order.js";
import { addCircle, addMissingParent } from "../../verify/compare-term.js";
import { readSavedColumn } from "../vocabulary/search/saved-data.js";
import type { TermVerifyContext } from "./verify-context.js";

interface PlacedTerm {
  readonly id: number;
  readonly ext: string;
  readonly lo: number;
  readonly hi: number;
  readonly parentLo: number | null;
  readonly parentHi: number | null;
}

/** SQL for terms with a pre-order interval, and the intervals of their parents. */
const PLACED_TERMS = `SELECT t.id, t.ext, t.lo, t.hi, p.lo AS parentLo, p.hi AS parentHi FROM term_$g t
  LEFT JOIN term_$g p ON p.id = (SELECT q.id FROM ext_$g e JOIN term_$g q ON q.id = e.id
    WHERE e.ext = t.parent AND q.ext = t.parent COLLATE BINARY)
  WHERE t.lo IS NOT NULL ORDER BY t.id`;

/**
 * Checks the intervals of a hierarchy: each lies within that of its parent unless it was cut out, and the saved order
 * of places is the same. A generation without single writes must have the intervals that its parents determine.
 */
export function checkLineage(verifying: TermVerifyContext): void {
  const { vocabulary, generation, report } = verifying;
  if (!vocabulary.hierarchy || generation.nested === 0) return;
  const savedPlaces = readSavedColumn(generation, "place");
  const cuts = new Set(generation.sql<string>("SELECT ext FROM cut_$g").pluck().all());
  const hasDeleted = generation.sql("SELECT 1 FROM dead_$g LIMIT 1").get() !== undefined;
  const isUnchanged = generation.writes === 0 && cuts.size === 0 && !hasDeleted;
  const { lo, hi } = isUnchanged ? computeIntervals(verifying) : { lo: undefined, hi: undefined };
  const add = (ext: string, expected: string, found: string): void => {
    const { name } = vocabulary;
    report.add({ check: "items.lineage", where: `${name}/${ext}`, expected, found }, ["vocabularies", name]);
  };
  let done = 0;
  for (const row of generation.sql<PlacedTerm>(PLACED_TERMS).iterate()) {
    report.progress(`lineage of ${vocabulary.name}`, ++done, generation.count);
    const found = `${row.lo} to ${row.hi}`;
    const isWithinParent = row.parentLo === null || (row.parentLo < row.lo && row.hi <= row.parentHi!);
    if (!isWithinParent && !cuts.has(row.ext)) add(row.ext, `within ${row.parentLo} to ${row.parentHi}`, found);
    else if (row.hi < row.lo) add(row.ext, "an interval", found);
    else if (lo !== undefined && hi !== undefined && (lo[row.id] !== row.lo || hi[row.id] !== row.hi)) {
      add(row.ext, `${lo[row.id]} to ${hi[row.id]}`, found);
    } else if (row.id <= generation.ranked && savedPlaces[row.lo - 1] !== row.id) {
      add(row.ext, `row ${row.id} at place ${row.lo}`, `row ${savedPlaces[row.lo - 1]}`);
    }
  }
}

/** Computes the pre-order intervals from the parents. */
function computeIntervals({ generation }: TermVerifyContext): { readonly lo: Uint32Array; readonly hi: Uint32Array } {
  const parents = new Uint32Array(generation.ranked + 1);
  const links = generation.sql<[number, number]>(
    `SELECT t.id, q.id FROM term_$g t JOIN ext_$g e ON e.ext = t.parent JOIN term_$g q ON q.id = e.id
     WHERE q.ext = t.parent COLLATE BINARY`,
  );
  for (const [child, parent] of links.raw().iterate() as IterableIterator<[number, number]>) parents[child] = parent;
  return nest(parents);
}

/** Checks that each parent is a term and that no term is below itself. Only a curator can correct these. */
export function checkParents({ vocabulary, generation, report }: TermVerifyContext): void {
  if (!vocabulary.hierarchy) return;
  const { name } = vocabulary;
  const parentRows = new Uint32Array(generation.next);
  const links = generation.sql<[number, string, string, number | null]>(
    `SELECT t.id, t.ext, t.parent, (SELECT q.id FROM ext_$g e JOIN term_$g q ON q.id = e.id
       WHERE e.ext = t.parent AND q.ext = t.parent COLLATE BINARY) FROM term_$g t WHERE t.parent IS NOT NULL`,
  );
  let done = 0;
  for (const [id, ext, parent, parentId] of links.raw().iterate() as IterableIterator<
    [number, string, string, number | null]
  >) {
    report.progress(`parents of ${name}`, ++done, generation.count);
    if (parentId === null) addMissingParent(report, name, ext, parent);
    else parentRows[id] = parentId;
  }
  const termIdByRow = generation.sql<string>("SELECT ext FROM term_$g WHERE id = ?").pluck();
  for (const id of circlesIn(parentRows).flat()) addCircle(report, name, termIdByRow.get(id) ?? `row ${id}`);
}
