import type { Actor } from "../../core/actor.js";
import type { TermsBelow, VocabularyHit, VocabularySource } from "../../core/answers/term-answers.js";
import { makeSingleFlight } from "../../core/caches.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { type BinderyError, fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { requireTermWrite } from "../../core/may.js";
import type { CitedTerm, StoredTerm } from "../../core/term.js";
import { structureOf } from "../../core/terms/term-row.js";
import { type Drawing, explainUndrawable } from "../../formats/structure-svg.js";
import type { LoadedDump } from "../../ports/loads.js";
import type { Citation, TermReader, TermReference } from "../../ports/store.js";
import { EVERYTHING } from "../../query/index-model/clause.js";
import { isStale } from "../../query/index-model/indexed-paths.js";
import { isFewEditsAway, isWrittenAsId } from "../../query/ranking/nearest-ids.js";
import type { SearchAnswer, TermHit } from "../api/searches.js";
import type { StructureAnswer, TermAddress, TermAnswer, TermHistoryAnswer } from "../api/vocabularies.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { emptyIfUnavailable } from "../context/index-availability.js";
import { useCase } from "../context/use-case.js";
import { badParameter, makeIssue, valueIfShort } from "../input/issues.js";
import { checkRecordPageSize } from "../input/search-window.js";
import { otherSpellings } from "../search/near-terms.js";

/** Reads a term with its ancestors, or returns the current id of a term that was replaced. */
export const readTerm = useCase(
  { thread: "http" },
  ({ store, catalog, findNearTerms }) =>
    async (name: string, id: string): Promise<TermAnswer> => {
      const vocabulary = findVocabulary(catalog, name);
      const lookup = await store.terms.get(name, id);
      if (lookup === undefined) throw await unknownTermError({ terms: store.terms, findNearTerms }, vocabulary, id);
      if (lookup.kind === "gone") throw fail("TERM_GONE", { vocabulary: name, id });
      if (lookup.kind === "moved") return lookup;
      const { term, ancestors, mayBeEdited, hasChildren } = lookup;
      const edited = mayBeEdited ? await store.history.edited(name, id) : [];
      return { kind: "found", term, ancestors, edited, hasChildren };
    },
);

/**
 * Counts the children of a term in the store, and its descendants in the index.
 * @returns undefined if the vocabulary is flat or the index is unavailable
 */
export const countBelow = useCase(
  { thread: "search" },
  ({ store, catalog, index }) =>
    async (name: string, id: string): Promise<TermsBelow | undefined> => {
      const { hierarchy, languages } = findVocabulary(catalog, name);
      if (!hierarchy) return undefined;
      const children = await store.terms.children(name, id);
      if (children === 0) return { children, all: 0 };
      const page = { offset: 0, limit: 0 };
      const search = { vocabulary: name, clause: EVERYTHING, ancestor: id, facets: [], sort: "title", page } as const;
      const { total: all } = await index.searchTerms({ ...search, lang: languages[0]! }).catch(emptyIfUnavailable);
      return all === undefined ? undefined : { children, all };
    },
);

/** Returns those of some terms that have children. */
export const findParents = useCase(
  { thread: "http" },
  ({ store }) =>
    (name: string, ids: readonly string[]): Promise<ReadonlySet<string>> =>
      store.terms.parentsAmong(name, ids),
);

/**
 * Returns the error for an unknown id. It names the term with another spelling of the id, or similar terms; if the text
 * has the form of an id, only terms whose id differs by few edits.
 */
async function unknownTermError(
  { terms, findNearTerms }: Pick<Deps, "findNearTerms"> & { readonly terms: TermReader },
  vocabulary: Vocabulary,
  id: string,
): Promise<BinderyError> {
  const { name } = vocabulary;
  for (const near of otherSpellings(vocabulary, id)) {
    const lookup = await terms.get(name, near);
    if (lookup === undefined || lookup.kind === "gone") continue;
    const to = lookup.kind === "moved" ? lookup.to : near;
    const message = `Did you mean "${to}"? It is at /api/vocabularies/${name}/${to}.`;
    const issue = makeIssue(["id"], "TERM_UNKNOWN", [message], { value: id, nearest: [to] });
    return fail("TERM_NOT_FOUND", { vocabulary: name, id, issues: [issue] });
  }
  const near = await findNearTerms(name, id);
  const isId = isWrittenAsId(id, vocabulary);
  const [first, ...others] = isId ? near.filter((term) => isFewEditsAway(id, term.id, vocabulary)) : near;
  if (first === undefined) return fail("TERM_NOT_FOUND", { vocabulary: name, id });
  const message = `Did you mean "${first.id}" (${first.title})? It is at /api/vocabularies/${name}/${first.id}.`;
  const nearest = [first, ...others].map((term) => term.id);
  const issue = makeIssue(["id"], "TERM_UNKNOWN", [message], { value: valueIfShort(id), nearest });
  return fail("TERM_NOT_FOUND", { vocabulary: name, id, issues: [issue] });
}

