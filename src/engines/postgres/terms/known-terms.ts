import type { Catalog } from "../../../core/catalog/types.js";
import { type CitedStep, followCited, followId, type IdLookup, type Resolved } from "../../../core/terms/follow-id.js";
import { compareRank, type RankKey } from "../../../core/terms/term-order.js";
import { readTermContent } from "../../../core/terms/term-row.js";
import { termUuid } from "../../../core/terms/term-version.js";
import type { TermReference } from "../../../ports/store.js";
import type { AssumedTerm } from "../../../query/index-model/leaves.js";
import type { Sql } from "../connection/sql.js";

/** The columns that are read of a term. */
export interface ResolvedTermRow extends RankKey {
  readonly revision: number;
  readonly parent: string | null;
  readonly successor: string | null;
  readonly title: string;
  readonly rest: string;
}

/** The expression of the index `term_spelling` for `term t`: the vocabulary, and the id in lower case. */
export const SPELLING = "t.vocabulary || ' ' || lower(t.ext)";

/** Columns of `term t` for a `ResolvedTermRow`. */
export const RESOLVED_TERM_COLUMNS =
  "t.ext, t.status, t.prior, t.length, t.revision, t.parent, t.successor, t.title, t.rest";

/**
 * Reads everything that is needed to follow ids: the terms with these ids in any capitals, the successors of ids
 * without a term, and the same for each successor. Returns a row for each id and term, or one for an id without a term.
 */
const REACHED = `WITH RECURSIVE reached(vocabulary, id) AS (
    SELECT a.vocabulary COLLATE "C", a.id COLLATE "C" FROM unnest($1::text[], $2::text[]) a(vocabulary, id)
    UNION
    SELECT r.vocabulary, next.successor FROM reached r CROSS JOIN LATERAL (
      SELECT t.successor FROM term t WHERE ${SPELLING} = r.vocabulary || ' ' || lower(r.id)
      UNION ALL SELECT d.successor FROM redirect d WHERE d.vocabulary = r.vocabulary AND d.ext = r.id
      UNION ALL SELECT l.successor FROM life l WHERE l.vocabulary = r.vocabulary AND l.ext = r.id) next
    WHERE next.successor IS NOT NULL)
  SELECT r.vocabulary, r.id AS id, t.*, d.ext IS NOT NULL OR l.ext IS NOT NULL AS is_gone,
    CASE WHEN d.ext IS NULL THEN l.successor ELSE d.successor END AS instead
  FROM reached r
  LEFT JOIN LATERAL (SELECT ${RESOLVED_TERM_COLUMNS} FROM term t
    WHERE ${SPELLING} = r.vocabulary || ' ' || lower(r.id) OFFSET 0) t ON true
  LEFT JOIN LATERAL (SELECT ext, successor FROM redirect
    WHERE vocabulary = r.vocabulary AND ext = r.id LIMIT 1) d ON true
  LEFT JOIN LATERAL (SELECT ext, successor FROM life
    WHERE vocabulary = r.vocabulary AND ext = r.id LIMIT 1) l ON true`;

type ReachedRow = (ResolvedTermRow | { readonly ext: null }) & {
  readonly vocabulary: string;
  readonly id: string;
  readonly is_gone: boolean;
  readonly instead: string | null;
};

/**
 * The terms that ids lead to. One statement reads those of the first ids. A computation that needs other ids runs again
 * after they are read.
 */
class TermReads {
  readonly #sql: Sql;
  readonly #readKeys = new Set<string>();
  readonly #terms = new Map<string, ResolvedTermRow>();
  /** The best term by id in lower case. */
  readonly #spelled = new Map<string, ResolvedTermRow>();
  readonly #gone = new Map<string, string | null>();
  #missing: TermReference[] = [];

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Computes a result from the read terms. Repeats until each looked-up id was read. */
  async compute<T>(first: readonly TermReference[], work: () => T): Promise<T> {
    await this.#read(first);
    for (;;) {
      const result = work();
      const missing = this.#missing;
      if (missing.length === 0) return result;
      this.#missing = [];
      await this.#read(missing);
    }
  }

