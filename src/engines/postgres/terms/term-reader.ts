import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import type { StoredTerm } from "../../../core/term.js";
import { citedTerm, storedTitles, termJson, titleIn } from "../../../core/terms/term-row.js";
import { askTogether } from "../../../ports/ask-together.js";
import {
  type Ancestor,
  type Citation,
  HOMONYMS_MAX,
  type ListedTitle,
  type TermLookup,
  type TermReader,
  type TermReference,
  type TermWithAncestors,
} from "../../../ports/terms.js";
import { TITLE_NAME } from "../../../query/index-model/term-document.js";
import type { Sql } from "../connection/sql.js";
import type { Locks } from "../connection/write-transaction.js";
import { citedTermsNow, RESOLVED_TERM_COLUMNS, type ResolvedTermRow, resolveIds } from "./known-terms.js";

/** Makes the reader of terms. @param locks locks of the open transaction; absent: each read sees the committed state */
export function makeTermReader(sql: Sql, catalog: Catalog, locks: TermLocks = NO_LOCKS): TermReader {
  const ancestorsOfRows = async (
    vocabulary: string,
    rows: readonly ResolvedTermRow[],
  ): Promise<readonly (readonly Ancestor[])[]> =>
    catalog.vocabularies.get(vocabulary)?.hierarchy === true
      ? readAncestors(sql, vocabulary, rows)
      : rows.map(() => []);
  const getPlaced = async (vocabulary: string, ids: readonly string[]): Promise<readonly TermWithAncestors[]> => {
    await locks.toRead(vocabulary);
    const rows = await sql.rows<ResolvedTermRow>(PLACED, [vocabulary, ids]);
    const terms = await readStoredTerms(sql, vocabulary, rows);
    const ancestors = await ancestorsOfRows(vocabulary, rows);
    return terms.map((term, i) => ({ term, ancestors: ancestors[i]! }));
  };
  // Each facet of a search reads the titles of its buckets.
  const titles = askTogether((requests: readonly TitlesRequest[]) => readTitles(sql, catalog, requests));
  return {
    get: async (vocabulary, id) => {
      const declared = catalog.vocabularies.get(vocabulary);
      if (declared === undefined) return undefined;
      await locks.toRead(vocabulary);
      const term = await readWithPlace(sql, declared, id);
      if (term?.successor === null) return term.lookup;
      const [resolved] = await resolveIds(sql, catalog, [{ vocabulary, id }]);
      if (resolved?.kind !== "found") return resolved;
      if (resolved.moved) return { kind: "moved", to: resolved.row.ext };
      // The id has other capitals, or its successors form a circle or do not exist.
      return (await readWithPlace(sql, declared, resolved.row.ext))?.lookup;
    },
    getExact: async (vocabulary, id) => (await getPlaced(vocabulary, [id]))[0],
    getPlaced,
    getMany: async (vocabulary, ids) => {
      await locks.toRead(vocabulary);
      return readMany(sql, catalog, vocabulary, ids);
    },
    version: async () => {
      await locks.toCite();
      return (await sql.row<{ readonly version: string }>(VERSION))!.version;
    },
    cite: async (references) => {
      await locks.toCite();
      return cite(sql, catalog, references);
    },
    citedNow: async (references) => {
      await locks.toCite();
      return citedTermsNow(sql, references);
    },
    count: async (vocabulary) => {
      const row = await sql.row<Count>("SELECT count AS n FROM vocabulary WHERE name = $1", [vocabulary]);
      return row?.n ?? 0;
    },
    citations: async (vocabulary, id) => {
      await locks.toWrite(vocabulary);
      const row = await sql.row<Count>(CITATIONS, [vocabulary, id]);
      return row?.n ?? 0;
    },
    titles: (vocabulary, ids, lang) => titles({ vocabulary, ids, lang }),
    stale: async () => (await sql.row<Count>("SELECT count(*) AS n FROM stale_term"))!.n,
    ...makeTreeReader(sql, locks),
  };
}

