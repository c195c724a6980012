import type { TermContent, TermNow } from "../../../../core/term.js";
import { type CitedStep, followCited } from "../../../../core/terms/follow-id.js";
import { contentOf } from "../../../../core/terms/term-row.js";
import { termUuid } from "../../../../core/terms/term-version.js";
import type { TermOf } from "../../../../query/index-model/record-leaves.js";
import type { LruCache } from "../../cache/lru-cache.js";
import type { Db } from "../../connection/database.js";
import { currentGeneration, type Generation } from "./generation.js";
import { findUntilWrite, keepUntilWrite } from "./generation-cache.js";
import { findRow, type StoredRow } from "./put-row.js";
import { successorOfGone } from "./resolve-id.js";

/** Terms that one look keeps in memory; what is looked up beyond them is looked up again. */
const KEPT_MAX = 50_000;

/**
 * Looks up cited terms as the open transaction sees them; each is kept, so it serves one transaction only.
 * @param cache keeps them for the next one, until a write; absent where reads see what may yet be rolled back
 */
export function makeTermNow(db: Db, cache?: LruCache): TermOf {
  const generations = new Map<string, Generation | undefined>();
  const known = new Map<string, TermNow | undefined>();
  return (vocabulary, id) => {
    const key = `${vocabulary}/${id}`;
    if (known.has(key)) return known.get(key);
    if (!generations.has(vocabulary)) generations.set(vocabulary, currentGeneration(db, vocabulary));
    if (known.size > KEPT_MAX) known.clear();
    const generation = generations.get(vocabulary);
    const context = generation && cache && { generation, cache };
    const name = `cited now ${id}`;
    const kept = context && findUntilWrite<TermNow>(context, name);
    const term = kept ?? followCited(id, (at) => stepAt(db, generation, vocabulary, at));
    if (context !== undefined && kept === undefined && term !== undefined) {
      keepUntilWrite(context, name, term, JSON.stringify(term).length * 4);
    }
    known.set(key, term);
    return term;
  };
}

function stepAt(db: Db, generation: Generation | undefined, vocabulary: string, id: string): CitedStep {
  const row = generation && findRow(generation, id);
  if (row === undefined) return { successor: successorOfGone(db, generation, vocabulary, id) ?? null };
  const content = readContent(row);
  const version = `${termUuid(vocabulary, id)}::${row.revision}`;
  return { successor: row.successor, ...(content === undefined ? {} : { content, version }) };
}

/** An item that cannot be read is a finding of `verify`; here it is one without names. */
function readContent(row: StoredRow): TermContent | undefined {
  try {
    return contentOf(row);
  } catch {
    return undefined;
  }
}