  exact(vocabulary: string, id: string): ResolvedTermRow | undefined {
    const key = termKey(vocabulary, id);
    if (!this.#readKeys.has(key)) this.#missing.push({ vocabulary, id });
    return this.#terms.get(key);
  }

  successorOfGone(vocabulary: string, id: string): string | null | undefined {
    return this.#gone.get(termKey(vocabulary, id));
  }

  variant(vocabulary: string, id: string): ResolvedTermRow | undefined {
    return this.#spelled.get(termKey(vocabulary, toLowerAscii(id)));
  }

  async #read(requested: readonly TermReference[]): Promise<void> {
    const unread = new Map(requested.map(({ vocabulary, id }) => [termKey(vocabulary, id), { vocabulary, id }]));
    for (const key of unread.keys()) if (this.#readKeys.has(key)) unread.delete(key);
    if (unread.size === 0) return;
    const references = [...unread.values()];
    const rows = await this.#sql.rows<ReachedRow>(REACHED, [
      references.map(({ vocabulary }) => vocabulary),
      references.map(({ id }) => id),
    ]);
    for (const key of unread.keys()) this.#readKeys.add(key);
    for (const row of rows) this.#addRow(row);
  }

  #addRow({ vocabulary, id, is_gone, instead, ...row }: ReachedRow): void {
    const key = termKey(vocabulary, id);
    this.#readKeys.add(key);
    if (is_gone) this.#gone.set(key, instead);
    if (row.ext === null) return;
    if (row.ext === id) this.#terms.set(key, row);
    const spelling = termKey(vocabulary, toLowerAscii(id));
    const best = this.#spelled.get(spelling);
    if (best === undefined || compareRank(row, best) < 0) this.#spelled.set(spelling, row);
  }
}

const termKey = (vocabulary: string, id: string): string => `${vocabulary}/${id}`;

/** Returns an id in lower case as in `term_spelling`. Letters beyond ASCII are not changed. */
export const toLowerAscii = (id: string): string => id.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Resolves ids to terms (`followId`), in their order. Ids of undeclared vocabularies give undefined. */
export async function resolveIds(
  sql: Sql,
  catalog: Pick<Catalog, "vocabularies">,
  references: readonly TermReference[],
): Promise<readonly (Resolved<ResolvedTermRow> | undefined)[]> {
  const aliasOf = ({ vocabulary, id }: TermReference): string | undefined =>
    catalog.vocabularies.get(vocabulary)?.aliases.get(id.toLowerCase());
  const aliases = references.flatMap((reference) => {
    const id = aliasOf(reference);
    return id === undefined ? [] : [{ vocabulary: reference.vocabulary, id }];
  });
  const reads = new TermReads(sql);
  const lookupIn = (vocabulary: string): IdLookup<ResolvedTermRow> => ({
    exact: (id) => reads.exact(vocabulary, id),
    successorOfGone: (id) => reads.successorOfGone(vocabulary, id),
    alias: (id) => aliasOf({ vocabulary, id }),
    variant: (id) => reads.variant(vocabulary, id),
  });
  const declared = references.map(({ vocabulary }) => catalog.vocabularies.has(vocabulary));
  const first = [...references.filter((_, i) => declared[i]), ...aliases];
  return reads.compute(first, () =>
    references.map(({ vocabulary, id }, i) => (declared[i] ? followId(id, lookupIn(vocabulary)) : undefined)),
  );
}

/** Reads the current index data of cited terms (`followCited`), in their order. */
export async function citedTermsNow(sql: Sql, references: readonly TermReference[]): Promise<readonly AssumedTerm[]> {
  const reads = new TermReads(sql);
  const stepAt = (vocabulary: string, id: string): CitedStep => {
    const row = reads.exact(vocabulary, id);
    if (row === undefined) return { successor: reads.successorOfGone(vocabulary, id) ?? null };
    return {
      successor: row.successor,
      content: readTermContent(row),
      version: `${termUuid(vocabulary, id)}::${row.revision}`,
    };
  };
  return reads.compute(references, () =>
    references.map(({ vocabulary, id }) => {
      const term = followCited(id, (each) => stepAt(vocabulary, each));
      return { vocabulary, id, term };
    }),
  );
}