/** Makes the reader of the children and of the origin of terms. */
function makeTreeReader(
  sql: Sql,
  locks: TermLocks,
): Pick<TermReader, "children" | "childIds" | "parentsAmong" | "provenance"> {
  return {
    children: async (vocabulary, id) => {
      await locks.toRead(vocabulary);
      return (await sql.row<Count>(CHILD_COUNT, [vocabulary, id]))!.n;
    },
    childIds: async (vocabulary, id) => {
      await locks.toRead(vocabulary);
      const rows = await sql.rows<{ readonly ext: string }>(CHILD_IDS, [vocabulary, id]);
      return rows.map(({ ext }) => ext);
    },
    parentsAmong: async (vocabulary, ids) => {
      await locks.toRead(vocabulary);
      const rows = await sql.rows<{ readonly ext: string }>(PARENTS_AMONG, [vocabulary, ids]);
      return new Set(rows.map(({ ext }) => ext));
    },
    provenance: async (vocabulary, id, limit) => {
      await locks.toRead(vocabulary);
      const sources = await sql.rows<{ readonly name: string }>(SOURCES, [vocabulary, id]);
      const former = await sql.rows<{ readonly ext: string }>(FORMER_IDS, [vocabulary, id, limit]);
      return { sources: sources.map(({ name }) => name), formerIds: former.map(({ ext }) => ext) };
    },
  };
}

/** SQL for a term and its ancestors, each once, so that a circle ends. All other columns are those of the term. */
const WITH_PLACE = `WITH RECURSIVE above(ext, parent, title) AS (
    SELECT ext, parent, title FROM term WHERE vocabulary = $1 AND ext = $2
    UNION
    SELECT t.ext, t.parent, t.title FROM above a JOIN term t ON t.vocabulary = $1 AND t.ext = a.parent)
  SELECT a.ext, a.parent, a.title, own.* FROM above a LEFT JOIN LATERAL (
    SELECT t.status, t.prior, t.length, t.revision, t.successor, t.rest, c.latest AS cited,
      EXISTS (SELECT FROM term child WHERE child.vocabulary = $1 AND child.parent = $2) AS "hasChildren",
      EXISTS (SELECT FROM term_history h WHERE h.vocabulary = $1 AND h.ext = $2
        AND h.load IS NULL AND h.action <> 'created') AS "mayBeEdited"
    FROM term t LEFT JOIN LATERAL citations_of(t.vocabulary, t.ext) c ON true
    WHERE t.vocabulary = $1 AND t.ext = $2 LIMIT 1) own ON a.ext = $2`;

interface WithPlaceRow extends ResolvedTermRow {
  readonly cited: number | null;
  readonly hasChildren: boolean;
  readonly mayBeEdited: boolean;
}

/** Reads the term with exactly this id in one statement, with everything that a look-up returns. */
async function readWithPlace(
  sql: Sql,
  { name, hierarchy }: Vocabulary,
  id: string,
): Promise<{ readonly successor: string | null; readonly lookup: TermLookup } | undefined> {
  // The columns of ancestors are null, except for those of `PathRow`.
  const rows = await sql.rows<WithPlaceRow>(WITH_PLACE, [name, id]);
  const rowsById = new Map(rows.map((row) => [row.ext, row]));
  const row = rowsById.get(id);
  if (row === undefined) return undefined;
  const parent = row.parent === null ? undefined : rowsById.get(row.parent);
  const lookup: TermLookup = {
    kind: "found",
    term: makeStoredTerm(name, row, { parent_title: parent?.title ?? null, cited: row.cited }),
    ancestors: hierarchy ? pathAbove(row, rowsById) : [],
    mayBeEdited: row.mayBeEdited,
    hasChildren: hierarchy && row.hasChildren,
  };
  return { successor: row.successor, lookup };
}

const PLACED = `SELECT t.* FROM unnest($2::text[]) WITH ORDINALITY a(ext, n)
  CROSS JOIN LATERAL (SELECT ${RESOLVED_TERM_COLUMNS} FROM term t WHERE t.vocabulary = $1 AND t.ext = a.ext LIMIT 1) t
  ORDER BY a.n`;

