import type { Cache } from "../../../../core/caches.js";
import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import type { CitedTerm, StoredTerm } from "../../../../core/term.js";
import { citedTerm, termJson } from "../../../../core/terms/term-row.js";
import type {
  Ancestor,
  Citation,
  TermProvenance,
  TermReader,
  TermReference,
  TermWithAncestors,
} from "../../../../ports/terms.js";
import type { AssumedTerm } from "../../../../query/index-model/leaves.js";
import type { FindCitedTerm } from "../../../../query/index-model/record-leaves.js";
import type { Db } from "../../connection/database.js";
import { countStaleTerms, makeTermNow } from "./cited-terms.js";
import {
  cachedUntilWrite,
  cacheUntilWrite,
  currentGeneration,
  findCachedUntilWrite,
  type Generation,
  readOnSnapshot,
  termsVersion,
} from "./generation.js";
import { mayBeEdited } from "./history-table.js";
import { type ResolvedRow, resolveId, resolveMany } from "./resolve-id.js";
import { findRow } from "./term-rows.js";
import { sourcesIn } from "./term-sources.js";
import { type MaybeCached, makeTitledTerms, titlesOf } from "./titled-terms.js";

/** Makes the reader of terms. @param cache keeps titles; undefined if reads see data that may be rolled back */
export function makeTermReader(db: Db, catalog: Catalog, cache?: Cache): TermReader {
  const getGeneration = (vocabulary: string): Generation | undefined => currentGeneration(db, vocabulary);
  const getPlaced = (name: string, ids: readonly string[]): readonly TermWithAncestors[] => {
    const [vocabulary, generation] = [catalog.vocabularies.get(name), getGeneration(name)];
    return vocabulary === undefined || generation === undefined ? [] : placedTerms(generation, vocabulary, ids, cache);
  };
  return {
    get: async (name, id) =>
      readOnSnapshot(db, () => {
        const vocabulary = catalog.vocabularies.get(name);
        if (vocabulary === undefined) return undefined;
        const generation = getGeneration(name);
        const found = resolveId(db, generation, vocabulary, id);
        if (found === undefined || found.kind === "gone") return found;
        if (found.moved) return { kind: "moved", to: found.row.ext } as const;
        const term = storedTerms(generation!, name, [found.row], cache)[0]!;
        const ancestors = vocabulary.hierarchy ? readAncestors(generation!, found.row, cache) : [];
        const { ext } = found.row;
        const hasChildren = vocabulary.hierarchy && generation!.sql(FIND_CHILD).get(ext) !== undefined;
        return { kind: "found", term, ancestors, mayBeEdited: mayBeEdited(db, name, ext), hasChildren } as const;
      }),
    getExact: async (name, id) => readOnSnapshot(db, () => getPlaced(name, [id])[0]),
    getPlaced: async (name, ids) => readOnSnapshot(db, () => getPlaced(name, ids)),
    getMany: async (name, ids) =>
      readOnSnapshot(db, () => {
        const vocabulary = catalog.vocabularies.get(name);
        if (vocabulary === undefined) return [];
        const generation = getGeneration(name);
        const seen = new Set<number>();
        const found = resolveMany(db, generation, vocabulary, ids).filter(({ row }) => {
          if (seen.has(row.id)) return false;
          seen.add(row.id);
          return true;
        });
        if (generation === undefined || found.length === 0) return [];
        const terms = storedTerms(
          generation,
          name,
          found.map(({ row }) => row),
          cache,
        );
        return found.map(({ id }, i) => ({ id, term: terms[i]! }));
      }),
    version: async () => readOnSnapshot(db, () => termsVersion(db)),
    cite: async (references) => readOnSnapshot(db, () => cite(db, catalog, references, cache)),
    citedNow: async (references) => readOnSnapshot(db, () => citedNow(references, makeTermNow(db, cache))),
    count: async (name) => readOnSnapshot(db, () => getGeneration(name)?.count ?? 0),
    citations: async (vocabulary, id) =>
      readOnSnapshot(db, () => {
        const sql = "SELECT n + drafts FROM use WHERE vocabulary = ? AND ext = ?";
        return db.sql<number>(sql).pluck().get(vocabulary, id) ?? 0;
      }),
    titles: async (name, ids, lang) =>
      readOnSnapshot(db, () => {
        const vocabulary = catalog.vocabularies.get(name);
        const generation = vocabulary && getGeneration(name);
        return generation === undefined ? new Map() : titlesOf({ generation, cache }, vocabulary!, ids, lang);
      }),
    stale: async () => readOnSnapshot(db, () => countStaleTerms(db)),
    ...makeChildReader(db, getGeneration),
    provenance: async (vocabulary, id, limit) =>
      readOnSnapshot(db, () => readProvenance(db, getGeneration(vocabulary), { vocabulary, id, limit })),
  };
}

type GetGeneration = (vocabulary: string) => Generation | undefined;

