import { lastSuccessor } from "../../../../core/terms/follow-id.js";
import { and, andNot, contains, type DocIdSet, setOf, setOfSorted, toIds } from "../../bitmaps/doc-id-set.js";
import { keptUntilWrite } from "../store/generation.js";
import { findRow } from "../store/term-rows.js";
import type { SearchContext } from "./search-context.js";

/** Items that have a successor, and the rows of those that stand for them as far as they were asked for. */
interface Replaced {
  readonly rows: DocIdSet;
  readonly targets: Map<number, number | undefined>;
}

const TARGET_BYTES = 50;

function replacedItems(context: SearchContext): Replaced {
  return keptUntilWrite(context, "replaced", () => {
    const ids = context.generation
      .sql<number>("SELECT id FROM term_$g WHERE successor IS NOT NULL ORDER BY id")
      .pluck()
      .all();
    const replaced: Replaced = { rows: setOfSorted(new Uint32Array(ids)), targets: new Map() };
    return [replaced, ids.length * TARGET_BYTES];
  });
}

/** The rows without those that were replaced by another one of them: nobody is offered the same thing twice. */
export function withoutReplaced(context: SearchContext, rows: DocIdSet): DocIdSet {
  const replaced = replacedItems(context);
  const twice = toIds(and(rows, replaced.rows)).filter((id) => {
    if (!replaced.targets.has(id)) replaced.targets.set(id, targetOf(context, id));
    const target = replaced.targets.get(id);
    return target !== undefined && contains(rows, target);
  });
  return andNot(rows, setOf(twice));
}

function targetOf({ generation }: SearchContext, id: number): number | undefined {
  const successor = generation.sql<string | null>("SELECT successor FROM term_$g WHERE id = ?").pluck();
  return lastSuccessor({ id }, (item) => {
    const next = successor.get(item.id);
    return next === undefined || next === null ? undefined : findRow(generation, next);
  })?.id;
}
