import type { MoleculeContent } from "../../core/answers/molecule-answers.js";
import type { Model } from "../../core/catalog/types.js";
import { type IdentifiedMolecule, moleculesIn } from "../../core/citable/molecules.js";
import { valuesAt } from "../../core/citable/values-at.js";
import { BinderyError, fail } from "../../core/errors.js";
import { isObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { moleculeId } from "../../core/pasted-identifiers.js";
import { type RecordBody, type StoredRecord, storedBody } from "../../core/record.js";
import { startSlices } from "../../core/slices.js";
import type { PageWindow, RecordPage, RecordScope, RecordSearch, SearchIndex } from "../../ports/search-index.js";
import {
  andClauses,
  type Clause,
  NOTHING,
  notClause,
  orClauses,
  phraseClause,
  valueClause,
} from "../../query/index-model/clause.js";
import { analyse } from "../../query/text/analyse.js";
import type { MoleculeAnswer } from "../api/searches.js";
import type { Deps } from "../context/deps.js";
import { emptyIfUnavailable, makeRequestIndex } from "../context/index-availability.js";
import { useCase } from "../context/use-case.js";
import { makeIssue } from "../input/issues.js";
import { facetRequests, makeAggregations, makeRecordFacets } from "./facets.js";
import { MoleculeSummary, type Successors } from "./molecule-summary.js";

/** Number of records that are read at once. */
const BATCH = 200;

/** Maximum length of the texts of records that are parsed together. A longer record is parsed alone. */
const PORTION_LENGTH_MAX = 8 * 1024 * 1024;

/**
 * Reads a molecule: what the published records with one of its ids say about it. They are those that a search for the
 * id finds.
 */
export const readMolecule = useCase({ thread: "search" }, (deps) => {
  const { catalog, store } = deps;
  const models = [...catalog.models.values()];
  const scope: RecordScope = { kind: "public", models: models.map(({ name }) => name) };
  const shownFacets = new Set(models.flatMap(({ page }) => page.facets));
  const facetsOf = makeRecordFacets(catalog);
  return async (text: string, lang: string): Promise<MoleculeAnswer> => {
    const id = moleculeId(text);
    if (id === undefined) throw await unknownMolecule(deps, scope, text);
    const successor = await successorOf(deps, models, id);
    if (successor !== undefined) return { kind: "moved", to: successor };
    const index = makeRequestIndex(deps.index, true);
    const facets = facetsOf(undefined, false).filter(({ name }) => shownFacets.has(name));
    const request = { filters: {}, facetSize: LIMITS.facetBucketsDefault, lang };
    const search = { clause: moleculeClause(models, id), scope, sort: "newest" } as const;
    let page = await searchPage(index, { ...search, facets: facetRequests(facets, request) }, null);
    const { total, facets: counts } = page;
    if (total === 0) throw await unknownMolecule(deps, scope, id);
    if (id !== text) return { kind: "moved", to: id };
    const slices = startSlices();
    const summary = new MoleculeSummary(id, catalog);
    for (;;) {
      for (const hits of portions(page.hits)) {
        const bodies: RecordBody[] = [];
        for (const hit of hits) {
          await slices.pause();
          bodies.push(storedBody(hit));
        }
        const successors = await readSuccessors(deps, bodies);
        for (const body of bodies) {
          await slices.pause();
          summary.add(body, successors);
        }
      }
      if (page.next === undefined || summary.read >= LIMITS.moleculeRecordsMax) break;
      page = await searchPage(index, { ...search, facets: [] }, page.next);
    }
    const aggregations = (await makeAggregations(store.terms, facets, counts, request)) ?? {};
    const term = await termOf(deps, models, id);
    return {
      kind: "molecule",
      molecule: { ...summary.content(), records: total, aggregations, term },
      behind: index.answerFlags(false).behind,
    };
  };
});

/** Reads the next records in the order of a search: fewer of them if they are too long for one answer. */
export async function searchPage(
  index: Pick<SearchIndex, "searchRecords">,
  search: Omit<RecordSearch, "page">,
  after: Extract<PageWindow, { readonly after: unknown }>["after"],
  size = BATCH,
): Promise<RecordPage> {
  for (let limit = size; ; limit = Math.ceil(limit / 4)) {
    try {
      return await index.searchRecords({ ...search, page: { after, limit } });
    } catch (error) {
      if (limit === 1 || !(error instanceof BinderyError && error.code === "ANSWER_TOO_LARGE")) throw error;
    }
  }
}

/** Splits records into lists of limited length, because the bodies of one list are in memory at once. */
function* portions(hits: readonly StoredRecord[]): Generator<readonly StoredRecord[]> {
  let [portion, length]: [StoredRecord[], number] = [[], 0];
  for (const hit of hits) {
    if (portion.length > 0 && length + hit.json.length > PORTION_LENGTH_MAX) {
      yield portion;
      [portion, length] = [[], 0];
    }
    portion.push(hit);
    length += hit.json.length;
  }
  yield portion;
}

/**
 * Finds published records of some molecules, each given by its ids: first those that have all of them, then those that
 * have any, the newest first. `not` is the parent of the record that is left out.
 */
export const findRecordsOfMolecules = useCase({ thread: "search" }, (deps) => {
  const models = [...deps.catalog.models.values()];
  const scope: RecordScope = { kind: "public", models: models.map(({ name }) => name) };
  return async (
    molecules: readonly (readonly string[])[],
    { not, size }: { readonly not: string; readonly size: number },
  ): Promise<{ readonly records: readonly StoredRecord[]; readonly behind?: number | undefined }> => {
    const index = makeRequestIndex(deps.index, true);
    const others = notClause(valueClause(["parent.id"], not));
    const clauses = molecules.map((ids) => orClauses(ids.map((id) => moleculeClause(models, id))));
    const records = new Map<string, StoredRecord>();
    for (const clause of clauses.length > 1 ? [andClauses(clauses), orClauses(clauses)] : clauses) {
      if (records.size >= size) break;
      const search = { clause: andClauses([clause, others]), scope, facets: [], sort: "newest" } as const;
      const page = { offset: 0, limit: size };
      const found = await index.searchRecords({ ...search, page }).catch(emptyIfUnavailable);
      for (const hit of found.hits) records.set(hit.id, hit);
    }
    return { records: [...records.values()].slice(0, size), behind: index.answerFlags(false).behind };
  };
});

/** Returns the clause of the records that have an id of a molecule. */
function moleculeClause(models: Iterable<Model>, id: string): Clause {
  const paths = new Set(
    [...models].flatMap(({ molecules: list }) => (list ? [list.leaf.path, list.otherLeaf.path] : [])),
  );
  return paths.size === 0 ? NOTHING : valueClause([...paths], id);
}

/** Vocabularies whose ids are ids of molecules. */
const vocabulariesOf = (models: readonly Model[]): readonly string[] => [
  ...new Set(models.flatMap(({ molecules }) => molecules?.ids.flatMap(({ vocabulary }) => vocabulary ?? []) ?? [])),
];

async function successorOf({ store }: Deps, models: readonly Model[], id: string): Promise<string | undefined> {
  const cited = await store.terms.cite(vocabulariesOf(models).map((vocabulary) => ({ vocabulary, id })));
  return cited.find(({ term }) => term.id.toLowerCase() !== id.toLowerCase())?.term.id;
}

/** Returns the term with an id of a molecule. */
async function termOf({ store }: Deps, models: readonly Model[], id: string): Promise<MoleculeContent["term"]> {
  for (const vocabulary of vocabulariesOf(models)) {
    if ((await store.terms.get(vocabulary, id))?.kind === "found") return { vocabulary, id };
  }
  return undefined;
}

/** Returns the successors of the replaced terms that some records cite as molecules. */
async function readSuccessors({ store, catalog }: Deps, bodies: readonly RecordBody[]): Promise<Successors> {
  const cited = new Map<string, NonNullable<IdentifiedMolecule["term"]>>();
  for (const { model, metadata } of bodies) {
    const { molecules } = catalog.models.get(model)!;
    const objects = molecules === undefined ? [] : valuesAt({ metadata }, molecules.path).filter(isObject);
    const terms = objects.flatMap((object) => moleculesIn(object, molecules!.ids).flatMap(({ term }) => term ?? []));
    for (const term of terms) cited.set(`${term.vocabulary} ${term.id}`, term);
  }
  const current = await store.terms.cite([...cited.values()]);
  return new Map(current.map(({ reference, term }) => [reference.id, term.id]));
}

/** Returns the error for a text that is no id of a molecule of a published record. It names similar molecules. */
async function unknownMolecule(deps: Deps, scope: RecordScope, text: string): Promise<BinderyError> {
  const near = (await findSimilar(deps, scope, text)).slice(0, LIMITS.nearestMax);
  const [field] = [...deps.catalog.models.values()].flatMap(({ molecules }) => molecules?.name ?? []);
  const message =
    near.length === 0
      ? `An id has the prefix of its register, such as ${ID_EXAMPLES}.` +
        (field === undefined ? "" : ` Search for a name with q=${field}:<name>.`)
      : `Similar ones are ${near.map(({ id, name }) => `"${id}" (${name ?? id})`).join(", ")}.`;
  const nearest = near.map(({ id }) => id);
  const issue = makeIssue(["id"], "MOLECULE_UNKNOWN", [message], {
    value: text,
    ...(nearest.length === 0 ? {} : { nearest }),
  });
  return fail("MOLECULE_NOT_FOUND", { id: text, issues: [issue] });
}

const ID_EXAMPLES = "uniprot:P00698, pdb:1LYZ, chebi:17790, cid:962 or inchikey:<key>";

/** Maximum numbers of words of an unknown id, of records read for it, and of searches with similar words. */
const WORDS_MAX = 8;
const RECORDS_MAX = 20;
const SEARCHES_MAX = 4;

/** Maximum number of similar words that are tried for one word. */
const NEAR_WORDS_MAX = 2;

/**
 * Finds molecules of published records whose name or id has all words of a text, or all but one and a similar word
 * instead of it.
 */
async function findSimilar(
  { index, catalog }: Pick<Deps, "index" | "catalog">,
  scope: RecordScope,
  text: string,
): Promise<readonly IdentifiedMolecule[]> {
  const models = [...catalog.models.values()];
  const place = { in: "paths", paths: [...new Set(models.flatMap(pathsOfMolecules))] } as const;
  const words = analyse(text).slice(0, WORDS_MAX);
  if (words.length === 0 || place.paths.length === 0) return [];
  const find = async (searched: readonly string[]): Promise<readonly IdentifiedMolecule[]> => {
    const clause = andClauses(searched.map((word) => phraseClause([word], place)));
    const page = { offset: 0, limit: RECORDS_MAX };
    const found = await index.searchRecords({ clause, scope, facets: [], sort: "newest", page }).catch(emptyIfTooLarge);
    return [...moleculesWith(searched, found.hits, catalog.models).values()];
  };
  const exact = await find(words);
  if (exact.length > 0) return exact;
  let searches = 0;
  // An id ends with the part that is most likely to be wrong.
  for (const [at, word] of [...words.entries()].reverse()) {
    for (const near of await index.nearestWords({ in: "records" }, word, NEAR_WORDS_MAX)) {
      if (searches++ === SEARCHES_MAX) return [];
      const similar = await find(words.with(at, near));
      if (similar.length > 0) return similar;
    }
  }
  return [];
}

/** Returns the paths of the names and ids of the molecules of a model, and of their parts. */
function pathsOfMolecules({ molecules, fields, leaves }: Model): readonly string[] {
  if (molecules === undefined) return [];
  const ids = molecules.ids.map(({ path, vocabulary }) =>
    vocabulary === undefined ? `${molecules.path}.${path}` : `${molecules.path}.${path}.id`,
  );
  const names = fields.get(molecules.name)?.morePaths ?? [];
  return [...ids, ...names].filter((path) => leaves.has(path));
}

/** Returns the molecules of some records whose names and ids have all of some words, by id. */
function moleculesWith(
  words: readonly string[],
  records: readonly StoredRecord[],
  models: ReadonlyMap<string, Model>,
): ReadonlyMap<string, IdentifiedMolecule> {
  const found = new Map<string, IdentifiedMolecule>();
  for (const { model, metadata } of records.map(storedBody)) {
    const { molecules } = models.get(model)!;
    const objects = molecules === undefined ? [] : valuesAt({ metadata }, molecules.path).filter(isObject);
    for (const molecule of objects.flatMap((object) => moleculesIn(object, molecules!.ids))) {
      const known = new Set(analyse(`${molecule.name ?? ""} ${molecule.id}`));
      if (words.every((word) => known.has(word)) && !found.has(molecule.id)) found.set(molecule.id, molecule);
    }
  }
  return found;
}

/** Returns no hits for records that are too large for one answer, or if there is no index. @throws any other error */
function emptyIfTooLarge(error: unknown): Pick<RecordPage, "hits"> {
  if (error instanceof BinderyError && error.code === "ANSWER_TOO_LARGE") return { hits: [] };
  return emptyIfUnavailable(error);
}
