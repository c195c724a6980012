import type { Cache } from "../../../../core/caches.js";
import type { CurrentTerm, TermContent } from "../../../../core/term.js";
import { type CitedStep, followCited } from "../../../../core/terms/follow-id.js";
import { readTermContent } from "../../../../core/terms/term-row.js";
import { termUuid } from "../../../../core/terms/term-version.js";
import type { FindCitedTerm } from "../../../../query/index-model/record-leaves.js";
import type { Db } from "../../connection/database.js";
import { cacheUntilWrite, currentGeneration, findCachedUntilWrite, type Generation } from "./generation.js";
import { successorOfGone } from "./resolve-id.js";
import { findRow, type StoredRow } from "./term-rows.js";

/** Maximum number of terms that are kept in memory. */
const TERMS_MAX = 50_000;

/**
 * Makes a function that looks up cited terms as the open transaction sees them. Terms are kept, so it serves one
 * transaction only.
 * @param cache keeps them for later transactions, until a write; undefined if reads see data that may be rolled back
 */
export function makeTermNow(db: Db, cache?: Cache): FindCitedTerm {
  const generations = new Map<string, Generation | undefined>();
  const termsByKey = new Map<string, CurrentTerm | undefined>();
  return (vocabulary, id) => {
    const key = `${vocabulary}/${id}`;
    if (termsByKey.has(key)) return termsByKey.get(key);
    if (!generations.has(vocabulary)) generations.set(vocabulary, currentGeneration(db, vocabulary));
    if (termsByKey.size > TERMS_MAX) termsByKey.clear();
    const generation = generations.get(vocabulary);
    const context = generation && cache && { generation, cache };
    const name = `cited now ${id}`;
    const cachedTerm = context && findCachedUntilWrite<CurrentTerm>(context, name);
    const term = cachedTerm ?? followCited(id, (current) => readStep(db, generation, vocabulary, current));
    if (context !== undefined && cachedTerm === undefined && term !== undefined) {
      cacheUntilWrite(context, name, term, JSON.stringify(term).length * 4);
    }
    termsByKey.set(key, term);
    return term;
  };
}

function readStep(db: Db, generation: Generation | undefined, vocabulary: string, id: string): CitedStep {
  const row = generation && findRow(generation, id);
  if (row === undefined) return { successor: successorOfGone(db, generation, vocabulary, id) ?? null };
  const content = readContent(row);
  const version = content && `${termUuid(vocabulary, id)}::${row.revision}`;
  return { successor: row.successor, content, version };
}

/** Returns the content of a row. An unreadable term is a finding of `verify`, and counts as one without names here. */
function readContent(row: StoredRow): TermContent | undefined {
  try {
    return readTermContent(row);
  } catch {
    return undefined;
  }
}

/** Marks a term as changed in the open transaction, if any record cites it. */
export function noteStale(db: Db, vocabulary: string, ext: string): void {
  const sql = `INSERT OR REPLACE INTO stale_term(vocabulary, ext)
    SELECT vocabulary, ext FROM use WHERE vocabulary = ? AND ext = ? AND n + drafts > 0`;
  db.sql(sql).run(vocabulary, ext);
}

/** Returns the number of changed terms whose citing records are not indexed again yet. */
export const countStaleTerms = (db: Db): number => db.sql<number>("SELECT count(*) FROM stale_term").pluck().get() ?? 0;