/** Makes the reader of the children of terms. */
function makeChildReader(
  db: Db,
  getGeneration: GetGeneration,
): Pick<TermReader, "children" | "childIds" | "parentsAmong"> {
  return {
    children: async (vocabulary, id) =>
      readOnSnapshot(db, () => {
        const count = getGeneration(vocabulary)?.sql<number>("SELECT count(*) FROM child_$g WHERE parent = ?");
        return count?.pluck().get(id) ?? 0;
      }),
    childIds: async (vocabulary, id) =>
      readOnSnapshot(db, () => getGeneration(vocabulary)?.sql<string>(SELECT_CHILDREN).pluck().all(id) ?? []),
    parentsAmong: async (vocabulary, ids) =>
      readOnSnapshot(db, () => {
        const child = getGeneration(vocabulary)?.sql(FIND_CHILD);
        return new Set(ids.filter((id) => child?.get(id) !== undefined));
      }),
  };
}

function readProvenance(
  db: Db,
  generation: Generation | undefined,
  term: { readonly vocabulary: string; readonly id: string; readonly limit: number },
): TermProvenance {
  const row = generation && findRow(generation, term.id);
  if (generation === undefined || row === undefined) return { sources: [], formerIds: [] };
  return {
    sources: sourcesIn(db, term.vocabulary, row.sources),
    formerIds: generation.sql<string>(FORMER_IDS).pluck().all(term),
  };
}

function placedTerms(
  generation: Generation,
  vocabulary: Vocabulary,
  ids: readonly string[],
  cache: Cache | undefined,
): readonly TermWithAncestors[] {
  const rows = ids.flatMap((id) => findRow(generation, id) ?? []);
  const terms = storedTerms(generation, vocabulary.name, rows, cache);
  return terms.map((term, i) => ({
    term,
    ancestors: vocabulary.hierarchy ? readAncestors(generation, rows[i]!, cache) : [],
  }));
}

const FIND_CHILD = "SELECT 1 FROM child_$g WHERE parent = ? LIMIT 1";

/**
 * Selects the ids that lead to a term. An id that is a term again leads where the term does; of the others, the
 * redirect of an authority comes before a deletion, see `successorOfGone`.
 */
const FORMER_IDS = `WITH RECURSIVE led(ext) AS (
    SELECT @id
    UNION SELECT t.ext FROM led CROSS JOIN term_$g t ON t.successor = led.ext
    UNION SELECT r.ext FROM led CROSS JOIN redirect r ON r.g = $g AND r.successor = led.ext
      WHERE NOT EXISTS (SELECT 1 FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = r.ext AND t.ext = r.ext)
    UNION SELECT l.ext FROM led CROSS JOIN life l ON l.vocabulary = @vocabulary AND l.successor = led.ext
      WHERE NOT EXISTS (SELECT 1 FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = l.ext AND t.ext = l.ext)
        AND NOT EXISTS (SELECT 1 FROM redirect r WHERE r.g = $g AND r.ext = l.ext))
  SELECT ext FROM led WHERE ext <> @id ORDER BY ext LIMIT @limit`;

const SELECT_CHILDREN = "SELECT t.ext FROM child_$g c JOIN term_$g t ON t.id = c.id WHERE c.parent = ?";

/**
 * Returns terms as clients see them, in the order of the rows; parents have their current titles.
 * @param cache keeps these titles
 */
export function storedTerms(
  generation: Generation,
  vocabulary: string,
  rows: readonly ShownRow[],
  cache?: Cache,
): StoredTerm[] {
  const findTitled = makeTitledTerms({ generation, cache });
  const citationCounts = citedBy(
    generation,
    rows.map(({ ext }) => ext),
  );
  return rows.map((row, i) => ({
    vocabulary,
    id: row.ext,
    revision: row.revision,
    citedBy: citationCounts[i]!,
    json: termJson(row, vocabulary, row.parent === null ? undefined : findTitled(row.parent)?.title),
  }));
}

/** Columns of a term that its representation needs. */
export type ShownRow = Omit<ResolvedRow, "successor">;

type RawRow = [number, string, number, number, string | null, string, string];

const SHOWN_COLUMNS = "t.id, t.ext, t.created, t.revision, t.parent, t.title, t.rest";

/** Returns rows by number in the given order; numbers without a row are left out. */
export function rowsById(generation: Generation, ids: Iterable<number>): ShownRow[] {
  // Reading rows as arrays takes half the time; one statement for all rows is no faster.
  const statement = generation.sql<RawRow>(`SELECT ${SHOWN_COLUMNS} FROM term_$g t WHERE id = ?`).raw();
  const rows: ShownRow[] = [];
  for (const id of ids) {
    const row = statement.get(id);
    if (row !== undefined) rows.push(shownRow(row));
  }
  return rows;
}