/** Returns terms by id, in the requested order, without repeats. Follows replaced ids; `warnings` has unknown ones. */
export const fetchTerms = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (vocabulary: string, ids: readonly string[]): Promise<SearchAnswer<TermHit>> => {
      findVocabulary(catalog, vocabulary);
      if (ids.length > LIMITS.idsMax) {
        throw badParameter(
          "ids",
          `At most ${LIMITS.idsMax} ids can be fetched at once, not ${ids.length}.`,
          ids.length,
        );
      }
      const terms = await store.terms.getMany(vocabulary, ids);
      const resolvedIds = new Set(terms.map(({ id }) => id));
      const warnings: Warning[] = [];
      for (const id of new Set(ids)) {
        if (resolvedIds.has(id)) continue;
        // `getMany` returns a term once, even if several ids lead to it.
        const lookup = await store.terms.get(vocabulary, id);
        if (lookup !== undefined && lookup.kind !== "gone") continue;
        const message = `The vocabulary ${vocabulary} has no term "${id}".`;
        warnings.push({ code: "UNKNOWN_ID", message, parameter: "ids", value: id });
      }
      const hits = terms.map(({ term }) => term);
      const query = { parsed: "", fallback: false };
      return { hits, total: hits.length, size: LIMITS.idsMax, sortBy: "ids", query, warnings };
    },
);

/** Returns terms with exactly these ids, also replaced ones, in the order of the ids. Unknown ids are left out. */
export const fetchExactTerms = useCase(
  { thread: "http" },
  ({ store }) =>
    async (vocabulary: string, ids: readonly string[]): Promise<readonly StoredTerm[]> =>
      (await store.terms.getPlaced(vocabulary, ids)).map(({ term }) => term),
);

/** Returns the successors of the replaced terms among some references. */
export const findSuccessors = useCase(
  { thread: "http" },
  ({ store }) =>
    async (
      references: readonly TermReference[],
    ): Promise<readonly (Pick<Citation, "reference"> & { readonly successor: Pick<CitedTerm, "id" | "title"> })[]> => {
      const cited = await store.terms.cite(references);
      return cited
        .filter(({ reference, term }) => reference.id.toLowerCase() !== term.id.toLowerCase())
        .map(({ reference, term: { id, title } }) => ({ reference, successor: { id, title } }));
    },
);

/** Lists the changes of a term, newest first. It names users, so only curators may use it. */
export const readTermHistory = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (
      actor: Actor,
      { vocabulary: name, id }: TermAddress,
      { page = 1, size: requestedSize = LIMITS.pageSizeDefault }: { readonly page?: number; readonly size?: number },
    ): Promise<TermHistoryAnswer> => {
      const vocabulary = findVocabulary(catalog, name);
      requireTermWrite(actor, vocabulary, "read the history of");
      const size = checkRecordPageSize(requestedSize);
      const { entries, total } = await store.history.list(name, id, { offset: (page - 1) * size, limit: size });
      const exists = total > 0 || (await store.terms.getExact(name, id)) !== undefined;
      if (!exists) {
        const isGone = (await store.terms.get(name, id))?.kind === "gone";
        throw isGone ? fail("TERM_GONE", { vocabulary: name, id }) : fail("TERM_NOT_FOUND", { vocabulary: name, id });
      }
      return { entries, total, size };
    },
);

