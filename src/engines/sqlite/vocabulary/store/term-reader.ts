import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import type { CitedTerm, StoredTerm } from "../../../../core/term.js";
import { citedTerm, itemJson, storedTitles, titleIn } from "../../../../core/terms/term-row.js";
import type { Ancestor, Citation, TermReader, TermReference } from "../../../../ports/store.js";
import type { AssumedTerm } from "../../../../query/index-model/leaves.js";
import type { TermOf } from "../../../../query/index-model/record-leaves.js";
import type { LruCache } from "../../cache/lru-cache.js";
import type { Db } from "../../connection/database.js";
import { citedBy } from "./cited-by.js";
import { currentGeneration, type Generation, inRead, termsVersion } from "./generation.js";
import { findUntilWrite, keepUntilWrite, keptUntilWrite } from "./generation-cache.js";
import { mayBeEdited } from "./history-table.js";
import { findRow } from "./put-row.js";
import { type FoundRow, resolveId, resolveMany } from "./resolve-id.js";
import { staleTerms } from "./stale-terms.js";
import { makeTermNow } from "./term-now.js";
import { type MaybeCached, makeTitledTerms } from "./titled-terms.js";

/** @param cache keeps titles; absent where reads see what may yet be rolled back */
export function makeTermReader(db: Db, catalog: Catalog, cache?: LruCache): TermReader {
  const generationOf = (vocabulary: string): Generation | undefined => currentGeneration(db, vocabulary);
  return {
    get: async (name, id) =>
      inRead(db, () => {
        const vocabulary = catalog.vocabularies.get(name);
        if (vocabulary === undefined) return undefined;
        const generation = generationOf(name);
        const found = resolveId(db, generation, vocabulary, id);
        if (found === undefined || found.kind === "gone") return found;
        if (found.moved) return { kind: "moved", to: found.row.ext } as const;
        const term = storedTerms(generation!, name, [found.row], cache)[0]!;
        const ancestors = vocabulary.hierarchy ? ancestorsOf(generation!, found.row, cache) : [];
        return { kind: "found", term, ancestors, mayBeEdited: mayBeEdited(db, name, found.row.ext) } as const;
      }),
    getExact: async (name, id) =>
      inRead(db, () => {
        const generation = generationOf(name);
        const row = generation && findRow(generation, id);
        if (generation === undefined || row === undefined) return undefined;
        const ancestors = catalog.vocabularies.get(name)?.hierarchy ? ancestorsOf(generation, row, cache) : [];
        return { term: storedTerms(generation, name, [row])[0]!, ancestors };
      }),
    getMany: async (name, ids) =>
      inRead(db, () => {
        const vocabulary = catalog.vocabularies.get(name);
        if (vocabulary === undefined) return [];
        const generation = generationOf(name);
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
        return found.map(({ asked }, i) => ({ asked, term: terms[i]! }));
      }),
    version: async () => inRead(db, () => termsVersion(db)),
    cite: async (references) => inRead(db, () => cite(db, catalog, references, cache)),
    citedNow: async (references) => inRead(db, () => citedNow(references, makeTermNow(db, cache))),
    count: async (name) => inRead(db, () => generationOf(name)?.count ?? 0),
    citations: async (vocabulary, id) =>
      inRead(db, () => {
        const sql = "SELECT n + drafts FROM use WHERE vocabulary = ? AND ext = ?";
        return db.sql<number>(sql).pluck().get(vocabulary, id) ?? 0;
      }),
    titles: async (name, ids, lang) =>
      inRead(db, () => {
        const vocabulary = catalog.vocabularies.get(name);
        const generation = vocabulary && generationOf(name);
        return generation === undefined ? new Map() : titlesOf({ generation, cache }, vocabulary!, ids, lang);
      }),
    stale: async () => inRead(db, () => staleTerms(db)),
    children: async (vocabulary, id) =>
      inRead(db, () => {
        const count = generationOf(vocabulary)?.sql<number>("SELECT count(*) FROM child_$g WHERE parent = ?");
        return count?.pluck().get(id) ?? 0;
      }),
    childIds: async (vocabulary, id) =>
      inRead(db, () => generationOf(vocabulary)?.sql<string>(CHILDREN).pluck().all(id) ?? []),
  };
}

const CHILDREN = "SELECT t.ext FROM child_$g c JOIN term_$g t ON t.id = c.id WHERE c.parent = ?";

/**
 * Terms as clients see them, in the order of the rows; parents carry their present titles.
 * @param cache keeps these titles
 */
export function storedTerms(
  generation: Generation,
  vocabulary: string,
  rows: readonly ShownRow[],
  cache?: LruCache,
): StoredTerm[] {
  const titledOf = makeTitledTerms({ generation, cache });
  const cited = citedBy(
    generation,
    rows.map(({ ext }) => ext),
  );
  return rows.map((row, i) => ({
    vocabulary,
    id: row.ext,
    revision: row.revision,
    citedBy: cited[i]!,
    json: itemJson(row, vocabulary, row.parent === null ? undefined : titledOf(row.parent)?.title),
  }));
}

