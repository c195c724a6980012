import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import type { Titles } from "../../../core/term.js";
import type {
  FacetRequest,
  Page,
  SearchIndex,
  SuggestPage,
  TermPage,
  TermSearch,
} from "../../../ports/search-index.js";
import { analyse } from "../../../query/analyse.js";
import type { Db } from "../database.js";
import type { Memory } from "../memory.js";
import { bestSteps, urlRows } from "./best-steps.js";
import { makeCitedRows } from "./cited-rows.js";
import { type Columns, countFacets, facetFilter } from "./count-facets.js";
import { childRows, descendantRows } from "./descend.js";
import { evaluate } from "./evaluate.js";
import { currentGeneration, type Generation, inRead } from "./generation.js";
import { matchTitleStart } from "./match-words.js";
import { looksLikeWords, nearestIds } from "./nearest-terms.js";
import { type CitedAmong, type RowPage, rankedPage, type Step } from "./ranked-page.js";
import { ALL_ROWS, both, intersect, type RowSet, union } from "./row-set.js";
import { sortedPage } from "./sorted-page.js";
import { localPart } from "./term-keys.js";
import { rowsById, storedTerms } from "./term-reader.js";
import { contentOf, titleIn } from "./term-row.js";
import { allRows, makeContext, matchRows, type SearchContext } from "./term-search.js";
import { declared } from "./term-writer.js";
import { readTyped, type Typed } from "./typed-words.js";
import { whatMatched } from "./what-matched.js";

type TermIndex = Pick<SearchIndex, "searchTerms" | "suggestTerms" | "nearestTerms" | "titles">;

export interface TermIndexOptions {
  /** A search that takes longer fails: QUERY_TOO_COSTLY. */
  readonly searchTimeoutMs: number;
  /** Keeps what is read again and again. */
  readonly memory: Memory;
}

export function makeTermIndex(db: Db, catalog: Catalog, { searchTimeoutMs, memory }: TermIndexOptions): TermIndex {
  const citedRows = makeCitedRows(db);
  const columns = makeColumns();
  const inVocabulary = <T>(name: string, without: NoInfer<T>, work: (context: SearchContext) => T): T => {
    const vocabulary = declared(catalog, name);
    return inRead(db, () => {
      const generation = currentGeneration(db, name);
      return generation === undefined ? without : work(makeContext(vocabulary, generation, memory, searchTimeoutMs));
    });
  };
  const parts = (context: SearchContext): SearchParts => ({
    context,
    columns: columns(context.generation),
    cited: citedRows(context.generation),
  });
  return {
    searchTerms: async (search) =>
      inVocabulary(search.vocabulary, EMPTY, (context) => searchTerms(parts(context), search)),
    suggestTerms: async ({ text, ...search }) =>
      inVocabulary(search.vocabulary, EMPTY, (context) => suggest(parts(context), search, readTyped(text))),
    nearestTerms: async (name, id, limit) => inVocabulary(name, [], (context) => nearest(parts(context), id, limit)),
    titles: async (name, ids, lang) =>
      inVocabulary(name, new Map(), ({ generation, vocabulary }) => titlesOf(generation, vocabulary, ids, lang)),
  };
}

const EMPTY = { hits: [], total: 0, facets: [] };

/** Facet columns of the current generation of each vocabulary. */
function makeColumns(): (generation: Generation) => Columns {
  const known = new Map<string, { readonly g: number; readonly columns: Columns }>();
  return ({ vocabulary, g }) => {
    const kept = known.get(vocabulary);
    if (kept?.g === g) return kept.columns;
    const columns: Columns = new Map();
    known.set(vocabulary, { g, columns });
    return columns;
  };
}

interface SearchParts {
  readonly context: SearchContext;
  readonly columns: Columns;
  readonly cited: CitedAmong;
}

interface Asked {
  readonly parent?: string;
  readonly ancestor?: string;
  readonly facets: readonly FacetRequest[];
  readonly lang: string;
  readonly page: Page;
}

function searchTerms(parts: SearchParts, search: TermSearch): TermPage {
  const { context } = parts;
  const { clause, plain, sort } = search;
  const matched = narrow(context, union(evaluate(context, clause), byUrl(context, plain ?? [])), search);
  const rows = filtered(context, matched, search.facets);
  const page =
    sort === "bestmatch"
      ? ranked(parts, rows, bestSteps(context, clause, plain), search.page)
      : sortedPage(context, rows, orderOf(context.vocabulary, sort, search.lang), search.page);
  return { ...answer(parts, matched, rows, search, page), hits: hitsOf(context, page) };
}

/** The items that the words are a URL of: it holds words that the item does not. */
function byUrl(context: SearchContext, words: readonly string[]): RowSet {
  return { ids: urlRows(context, words), except: false };
}

type Order = Parameters<typeof sortedPage>[2];

