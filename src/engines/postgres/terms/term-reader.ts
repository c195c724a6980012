import type { Catalog } from "../../../core/catalog/types.js";
import type { StoredTerm } from "../../../core/term.js";
import { citedTerm, itemJson, storedTitles, titleIn } from "../../../core/terms/term-row.js";
import { askTogether } from "../../../ports/ask-together.js";
import {
  type Ancestor,
  type Citation,
  HOMONYMS_MAX,
  type ListedTitle,
  type PlacedTerm,
  type TermReader,
  type TermReference,
} from "../../../ports/terms.js";
import { TITLE } from "../../../query/index-model/term-document.js";
import type { Sql } from "../connection/sql.js";
import { citedTermsNow, FOUND, type FoundRow, resolveIds } from "./known-terms.js";
import { NO_LOCKS, type TermLocks } from "./term-locks.js";

/** @param locks of the open transaction; absent: each read sees what is committed by then */
export function makeTermReader(sql: Sql, catalog: Catalog, locks: TermLocks = NO_LOCKS): TermReader {
  const ancestorsOf = async (
    vocabulary: string,
    rows: readonly FoundRow[],
  ): Promise<readonly (readonly Ancestor[])[]> =>
    catalog.vocabularies.get(vocabulary)?.hierarchy === true
      ? readAncestors(sql, vocabulary, rows)
      : rows.map(() => []);
  const getPlaced = async (vocabulary: string, ids: readonly string[]): Promise<readonly PlacedTerm[]> => {
    await locks.toRead(vocabulary);
    const rows = await sql.rows<FoundRow>(PLACED, [vocabulary, ids]);
    const terms = await storedTerms(sql, vocabulary, rows);
    const ancestors = await ancestorsOf(vocabulary, rows);
    return terms.map((term, i) => ({ term, ancestors: ancestors[i]! }));
  };
  // Each facet of a search reads the titles of its buckets.
  const titles = askTogether((asked: readonly AskedTitles[]) => titlesOf(sql, catalog, asked));
  return {
    get: async (vocabulary, id) => {
      await locks.toRead(vocabulary);
      const [found] = await resolveIds(sql, catalog, [{ vocabulary, id }]);
      if (found === undefined || found.kind === "gone") return found;
      if (found.moved) return { kind: "moved", to: found.row.ext };
      const [term] = await storedTerms(sql, vocabulary, [found.row]);
      const [ancestors] = await ancestorsOf(vocabulary, [found.row]);
      return { kind: "found", term: term!, ancestors: ancestors!, mayBeEdited: true };
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
    children: async (vocabulary, id) => {
      await locks.toRead(vocabulary);
      return (await sql.row<Count>(CHILD_COUNT, [vocabulary, id]))!.n;
    },
    childIds: async (vocabulary, id) => {
      await locks.toRead(vocabulary);
      const rows = await sql.rows<{ readonly ext: string }>(CHILD_IDS, [vocabulary, id]);
      return rows.map(({ ext }) => ext);
    },
  };
}

const PLACED = `SELECT t.* FROM unnest($2::text[]) WITH ORDINALITY a(ext, n)
  CROSS JOIN LATERAL (SELECT ${FOUND} FROM term t WHERE t.vocabulary = $1 AND t.ext = a.ext LIMIT 1) t ORDER BY a.n`;

/** Items in the order of the ids that lead to them, each once. */
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
  const rowsById = new Map<string, { readonly id: string; readonly row: FoundRow }>();
  for (const [i, each] of resolved.entries()) {
    if (each?.kind !== "found" || rowsById.has(each.row.ext)) continue;
    rowsById.set(each.row.ext, { id: ids[i]!, row: each.row });
  }
  const rows = [...rowsById.values()];
  const terms = await storedTerms(
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

/** What stands beside an item where it is shown: titles of its parent, and how many records cite it. */
export interface BesideRow {
  readonly parent_title: string | null;
  readonly cited: number | null;
}

/** Columns that `BesideRow` has, where `besideTerm` is joined. */
export const BESIDE_COLUMNS = "p.title AS parent_title, c.latest AS cited";

/** Joins what stands beside an item. @param vocabulary and the others, expressions of SQL */
export const besideTerm = (vocabulary: string, id: string, parent: string): string =>
  `LEFT JOIN LATERAL (SELECT title FROM term WHERE vocabulary = ${vocabulary} AND ext = ${parent} LIMIT 1) p ON true
  LEFT JOIN LATERAL citations_of(${vocabulary}, ${id}) c ON true`;

const BESIDE = `SELECT ${BESIDE_COLUMNS} FROM unnest($2::text[], $3::text[]) WITH ORDINALITY a(id, parent, n)
  ${besideTerm("$1", "a.id", "a.parent")} ORDER BY a.n`;

/** Terms as clients see them, in the order of the rows; parents carry their present titles. */
export async function storedTerms(sql: Sql, vocabulary: string, rows: readonly FoundRow[]): Promise<StoredTerm[]> {
  if (rows.length === 0) return [];
  const beside = await sql.rows<BesideRow>(BESIDE, [
    ...[vocabulary, rows.map(({ ext }) => ext), rows.map(({ parent }) => parent)],
  ]);
  return rows.map((row, i) => shownTerm(vocabulary, row, beside[i]!));
}

/** A term as clients see it. */
export const shownTerm = (vocabulary: string, row: FoundRow, { parent_title, cited }: BesideRow): StoredTerm => ({
  vocabulary,
  ...{ id: row.ext, revision: row.revision, citedBy: cited ?? 0 },
  json: itemJson(row, vocabulary, parent_title ?? undefined),
});

/** One row for each homonym of a term; one without a homonym for most terms. */
const TITLES = `SELECT t.vocabulary, t.ext, t.title, o.ext AS homonym
  FROM unnest($1::text[], $2::text[]) a(vocabulary, ext)
  CROSS JOIN LATERAL (
    SELECT vocabulary, ext, title FROM term WHERE vocabulary = a.vocabulary AND ext = a.ext LIMIT 1) t
  LEFT JOIN LATERAL (
    SELECT DISTINCT o.ext FROM term_name n
      JOIN term_name o ON o.vocabulary = n.vocabulary AND o.key = n.key AND o.kind = n.kind AND o.ext <> n.ext
      JOIN term other ON other.vocabulary = o.vocabulary AND other.ext = o.ext AND other.status = 0
    WHERE n.ext = a.ext AND n.vocabulary = a.vocabulary AND n.kind = ${TITLE} LIMIT ${HOMONYMS_MAX}) o ON true`;

/** A request for the titles of items of one vocabulary, in one language. */
interface AskedTitles {
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
async function titlesOf(
  sql: Sql,
  { vocabularies }: Catalog,
  asked: readonly AskedTitles[],
): Promise<readonly Map<string, ListedTitle>[]> {
  const keyOf = (vocabulary: string, id: string): string => `${vocabulary}/${id}`;
  const wanted = new Map<string, readonly [vocabulary: string, id: string]>();
  for (const { vocabulary, ids } of asked) {
    if (!vocabularies.has(vocabulary)) continue;
    for (const id of ids) wanted.set(keyOf(vocabulary, id), [vocabulary, id]);
  }
  const pairs = [...wanted.values()];
  const values = [pairs.map(([vocabulary]) => vocabulary), pairs.map(([, id]) => id)];
  const rows = pairs.length === 0 ? [] : await sql.rows<TitleRow>(TITLES, values);
  const stored = new Map<string, { readonly title: string; readonly homonyms: string[] }>();
  for (const { vocabulary, ext, title, homonym } of rows) {
    const key = keyOf(vocabulary, ext);
    const known = stored.get(key) ?? { title, homonyms: [] };
    stored.set(key, known);
    if (homonym !== null) known.homonyms.push(homonym);
  }
  return asked.map(({ vocabulary, ids, lang }) => {
    const titles = ids.flatMap((id): [string, ListedTitle][] => {
      const known = stored.get(keyOf(vocabulary, id));
      if (known === undefined) return [];
      const text = titleIn(storedTitles(known.title, id), lang, vocabularies.get(vocabulary)!);
      return [[id, { text, homonyms: known.homonyms }]];
    });
    return new Map(titles);
  });
}

/** All above some items, each once: a circle ends where it has been. */
const ABOVE = `WITH RECURSIVE above(ext, parent, title) AS (
    SELECT ext, parent, title FROM term WHERE vocabulary = $1 AND ext = ANY($2::text[])
    UNION
    SELECT t.ext, t.parent, t.title FROM above a JOIN term t ON t.vocabulary = $1 AND t.ext = a.parent)
  SELECT ext, parent, title FROM above`;

/**
 * Returns the ancestors of each item, from the root to its parent. In a circle, which single writes can make, they
 * begin below the item itself.
 */
async function readAncestors(
  sql: Sql,
  vocabulary: string,
  items: readonly FoundRow[],
): Promise<readonly (readonly Ancestor[])[]> {
  const parents = new Set(items.flatMap(({ parent }) => parent ?? []));
  if (parents.size === 0) return items.map(() => []);
  const rows = await sql.rows<Pick<FoundRow, "ext" | "parent" | "title">>(ABOVE, [vocabulary, [...parents]]);
  const byId = new Map(rows.map((row) => [row.ext, row]));
  return items.map(({ ext, parent }) => {
    const path: Ancestor[] = [];
    const seen = new Set([ext]);
    for (let above = byId.get(parent ?? ""); above !== undefined && !seen.has(above.ext); ) {
      seen.add(above.ext);
      path.push({ id: above.ext, json: `{"id":${JSON.stringify(above.ext)},"title":${above.title}}` });
      above = above.parent === null ? undefined : byId.get(above.parent);
    }
    return path.reverse();
  });
}

async function cite(sql: Sql, catalog: Catalog, references: readonly TermReference[]): Promise<Citation[]> {
  const unique = [...new Map(references.map((each) => [`${each.vocabulary}/${each.id}`, each])).values()];
  const resolved = await resolveIds(sql, catalog, unique);
  return unique.flatMap(({ vocabulary, id }, i): Citation[] => {
    const each = resolved[i];
    return each?.kind === "found" ? [{ reference: { vocabulary, id }, term: citedTerm(each.row, vocabulary) }] : [];
  });
}
