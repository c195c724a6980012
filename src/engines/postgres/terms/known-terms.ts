import type { Catalog } from "../../../core/catalog/types.js";
import { type CitedStep, followCited, followId, type IdLookup, type Resolved } from "../../../core/terms/follow-id.js";
import { compareRank, type RankKey } from "../../../core/terms/term-order.js";
import { contentOf } from "../../../core/terms/term-row.js";
import { termUuid } from "../../../core/terms/term-version.js";
import type { TermReference } from "../../../ports/store.js";
import type { AssumedTerm } from "../../../query/index-model/leaves.js";
import type { Sql } from "../connection/sql.js";

/** What is read of an item that an id leads to. */
export interface FoundRow extends RankKey {
  readonly revision: number;
  readonly parent: string | null;
  readonly successor: string | null;
  readonly title: string;
  readonly rest: string;
}

/** What the index `term_spelling` has of `term t`: ids in small letters, behind their vocabulary. */
export const SPELLING = "t.vocabulary || ' ' || lower(t.ext)";

/** Columns of `term t` that `FoundRow` has. */
export const FOUND = "t.ext, t.status, t.prior, t.length, t.revision, t.parent, t.successor, t.title, t.rest";

/**
 * All that following the ids may ask: items with these ids, in whatever capitals, what became of ids that are no items,
 * and the same of each successor. One row for each id and item, or one of an id that is none.
 */
const REACHED = `WITH RECURSIVE reached(vocabulary, id) AS (
    SELECT a.vocabulary COLLATE "C", a.id COLLATE "C" FROM unnest($1::text[], $2::text[]) a(vocabulary, id)
    UNION
    SELECT r.vocabulary, next.successor FROM reached r CROSS JOIN LATERAL (
      SELECT t.successor FROM term t WHERE ${SPELLING} = r.vocabulary || ' ' || lower(r.id)
      UNION ALL SELECT d.successor FROM redirect d WHERE d.vocabulary = r.vocabulary AND d.ext = r.id
      UNION ALL SELECT l.successor FROM life l WHERE l.vocabulary = r.vocabulary AND l.ext = r.id) next
    WHERE next.successor IS NOT NULL)
  SELECT r.vocabulary, r.id AS asked, t.*, d.ext IS NOT NULL OR l.ext IS NOT NULL AS is_gone,
    CASE WHEN d.ext IS NULL THEN l.successor ELSE d.successor END AS instead
  FROM reached r
  LEFT JOIN LATERAL (SELECT ${FOUND} FROM term t
    WHERE ${SPELLING} = r.vocabulary || ' ' || lower(r.id) OFFSET 0) t ON true
  LEFT JOIN LATERAL (SELECT ext, successor FROM redirect
    WHERE vocabulary = r.vocabulary AND ext = r.id LIMIT 1) d ON true
  LEFT JOIN LATERAL (SELECT ext, successor FROM life
    WHERE vocabulary = r.vocabulary AND ext = r.id LIMIT 1) l ON true`;

type ReachedRow = (FoundRow | { readonly ext: null }) & {
  readonly vocabulary: string;
  readonly asked: string;
  readonly is_gone: boolean;
  readonly instead: string | null;
};

/** Where ids lead, as one statement read it; ids that turn out to be needed too are read when they are asked for. */
class KnownTerms {
  readonly #sql: Sql;
  readonly #asked = new Set<string>();
  readonly #items = new Map<string, FoundRow>();
  /** The best item of each id that differs in capitals only. */
  readonly #spelled = new Map<string, FoundRow>();
  readonly #gone = new Map<string, string | null>();
  #missing: TermReference[] = [];

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Makes something of what is known, and again until nothing that it looks up is missing. */
  async until<T>(first: readonly TermReference[], make: () => T): Promise<T> {
    await this.#read(first);
    for (;;) {
      const made = make();
      const missing = this.#missing;
      if (missing.length === 0) return made;
      this.#missing = [];
      await this.#read(missing);
    }
  }