/** Reads the terms that ids lead to, in the order of the ids, each once. */
async function readMany(
  sql: Sql,
  catalog: Catalog,
  vocabulary: string,
  ids: readonly string[],
): Promise<readonly { id: string; term: StoredTerm }[]> {
  const resolved = await resolveIds(
    sql,
    catalog,
    ids.map((id) => ({ vocabulary, id })),
  );
  const firstById = new Map<string, { readonly id: string; readonly row: ResolvedTermRow }>();
  for (const [i, each] of resolved.entries()) {
    if (each?.kind !== "found" || firstById.has(each.row.ext)) continue;
    firstById.set(each.row.ext, { id: ids[i]!, row: each.row });
  }
  const rows = [...firstById.values()];
  const terms = await readStoredTerms(
    sql,
    vocabulary,
    rows.map(({ row }) => row),
  );
  return rows.map(({ id }, i) => ({ id, term: terms[i]! }));
}

interface Count {
  readonly n: number;
}

const VERSION = `SELECT coalesce(string_agg(name || ' ' || version, ',' ORDER BY name), '') AS version
  FROM vocabulary WHERE version > 0`;
const CITATIONS = "SELECT latest + others AS n FROM citations_of($1, $2)";
const CHILD_COUNT = "SELECT count(*) AS n FROM term WHERE vocabulary = $1 AND parent = $2";
const CHILD_IDS = "SELECT ext FROM term WHERE vocabulary = $1 AND parent = $2 ORDER BY ext";

const PARENTS_AMONG = `SELECT a.ext FROM unnest($2::text[]) a(ext)
  WHERE EXISTS (SELECT FROM term t WHERE t.vocabulary = $1 AND t.parent = a.ext)`;

const SOURCES = `SELECT s.name FROM term t JOIN term_source s ON s.vocabulary = t.vocabulary AND t.sources & s.bit <> 0
  WHERE t.vocabulary = $1 AND t.ext = $2 ORDER BY s.bit`;

/** Follows the same steps as `citations_of`, from a term that exists. */
const FORMER_IDS = `WITH RECURSIVE led(ext) AS (
    SELECT ext FROM term WHERE vocabulary = $1 AND ext = $2
    UNION SELECT r.ext FROM led l CROSS JOIN LATERAL (
      SELECT t.ext FROM term t WHERE t.vocabulary = $1 AND t.successor = l.ext
      UNION ALL SELECT d.ext FROM redirect d WHERE d.vocabulary = $1 AND d.successor = l.ext
        AND NOT EXISTS (SELECT FROM term t WHERE t.vocabulary = $1 AND t.ext = d.ext)
      UNION ALL SELECT g.ext FROM life g WHERE g.vocabulary = $1 AND g.successor = l.ext
        AND NOT EXISTS (SELECT FROM term t WHERE t.vocabulary = $1 AND t.ext = g.ext)
        AND NOT EXISTS (SELECT FROM redirect d WHERE d.vocabulary = $1 AND d.ext = g.ext)) r)
  SELECT ext FROM led WHERE ext <> $2 ORDER BY ext LIMIT $3`;

/** Additional columns for showing a term: the titles of its parent, and its citation count. */
export interface ExtraColumns {
  readonly parent_title: string | null;
  readonly cited: number | null;
}

/** The SQL of `ExtraColumns`, with the join `joinExtra`. */
export const EXTRA_COLUMNS = "p.title AS parent_title, c.latest AS cited";

/** Returns the SQL of the join for `EXTRA_COLUMNS`. The parameters are SQL expressions. */
export const joinExtra = (vocabulary: string, id: string, parent: string): string =>
  `LEFT JOIN LATERAL (SELECT title FROM term WHERE vocabulary = ${vocabulary} AND ext = ${parent} LIMIT 1) p ON true
  LEFT JOIN LATERAL citations_of(${vocabulary}, ${id}) c ON true`;

const EXTRA = `SELECT ${EXTRA_COLUMNS} FROM unnest($2::text[], $3::text[]) WITH ORDINALITY a(id, parent, n)
  ${joinExtra("$1", "a.id", "a.parent")} ORDER BY a.n`;

