import type { Catalog } from "../../../core/catalog/types.js";
import type { CitedTerm, StoredTerm, Titles } from "../../../core/term.js";
import type { Ancestor, Citation, TermReader, TermReference } from "../../../ports/store.js";
import type { Db } from "../database.js";
import { currentGeneration, type Generation, inRead } from "./generation.js";
import type { StoredRow } from "./put-row.js";
import { resolveId, resolveMany } from "./resolve-id.js";
import { contentOf, itemJson } from "./term-row.js";
import { termUuid } from "./version.js";

export function makeTermReader(db: Db, catalog: Catalog): TermReader {
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
        const ancestors = vocabulary.hierarchy ? ancestorsOf(generation!, found.row) : [];
        return { kind: "found", term: storedTerms(generation!, name, [found.row])[0]!, ancestors } as const;
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
        );
        return found.map(({ asked }, i) => ({ asked, term: terms[i]! }));
      }),
    cite: async (references) => inRead(db, () => cite(db, catalog, references)),
    count: async (name) => inRead(db, () => generationOf(name)?.count ?? 0),
    citations: async (vocabulary, id) =>
      inRead(db, () => {
        const sql = "SELECT n + drafts FROM use WHERE vocabulary = ? AND ext = ?";
        return db.sql<number>(sql).pluck().get(vocabulary, id) ?? 0;
      }),
  };
}

/** Terms as clients see them, in the order of the rows; parents carry their present titles. */
export function storedTerms(generation: Generation, vocabulary: string, rows: readonly ShownRow[]): StoredTerm[] {
  const parents = new Map<string, string | undefined>();
  const parentTitle = (id: string | null): string | undefined => {
    if (id === null) return undefined;
    if (!parents.has(id)) parents.set(id, titleOf(generation, id));
    return parents.get(id);
  };
  return rows.map((row) => ({
    vocabulary,
    id: row.ext,
    revision: row.revision,
    json: itemJson(row, vocabulary, parentTitle(row.parent)),
  }));
}

/** JSON of the titles of an item. */
export function titleOf(generation: Generation, id: string): string | undefined {
  return generation
    .sql<string>(
      "SELECT t.title FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? AND t.ext = ? COLLATE BINARY",
    )
    .pluck()
    .get(id, id);
}

/** The columns of an item that an answer is made of. */
export type ShownRow = Pick<StoredRow, "id" | "ext" | "created" | "revision" | "parent" | "title" | "rest">;

type RawRow = [number, string, number, number, string | null, string, string];

const SHOWN = "t.id, t.ext, t.created, t.revision, t.parent, t.title, t.rest";

/** Fewer rows are asked for one by one, more in one statement, whose rows arrive without names: half the time. */
const ONE_BY_ONE_MAX = 20;

/** Rows by number, in the order asked; numbers without a row are left out. */
export function rowsById(generation: Generation, ids: Iterable<number>): ShownRow[] {
  const wanted = [...ids];
  if (wanted.length <= ONE_BY_ONE_MAX) {
    const statement = generation.sql<ShownRow>(`SELECT ${SHOWN} FROM term_$g t WHERE id = ?`);
    return wanted.flatMap((id) => statement.get(id) ?? []);
  }
  const rows = generation
    .sql<RawRow>(`SELECT ${SHOWN} FROM json_each(?) j CROSS JOIN term_$g t ON t.id = j.value`)
    .raw()
    .all(JSON.stringify(wanted));
  return rows.map(([id, ext, created, revision, parent, title, rest]) => ({
    id,
    ext,
    created,
    revision,
    parent,
    title,
    rest,
  }));
}

function cite(db: Db, catalog: Catalog, references: readonly TermReference[]): Citation[] {
  const byVocabulary = new Map<string, Set<string>>();
  for (const { vocabulary, id } of references) {
    const ids = byVocabulary.get(vocabulary) ?? new Set();
    byVocabulary.set(vocabulary, ids.add(id));
  }
  const citations: Citation[] = [];
  for (const [name, ids] of byVocabulary) {
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary === undefined) continue;
    for (const { asked, row } of resolveMany(db, currentGeneration(db, name), vocabulary, [...ids])) {
      citations.push({ asked: { vocabulary: name, id: asked }, term: citedTerm(name, row) });
    }
  }
  return citations;
}

function citedTerm(vocabulary: string, row: StoredRow): CitedTerm {
  const content = contentOf(row);
  return {
    vocabulary,
    id: row.ext,
    version: `${termUuid(vocabulary, row.ext)}::${row.revision}`,
    title: content.title,
    props: content.props,
    status: content.status,
    names: (content.synonyms ?? []).map((synonym) => synonym.name),
  };
}

/** From the root to the parent of an item. A circle, which single writes can make, is walked once. */
function ancestorsOf(generation: Generation, { ext, parent }: StoredRow): Ancestor[] {
  const statement = generation.sql<{ id: string; parent: string | null; title: string }>(
    `SELECT t.ext AS id, t.parent, t.title FROM ext_$g e JOIN term_$g t ON t.id = e.id
     WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
  );
  const path: Ancestor[] = [];
  const seen = new Set([ext]);
  let above = parent;
  while (above !== null && !seen.has(above)) {
    seen.add(above);
    const row = statement.get(above, above);
    if (row === undefined) break;
    path.push({ id: row.id, title: JSON.parse(row.title) as Titles });
    above = row.parent;
  }
  return path.reverse();
}