  exact(vocabulary: string, id: string): FoundRow | undefined {
    const key = keyOf(vocabulary, id);
    if (!this.#asked.has(key)) this.#missing.push({ vocabulary, id });
    return this.#items.get(key);
  }

  successorOfGone(vocabulary: string, id: string): string | null | undefined {
    return this.#gone.get(keyOf(vocabulary, id));
  }

  variant(vocabulary: string, id: string): FoundRow | undefined {
    return this.#spelled.get(keyOf(vocabulary, inSmall(id)));
  }

  async #read(wanted: readonly TermReference[]): Promise<void> {
    const unread = new Map(wanted.map(({ vocabulary, id }) => [keyOf(vocabulary, id), { vocabulary, id }]));
    for (const key of unread.keys()) if (this.#asked.has(key)) unread.delete(key);
    if (unread.size === 0) return;
    const references = [...unread.values()];
    const rows = await this.#sql.rows<ReachedRow>(REACHED, [
      references.map(({ vocabulary }) => vocabulary),
      references.map(({ id }) => id),
    ]);
    for (const key of unread.keys()) this.#asked.add(key);
    for (const row of rows) this.#take(row);
  }

  #take({ vocabulary, asked, is_gone, instead, ...row }: ReachedRow): void {
    const key = keyOf(vocabulary, asked);
    this.#asked.add(key);
    if (is_gone) this.#gone.set(key, instead);
    if (row.ext === null) return;
    if (row.ext === asked) this.#items.set(key, row);
    const spelling = keyOf(vocabulary, inSmall(asked));
    const other = this.#spelled.get(spelling);
    if (other === undefined || compareRank(row, other) < 0) this.#spelled.set(spelling, row);
  }
}

const keyOf = (vocabulary: string, id: string): string => `${vocabulary}/${id}`;

/** An id as `term_spelling` has it: letters beyond ASCII stay as they are. */
export const inSmall = (id: string): string => id.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** What each id leads to (`followId`), in their order; of vocabularies that are not declared nothing. */
export async function resolveIds(
  sql: Sql,
  catalog: Pick<Catalog, "vocabularies">,
  references: readonly TermReference[],
): Promise<readonly (Resolved<FoundRow> | undefined)[]> {
  const aliasOf = ({ vocabulary, id }: TermReference): string | undefined =>
    catalog.vocabularies.get(vocabulary)?.aliases.get(id.toLowerCase());
  const aliases = references.flatMap((reference) => {
    const id = aliasOf(reference);
    return id === undefined ? [] : [{ vocabulary: reference.vocabulary, id }];
  });
  const known = new KnownTerms(sql);
  const lookupIn = (vocabulary: string): IdLookup<FoundRow> => ({
    exact: (id) => known.exact(vocabulary, id),
    successorOfGone: (id) => known.successorOfGone(vocabulary, id),
    alias: (id) => aliasOf({ vocabulary, id }),
    variant: (id) => known.variant(vocabulary, id),
  });
  const declared = references.map(({ vocabulary }) => catalog.vocabularies.has(vocabulary));
  const first = [...references.filter((_, i) => declared[i]), ...aliases];
  return known.until(first, () =>
    references.map(({ vocabulary, id }, i) => (declared[i] ? followId(id, lookupIn(vocabulary)) : undefined)),
  );
}

/** What an index takes of cited terms now (`followCited`), in their order. */
export async function citedTermsNow(sql: Sql, references: readonly TermReference[]): Promise<readonly AssumedTerm[]> {
  const known = new KnownTerms(sql);
  const stepAt = (vocabulary: string, id: string): CitedStep => {
    const row = known.exact(vocabulary, id);
    if (row === undefined) return { successor: known.successorOfGone(vocabulary, id) ?? null };
    return {
      successor: row.successor,
      content: contentOf(row),
      version: `${termUuid(vocabulary, id)}::${row.revision}`,
    };
  };
  return known.until(references, () =>
    references.map(({ vocabulary, id }) => {
      const term = followCited(id, (at) => stepAt(vocabulary, at));
      return { vocabulary, id, ...(term === undefined ? {} : { term }) };
    }),
  );
}