/** Titles by id; unknown ids are left out. */
export function titlesOf(
  generation: MaybeCached,
  vocabulary: Vocabulary,
  ids: readonly string[],
  lang: string,
): Map<string, string> {
  const titledOf = makeTitledTerms(generation);
  const titles = new Map<string, string>();
  for (const id of ids) {
    const titled = titledOf(id);
    if (titled !== undefined) titles.set(id, titleIn(storedTitles(titled.title, id), lang, vocabulary));
  }
  return titles;
}

/** The columns of an item that an answer is made of. */
export type ShownRow = Omit<FoundRow, "successor">;

type RawRow = [number, string, number, number, string | null, string, string];

const SHOWN = "t.id, t.ext, t.created, t.revision, t.parent, t.title, t.rest";

/** Rows by number, in the order asked; numbers without a row are left out. */
export function rowsById(generation: Generation, ids: Iterable<number>): ShownRow[] {
  // Rows that arrive without names take half the time; one statement for all of them takes no less.
  const statement = generation.sql<RawRow>(`SELECT ${SHOWN} FROM term_$g t WHERE id = ?`).raw();
  const rows: ShownRow[] = [];
  for (const id of ids) {
    const row = statement.get(id);
    if (row !== undefined) rows.push(shownRow(row));
  }
  return rows;
}

/** Rows from `first` on: those that were written since a moment, as far as they are still there. */
export function rowsSince(generation: Generation, first: number): ShownRow[] {
  return generation.sql<RawRow>(`SELECT ${SHOWN} FROM term_$g t WHERE id >= ?`).raw().all(first).map(shownRow);
}

function shownRow([id, ext, created, revision, parent, title, rest]: RawRow): ShownRow {
  return { id, ext, created, revision, parent, title, rest };
}

function cite(db: Db, catalog: Catalog, references: readonly TermReference[], cache: LruCache | undefined): Citation[] {
  const byVocabulary = new Map<string, Set<string>>();
  for (const { vocabulary, id } of references) {
    const ids = byVocabulary.get(vocabulary) ?? new Set();
    byVocabulary.set(vocabulary, ids.add(id));
  }
  const citations: Citation[] = [];
  for (const [name, ids] of byVocabulary) {
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary === undefined) continue;
    const found = citedTerms(db, vocabulary, [...ids], cache);
    for (const [asked, term] of found) citations.push({ asked: { vocabulary: name, id: asked }, term });
  }
  return citations;
}

/** Terms by id, in the order asked; ids that lead nowhere are left out. Most records cite what others cite. */
function citedTerms(
  db: Db,
  vocabulary: Vocabulary,
  ids: readonly string[],
  cache: LruCache | undefined,
): (readonly [asked: string, term: CitedTerm])[] {
  const generation = currentGeneration(db, vocabulary.name);
  const context = generation && cache && { generation, cache };
  const nameOf = (id: string): string => `cited ${id}`;
  const known = new Map(ids.map((id) => [id, context && findUntilWrite<CitedTerm>(context, nameOf(id))]));
  const unread = ids.filter((id) => known.get(id) === undefined);
  if (unread.length > 0) {
    for (const { asked, row } of resolveMany(db, generation, vocabulary, unread)) {
      const term = citedTerm(row, vocabulary.name);
      known.set(asked, term);
      if (context !== undefined) keepUntilWrite(context, nameOf(asked), term, (row.title.length + row.rest.length) * 4);
    }
  }
  return ids.flatMap((id) => {
    const term = known.get(id);
    return term === undefined ? [] : [[id, term] as const];
  });
}

function citedNow(references: readonly TermReference[], termNow: TermOf): AssumedTerm[] {
  return references.map(({ vocabulary, id }) => {
    const term = termNow(vocabulary, id);
    return { vocabulary, id, ...(term === undefined ? {} : { term }) };
  });
}

/** From the root to the parent of an item; in a circle, which single writes can make, from below the item itself. */
function ancestorsOf(
  generation: Generation,
  { ext, parent }: FoundRow,
  cache: LruCache | undefined,
): readonly Ancestor[] {
  if (parent === null) return [];
  const above = lineageOf({ generation, cache }, parent);
  return above.slice(above.findLastIndex(({ id }) => id === ext) + 1);
}

/** Of each of a lineage, whose texts are kept by themselves. */
const ANCESTOR_BYTES = 60;

/** From the root to this item: that of all below it. */
function lineageOf({ generation, cache }: MaybeCached, id: string): readonly Ancestor[] {
  const walk = (): readonly Ancestor[] => {
    const titledOf = makeTitledTerms({ generation, cache });
    const path: Ancestor[] = [];
    // A circle is walked once.
    const seen = new Set<string>();
    for (let above: string | null = id; above !== null && !seen.has(above); ) {
      seen.add(above);
      const titled = titledOf(above);
      if (titled === undefined) break;
      path.push({ id: above, json: titled.json });
      above = titled.parent;
    }
    return path.reverse();
  };
  if (cache === undefined) return walk();
  return keptUntilWrite({ generation, cache }, `lineage ${id}`, () => {
    const path = walk();
    return [path, path.length * ANCESTOR_BYTES];
  });
}