/** Lists all vocabularies, alphabetically by name. */
export const listVocabularies = useCase(
  // It counts stale records.
  { thread: "search" },
  ({ store, index, catalog, authorities, live }) => {
    const countStale = async (...vocabularies: readonly string[]): Promise<number | undefined> => {
      const scope = { kind: "public", models: [...catalog.models.keys()] } as const;
      const search = { clause: isStale(vocabularies), scope, facets: [], sort: "newest" } as const;
      return (await index.searchRecords({ ...search, page: { offset: 0, limit: 0 } }).catch(emptyIfUnavailable)).total;
    };
    return async (): Promise<readonly VocabularyHit[]> => {
      const dumps = await store.dumps.list();
      // Usually no record is stale, so one search is enough.
      const allStale = await countStale(...catalog.vocabularies.keys());
      const hits: VocabularyHit[] = [];
      for (const vocabulary of catalog.vocabularies.values()) {
        const loaded = dumps.filter((dump) => dump.vocabulary === vocabulary.name);
        const stale = allStale === 0 ? 0 : allStale && (await countStale(vocabulary.name));
        hits.push({
          id: vocabulary.name,
          title: vocabulary.title,
          description: vocabulary.description,
          authority: vocabulary.authority,
          count: await store.terms.count(vocabulary.name),
          stale,
          id_pattern: vocabulary.idPattern,
          extensible: vocabulary.extensible,
          lookup: live.has(vocabulary.authority ?? "") ? vocabulary.authority : undefined,
          sources: loaded.length === 0 ? undefined : loaded.map((dump) => vocabularySource(dump, authorities)),
        });
      }
      return hits;
    };
  },
);

/** Describes the dump of an authority that was loaded last. */
export function vocabularySource(
  { authority, release, file, sha256, loaded }: LoadedDump,
  authorities: Deps["authorities"],
): VocabularySource {
  // This version of the program may no longer know an authority whose dump was loaded earlier.
  const { title = authority, url = "", licence = "" } = authorities.get(authority) ?? {};
  return { authority, title, url, licence, release, file, sha256, loaded };
}

/**
 * Draws the structure of a term in its current state. The `caller` of the request takes turns with other callers. A
 * replaced term with the requested `revision` is drawn itself, because records that cite it show its structure.
 * @throws STRUCTURE_NOT_FOUND
 */
export const drawStructure = useCase(
  // It reads the term; a thread of its own draws (`start-drawing.ts`).
  { thread: "http" },
  (deps) => {
    const read = readTerm.make(deps);
    const drawings = makeDrawings(deps);
    return async (name: string, id: string, caller?: string, revision?: number): Promise<StructureAnswer> => {
      const vocabulary = findVocabulary(deps.catalog, name);
      const answer = await read(name, id);
      const exact = answer.kind === "moved" ? await deps.store.terms.getExact(name, id) : answer;
      if (answer.kind === "moved" && (revision === undefined || exact?.term.revision !== revision)) return answer;
      const { term } = exact!;
      const missing = (reason: string) => fail("STRUCTURE_NOT_FOUND", { vocabulary: name, id: term.id, reason });
      const structure = structureOf(vocabulary, term);
      if (vocabulary.structure === undefined) throw missing("this vocabulary declares no structures");
      if (structure === undefined) throw missing(`it has no text in "${vocabulary.structure}"`);
      const { text } = structure;
      const refusal = explainUndrawable(text);
      if (refusal !== undefined) throw missing(refusal);
      const drawing = await drawings(text, caller);
      if ("reason" in drawing) throw missing(drawing.reason);
      return { kind: "drawn", svg: drawing.svg, revision: structure.revision };
    };
  },
);

/**
 * Caches drawings by their SMILES, also those that failed: these for a limited time, because a busy machine may be the
 * cause. Concurrent requests for one structure draw it once.
 *
 * @param retryMs how long a failure is remembered
 */
export function makeDrawings(
  { draw, caches }: Pick<Deps, "draw" | "caches">,
  retryMs = LIMITS.structureRetryMinutes * 60_000,
): Deps["draw"] {
  const cache = caches.open("drawings");
  const once = makeSingleFlight();
  return async (smiles, caller) =>
    cache.get<Drawing>(smiles) ??
    once(smiles, async () => {
      const drawing = await draw(smiles, caller);
      if ("reason" in drawing) cache.set(smiles, drawing, 2 * drawing.reason.length, retryMs);
      else cache.set(smiles, drawing, 2 * drawing.svg.length);
      return drawing;
    });
}
