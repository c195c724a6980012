import type { Vocabulary } from "../../core/catalog/types.js";
import { type BinderyError, fail } from "../../core/errors.js";
import type { TermReader } from "../../ports/store.js";
import { EVERYTHING } from "../../query/index-model/clauses.js";
import { isFewEditsAway, isWrittenAsId } from "../../query/ranking/nearest-ids.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { emptyIfUnavailable } from "../context/no-hits.js";
import { makeIssue } from "../input/issues.js";
import { shownValue } from "../rules/shown.js";
import { otherSpellings } from "../search/near-terms.js";

/** Reads an item with its ancestors, or returns the current id of an item that moved. */
export function makeReadTerm({ store, catalog, findNearTerms }: Deps): VocabularyServices["readTerm"] {
  return async (name, id) => {
    const vocabulary = findVocabulary(catalog, name);
    const found = await store.terms.get(name, id);
    if (found === undefined) throw await unknownTerm({ terms: store.terms, findNearTerms }, vocabulary, id);
    if (found.kind === "gone") throw fail("TERM_GONE", { vocabulary: name, id });
    if (found.kind === "moved") return found;
    const { term, ancestors, mayBeEdited } = found;
    const edited = mayBeEdited ? await store.history.edited(name, id) : [];
    const hasChildren = vocabulary.hierarchy && (await store.terms.children(name, id)) > 0;
    return { kind: "found", term, ancestors, edited, hasChildren };
  };
}

/** Counts the children of an item in the store, and all items below it in the index. */
export function makeCountBelow({ store, catalog, index }: Deps): VocabularyServices["countBelow"] {
  return async (name, id) => {
    const { hierarchy, languages } = findVocabulary(catalog, name);
    if (!hierarchy) return undefined;
    const children = await store.terms.children(name, id);
    if (children === 0) return { children, all: 0 };
    const page = { offset: 0, limit: 0 };
    const search = { vocabulary: name, clause: EVERYTHING, ancestor: id, facets: [], sort: "title", page } as const;
    const { total: all } = await index.searchTerms({ ...search, lang: languages[0]! }).catch(emptyIfUnavailable);
    return all === undefined ? undefined : { children, all };
  };
}

/**
 * Returns the error for an unknown id. It names the term with another spelling of the id, or similar terms; if the text
 * has the form of an id, only terms whose id is few edits away.
 */
async function unknownTerm(
  { terms, findNearTerms }: Pick<Deps, "findNearTerms"> & { readonly terms: TermReader },
  vocabulary: Vocabulary,
  id: string,
): Promise<BinderyError> {
  const { name } = vocabulary;
  for (const near of otherSpellings(vocabulary, id)) {
    const found = await terms.get(name, near);
    if (found === undefined || found.kind === "gone") continue;
    const to = found.kind === "moved" ? found.to : near;
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
  const issue = makeIssue(["id"], "TERM_UNKNOWN", [message], { value: shownValue(id), nearest });
  return fail("TERM_NOT_FOUND", { vocabulary: name, id, issues: [issue] });
}