/** Returns terms as clients see them, in the order of the rows. Parents have their current titles. */
export async function readStoredTerms(
  sql: Sql,
  vocabulary: string,
  rows: readonly ResolvedTermRow[],
): Promise<StoredTerm[]> {
  if (rows.length === 0) return [];
  const extras = await sql.rows<ExtraColumns>(EXTRA, [
    vocabulary,
    rows.map(({ ext }) => ext),
    rows.map(({ parent }) => parent),
  ]);
  return rows.map((row, i) => makeStoredTerm(vocabulary, row, extras[i]!));
}

/** Returns a term as clients see it. */
export const makeStoredTerm = (
  vocabulary: string,
  row: ResolvedTermRow,
  { parent_title, cited }: ExtraColumns,
): StoredTerm => ({
  vocabulary,
  id: row.ext,
  revision: row.revision,
  citedBy: cited ?? 0,
  json: termJson(row, vocabulary, parent_title ?? undefined),
});

/** Reads one row for each homonym of a term; for most terms, one row without a homonym. */
const TITLES = `SELECT t.vocabulary, t.ext, t.title, o.ext AS homonym
  FROM unnest($1::text[], $2::text[]) a(vocabulary, ext)
  CROSS JOIN LATERAL (
    SELECT vocabulary, ext, title FROM term WHERE vocabulary = a.vocabulary AND ext = a.ext LIMIT 1) t
  LEFT JOIN LATERAL (
    SELECT DISTINCT o.ext FROM term_name n
      JOIN term_name o ON o.vocabulary = n.vocabulary AND o.key = n.key AND o.kind = n.kind AND o.ext <> n.ext
      JOIN term other ON other.vocabulary = o.vocabulary AND other.ext = o.ext AND other.status = 0
    WHERE n.ext = a.ext AND n.vocabulary = a.vocabulary AND n.kind = ${TITLE_NAME} LIMIT ${HOMONYMS_MAX}) o ON true`;

/** A request for the titles of terms of one vocabulary, in one language. */
interface TitlesRequest {
  readonly vocabulary: string;
  readonly ids: readonly string[];
  readonly lang: string;
}

interface TitleRow {
  readonly vocabulary: string;
  readonly ext: string;
  readonly title: string;
  readonly homonym: string | null;
}

/** Returns titles by id for each request, in the order of the requests; unknown ids are left out. */
async function readTitles(
  sql: Sql,
  { vocabularies }: Catalog,
  requests: readonly TitlesRequest[],
): Promise<readonly Map<string, ListedTitle>[]> {
  const termKey = (vocabulary: string, id: string): string => `${vocabulary}/${id}`;
  const requested = new Map<string, readonly [vocabulary: string, id: string]>();
  for (const { vocabulary, ids } of requests) {
    if (!vocabularies.has(vocabulary)) continue;
    for (const id of ids) requested.set(termKey(vocabulary, id), [vocabulary, id]);
  }
  const pairs = [...requested.values()];
  const values = [pairs.map(([vocabulary]) => vocabulary), pairs.map(([, id]) => id)];
  const rows = pairs.length === 0 ? [] : await sql.rows<TitleRow>(TITLES, values);
  const stored = new Map<string, { readonly title: string; readonly homonyms: string[] }>();
  for (const { vocabulary, ext, title, homonym } of rows) {
    const key = termKey(vocabulary, ext);
    const term = stored.get(key) ?? { title, homonyms: [] };
    stored.set(key, term);
    if (homonym !== null) term.homonyms.push(homonym);
  }
  return requests.map(({ vocabulary, ids, lang }) => {
    const titles = ids.flatMap((id): [string, ListedTitle][] => {
      const term = stored.get(termKey(vocabulary, id));
      if (term === undefined) return [];
      const text = titleIn(storedTitles(term.title, id), lang, vocabularies.get(vocabulary)!);
      return [[id, { text, homonyms: term.homonyms }]];
    });
    return new Map(titles);
  });
}

