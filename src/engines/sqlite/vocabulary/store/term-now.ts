import type { TermContent, TermNow } from "../../../../core/term.js";
import { contentOf } from "../../../../core/terms/term-row.js";
import type { TermOf } from "../../../../query/index-model/record-leaves.js";
import type { Db } from "../../connection/database.js";
import { currentGeneration, type Generation } from "./generation.js";
import { findRow, type StoredRow } from "./put-row.js";

/** Terms that one look keeps in memory; what is looked up beyond them is looked up again. */
const KEPT_MAX = 50_000;

/** Looks up cited terms as the open transaction sees them; each is kept, so it serves one transaction only. */
export function makeTermNow(db: Db): TermOf {
  const generations = new Map<string, Generation | undefined>();
  const known = new Map<string, TermNow | undefined>();
  return (vocabulary, id) => {
    const key = `${vocabulary}/${id}`;
    if (known.has(key)) return known.get(key);
    if (!generations.has(vocabulary)) generations.set(vocabulary, currentGeneration(db, vocabulary));
    if (known.size > KEPT_MAX) known.clear();
    const term = follow(db, generations.get(vocabulary), vocabulary, id);
    known.set(key, term);
    return term;
  };
}

/**
 * Follows a cited id to its last successor that is there. Ids are exact: what a record holds is never an alias. Names
 * of each step count: a record stays findable by the words under which it was written.
 */
function follow(db: Db, generation: Generation | undefined, vocabulary: string, cited: string): TermNow | undefined {
  const passed = new Set([cited]);
  const found: TermContent[] = [];
  let isCircle = false;
  for (let at: string | null = cited; at !== null; ) {
    const row: StoredRow | undefined = generation && findRow(generation, at);
    const content = row && readContent(row);
    if (content !== undefined) found.push(content);
    const next: string | null = row === undefined ? successorOfGone(db, vocabulary, at) : row.successor;
    isCircle = next !== null && passed.has(next);
    if (next !== null && !isCircle) passed.add(next);
    at = isCircle ? null : next;
  }
  const [, ...successors] = passed;
  if (found.length === 0 && successors.length === 0) return undefined;
  return {
    id: isCircle ? cited : (found.at(-1)?.id ?? cited),
    successors,
    titles: found.map(({ title }) => title),
    names: found.flatMap(({ synonyms = [] }) => synonyms.map(({ name }) => name)),
  };
}

/** An item that cannot be read is a finding of `verify`; here it is one without names. */
function readContent(row: StoredRow): TermContent | undefined {
  try {
    return contentOf(row);
  } catch {
    return undefined;
  }
}

const successorOfGone = (db: Db, vocabulary: string, id: string): string | null =>
  db.sql<string | null>("SELECT successor FROM life WHERE vocabulary = ? AND ext = ?").pluck().get(vocabulary, id) ??
  null;
