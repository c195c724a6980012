import { both, hasRow, idsOf, type Rows, rowsOf, rowsOfAny, without } from "../rows.js";
import { findRow } from "./put-row.js";
import { keptUntilWrite, type SearchContext } from "./term-search.js";

/** Items that have a successor, and the rows of those that stand for them as far as they were asked for. */
interface Replaced {
  readonly rows: Rows;
  readonly targets: Map<number, number | undefined>;
}

const TARGET_BYTES = 50;

function replacedItems(context: SearchContext): Replaced {
  return keptUntilWrite(context, "replaced", () => {
    const ids = context.generation
      .sql<number>("SELECT id FROM term_$g WHERE successor IS NOT NULL ORDER BY id")
      .pluck()
      .all();
    const replaced: Replaced = { rows: rowsOf(Uint32Array.from(ids)), targets: new Map() };
    return [replaced, ids.length * TARGET_BYTES];
  });
}

/** The rows without those that were replaced by another one of them: nobody is offered the same thing twice. */
export function withoutReplaced(context: SearchContext, rows: Rows): Rows {
  const replaced = replacedItems(context);
  const twice = idsOf(both(rows, replaced.rows)).filter((id) => {
    if (!replaced.targets.has(id)) replaced.targets.set(id, targetOf(context, id));
    const target = replaced.targets.get(id);
    return target !== undefined && hasRow(rows, target);
  });
  return without(rows, rowsOfAny(twice));
}

/** The last of an item's successors that there are; undefined where it stands for itself. */
function targetOf({ generation }: SearchContext, id: number): number | undefined {
  const successorOf = generation.sql<string | null>("SELECT successor FROM term_$g WHERE id = ?").pluck();
  const seen = new Set([id]);
  let at = id;
  for (;;) {
    const successor = successorOf.get(at);
    const next = successor === undefined || successor === null ? undefined : findRow(generation, successor);
    if (next === undefined) return at === id ? undefined : at;
    // Where successors lead in a circle, each stands for itself.
    if (seen.has(next.id)) return undefined;
    seen.add(next.id);
    at = next.id;
  }
}