/** Returns the existing rows with numbers from `first` on. */
export function rowsSince(generation: Generation, first: number): ShownRow[] {
  return generation.sql<RawRow>(`SELECT ${SHOWN_COLUMNS} FROM term_$g t WHERE id >= ?`).raw().all(first).map(shownRow);
}

function shownRow([id, ext, created, revision, parent, title, rest]: RawRow): ShownRow {
  return { id, ext, created, revision, parent, title, rest };
}

function cite(db: Db, catalog: Catalog, references: readonly TermReference[], cache: Cache | undefined): Citation[] {
  const byVocabulary = new Map<string, Set<string>>();
  for (const { vocabulary, id } of references) {
    const ids = byVocabulary.get(vocabulary) ?? new Set();
    byVocabulary.set(vocabulary, ids.add(id));
  }
  const citations: Citation[] = [];
  for (const [name, ids] of byVocabulary) {
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary === undefined) continue;
    const citedTermsById = citedTerms(db, vocabulary, [...ids], cache);
    for (const [id, term] of citedTermsById) citations.push({ reference: { vocabulary: name, id }, term });
  }
  return citations;
}

/** Returns terms by id in the given order; ids that lead nowhere are left out. Most cited terms are cited often. */
function citedTerms(
  db: Db,
  vocabulary: Vocabulary,
  ids: readonly string[],
  cache: Cache | undefined,
): (readonly [id: string, term: CitedTerm])[] {
  const generation = currentGeneration(db, vocabulary.name);
  const context = generation && cache && { generation, cache };
  const cacheName = (id: string): string => `cited ${id}`;
  const termsById = new Map(ids.map((id) => [id, context && findCachedUntilWrite<CitedTerm>(context, cacheName(id))]));
  const missingIds = ids.filter((id) => termsById.get(id) === undefined);
  if (missingIds.length > 0) {
    for (const { id, row } of resolveMany(db, generation, vocabulary, missingIds)) {
      const term = citedTerm(row, vocabulary.name);
      termsById.set(id, term);
      if (context !== undefined)
        cacheUntilWrite(context, cacheName(id), term, (row.title.length + row.rest.length) * 4);
    }
  }
  return ids.flatMap((id) => {
    const term = termsById.get(id);
    return term === undefined ? [] : [[id, term] as const];
  });
}

function citedNow(references: readonly TermReference[], termNow: FindCitedTerm): AssumedTerm[] {
  return references.map(({ vocabulary, id }) => {
    const term = termNow(vocabulary, id);
    return { vocabulary, id, term };
  });
}

/**
 * Returns the ancestors of a term from the root; within a circle, which single writes can make, those from below the
 * term itself.
 */
function readAncestors(
  generation: Generation,
  { ext, parent }: ResolvedRow,
  cache: Cache | undefined,
): readonly Ancestor[] {
  if (parent === null) return [];
  const lineage = readLineage({ generation, cache }, parent);
  return lineage.slice(lineage.findLastIndex(({ id }) => id === ext) + 1);
}

/** Bytes per term of a lineage, whose texts are cached separately. */
const ANCESTOR_BYTES = 60;

/** Returns the terms from the root to this one, which all terms below it share. */
function readLineage({ generation, cache }: MaybeCached, id: string): readonly Ancestor[] {
  const walk = (): readonly Ancestor[] => {
    const findTitled = makeTitledTerms({ generation, cache });
    const path: Ancestor[] = [];
    // Detects circles.
    const visited = new Set<string>();
    for (let above: string | null = id; above !== null && !visited.has(above); ) {
      visited.add(above);
      const titled = findTitled(above);
      if (titled === undefined) break;
      path.push({ id: above, json: titled.json });
      above = titled.parent;
    }
    return path.reverse();
  };
  if (cache === undefined) return walk();
  return cachedUntilWrite({ generation, cache }, `lineage ${id}`, () => {
    const path = walk();
    return [path, path.length * ANCESTOR_BYTES];
  });
}

/** Number of terms up to which they are looked up one by one; more are read in one statement. */
const ONE_BY_ONE_MAX = 20;

const SELECT_ONE = "SELECT n FROM use WHERE vocabulary = ? AND ext = ?";
const SELECT_SEVERAL = "SELECT u.ext, u.n FROM json_each(?) j CROSS JOIN use u ON u.vocabulary = ? AND u.ext = j.value";

/** Returns for each term, in their order, the number of records whose latest published version cites it. */
export function citedBy({ vocabulary, sql }: Generation, ids: readonly string[]): readonly number[] {
  if (ids.length <= ONE_BY_ONE_MAX) {
    const countById = sql<number>(SELECT_ONE).pluck();
    return ids.map((id) => countById.get(vocabulary, id) ?? 0);
  }
  const rows = sql<readonly [id: string, n: number]>(SELECT_SEVERAL).raw().all(JSON.stringify(ids), vocabulary);
  const counts = new Map(rows);
  return ids.map((id) => counts.get(id) ?? 0);
}