/** Reads terms with all their ancestors, each once, so that a circle ends. */
const ABOVE = `WITH RECURSIVE above(ext, parent, title) AS (
    SELECT ext, parent, title FROM term WHERE vocabulary = $1 AND ext = ANY($2::text[])
    UNION
    SELECT t.ext, t.parent, t.title FROM above a JOIN term t ON t.vocabulary = $1 AND t.ext = a.parent)
  SELECT ext, parent, title FROM above`;

type PathRow = Pick<ResolvedTermRow, "ext" | "parent" | "title">;

/** Returns the ancestors of each term, see `pathAbove`. */
async function readAncestors(
  sql: Sql,
  vocabulary: string,
  terms: readonly ResolvedTermRow[],
): Promise<readonly (readonly Ancestor[])[]> {
  const parents = new Set(terms.flatMap(({ parent }) => parent ?? []));
  if (parents.size === 0) return terms.map(() => []);
  const rows = await sql.rows<PathRow>(ABOVE, [vocabulary, [...parents]]);
  const rowsById = new Map(rows.map((row) => [row.ext, row]));
  return terms.map((term) => pathAbove(term, rowsById));
}

/**
 * Returns the ancestors of a term, from the root to its parent. In a circle, which single writes can cause, the list
 * begins with the term below the term itself.
 */
function pathAbove({ ext, parent }: PathRow, rowsById: ReadonlyMap<string, PathRow>): readonly Ancestor[] {
  const path: Ancestor[] = [];
  const seen = new Set([ext]);
  for (let above = rowsById.get(parent ?? ""); above !== undefined && !seen.has(above.ext); ) {
    seen.add(above.ext);
    path.push({ id: above.ext, json: `{"id":${JSON.stringify(above.ext)},"title":${above.title}}` });
    above = above.parent === null ? undefined : rowsById.get(above.parent);
  }
  return path.reverse();
}

/** Reads the terms that a body cites. References that lead nowhere are left out. */
async function cite(sql: Sql, catalog: Catalog, references: readonly TermReference[]): Promise<Citation[]> {
  const unique = [...new Map(references.map((each) => [`${each.vocabulary}/${each.id}`, each])).values()];
  const resolved = await resolveIds(sql, catalog, unique);
  return unique.flatMap(({ vocabulary, id }, i): Citation[] => {
    const each = resolved[i];
    return each?.kind === "found" ? [{ reference: { vocabulary, id }, term: citedTerm(each.row, vocabulary) }] : [];
  });
}

/** Locks that keep the terms that a transaction read unchanged until its end. Reads outside a transaction need none. */
interface TermLocks {
  /** Call before reading terms that a record cites. */
  toCite(): Promise<void>;
  /** Call before reading terms to write others. */
  toRead(vocabulary: string): Promise<void>;
  /** Call before writing a term, or counting its citations. */
  toWrite(vocabulary: string): Promise<void>;
}

/** The locks of reads outside a transaction. */
const NO_LOCKS: TermLocks = {
  toCite: async () => undefined,
  toRead: async () => undefined,
  toWrite: async () => undefined,
};

/** Name of the lock on all terms of all vocabularies. */
const ALL_TERMS = "any";

/**
 * Makes the locks of a transaction. A writer of terms locks the vocabulary exclusively from its first read on; a load
 * does so only while it writes. A writer also locks all terms from its first write on; a load does so only after its
 * last one. Deposits share the lock on all terms, so writers and deposits wait for each other.
 */
export function makeTermLocks(locks: Locks): TermLocks {
  let isCiting = false;
  const toCite = async (): Promise<void> => {
    await locks.take("term", ALL_TERMS, "shared");
    isCiting = true;
  };
  const lockVocabulary = (vocabulary: string): Promise<void> => locks.take("vocabulary", vocabulary);
  return {
    toCite,
    toRead: async (vocabulary) => {
      // No other transaction can write a term while this one holds the shared lock.
      if (!isCiting) await lockVocabulary(vocabulary);
    },
    toWrite: async (vocabulary) => {
      await lockVocabulary(vocabulary);
      await locks.take("term", ALL_TERMS);
    },
  };
}