function orderOf({ languages }: Vocabulary, sort: "newest" | "oldest" | "title", lang: string): Order {
  if (sort !== "title") return { by: sort };
  return { by: "title", lang: languages.includes(lang) ? lang : languages[0]! };
}

function suggest(parts: SearchParts, search: Asked, typed: Typed): SuggestPage {
  const { context } = parts;
  const { vocabulary, generation } = context;
  const words = typed.words.map(({ word }) => word);
  const matched = narrow(context, union(evaluate(context, typed.clause), byUrl(context, words)), search);
  const rows = filtered(context, matched, search.facets);
  const steps = bestSteps(context, typed.clause, words, (among) => titleStart(context, typed, among));
  const page = ranked(parts, rows, steps, search.page);
  const found = rowsById(generation, page.ids);
  const hits = storedTerms(generation, vocabulary.name, found).map((hit, i) => ({
    ...hit,
    matched: whatMatched(contentOf(found[i]!), vocabulary, typed.words, page.steps?.[i] ?? 0, search.lang),
  }));
  return { ...answer(parts, matched, rows, search, page), hits };
}

function titleStart(context: SearchContext, typed: Typed, among: Uint32Array): Uint32Array {
  const words = typed.start.map(({ word }) => word);
  const begun = matchRows(context, "term_fts", matchTitleStart(words, typed.start.at(-1)!.isPrefix));
  const rows = both(among, begun);
  if (!typed.hasInitials || rows.length === 0) return rows;
  return intersect({ ids: rows, except: false }, evaluate(context, typed.clause, "title")).ids;
}

/** Only what lies below the item that is asked for. */
function narrow(
  context: SearchContext,
  rows: RowSet,
  { parent, ancestor }: Pick<Asked, "parent" | "ancestor">,
): RowSet {
  let narrowed = rows;
  if (parent !== undefined) narrowed = intersect(narrowed, childRows(context, parent));
  if (ancestor !== undefined) narrowed = intersect(narrowed, descendantRows(context, ancestor));
  return narrowed;
}

function filtered(context: SearchContext, rows: RowSet, facets: readonly FacetRequest[]): RowSet {
  return facets.reduce((left, facet) => intersect(left, facetFilter(context, facet) ?? ALL_ROWS), rows);
}

function ranked({ context, cited }: SearchParts, rows: RowSet, steps: readonly Step[], page: Page): RowPage {
  const ids = rows.except ? intersect({ ids: allRows(context), except: false }, rows).ids : rows.ids;
  return rankedPage(context.generation, ids, steps, cited, page);
}

function answer(
  { context, columns }: SearchParts,
  matched: RowSet,
  rows: RowSet,
  { facets }: Asked,
  { next }: RowPage,
): Pick<TermPage, "total" | "facets" | "next"> {
  return {
    total: rows.except ? context.generation.count - rows.ids.length : rows.ids.length,
    facets: countFacets(context, matched, facets, columns),
    ...(next === undefined ? {} : { next }),
  };
}

function hitsOf({ generation, vocabulary }: SearchContext, { ids }: RowPage): TermPage["hits"] {
  return storedTerms(generation, vocabulary.name, rowsById(generation, ids));
}

function nearest(parts: SearchParts, id: string, limit: number): { id: string; title: string }[] {
  const { context } = parts;
  const { generation, vocabulary } = context;
  const rows = nearestIds(context, id, limit);
  const typed = readTyped(localPart(id));
  const isName = looksLikeWords(id) && analyse(id).length > 0;
  if (rows.length < limit && isName) {
    const page = { offset: 0, limit };
    const found = suggest(parts, { facets: [], lang: vocabulary.languages[0]!, page }, typed);
    const known = new Set(rowsById(generation, rows).map((row) => row.ext));
    const more = found.hits.filter((hit) => !known.has(hit.id)).map((hit) => hit.id);
    return named(context, [...known, ...more].slice(0, limit));
  }
  return named(
    context,
    rowsById(generation, rows).map((row) => row.ext),
  );
}

function named({ generation, vocabulary }: SearchContext, ids: readonly string[]): { id: string; title: string }[] {
  const titles = titlesOf(generation, vocabulary, ids, vocabulary.languages[0]!);
  return ids.map((id) => ({ id, title: titles.get(id) ?? "" }));
}

function titlesOf(
  generation: Generation,
  vocabulary: Vocabulary,
  ids: readonly string[],
  lang: string,
): Map<string, string> {
  const rows = generation
    .sql<{ ext: string; title: string }>(
      `SELECT t.ext, t.title FROM json_each(?) j JOIN ext_$g e ON e.ext = j.value JOIN term_$g t ON t.id = e.id
       WHERE t.ext = j.value COLLATE BINARY`,
    )
    .all(JSON.stringify(ids));
  return new Map(rows.map(({ ext, title }) => [ext, titleIn(JSON.parse(title) as Titles, lang, vocabulary)]));
}
