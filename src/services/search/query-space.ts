/** The names, values and hits that a query can refer to, for the published records of models or for a vocabulary. */
import type { ListedField } from "../../core/answers/models.js";
import { fieldsAt, listFields } from "../../core/catalog/list-fields.js";
import type { Leaf, Model, Vocabulary } from "../../core/catalog/types.js";
import { readNamedKey } from "../../core/citable/molecules.js";
import type { Json } from "../../core/json.js";
import type { StoredRecord } from "../../core/record.js";
import { startSlices } from "../../core/slices.js";
import type { Units } from "../../core/units/units.js";
import type { FacetCounts, FacetRequest } from "../../ports/search-index.js";
import type { Names } from "../../query/complete/completions.js";
import { type FieldLookup, recordFields, termFields } from "../../query/fields/field-lookup.js";
import { declaredDimensions, type SearchField } from "../../query/fields/field-meanings.js";
import { andClauses, type Clause, orClauses, phraseClause } from "../../query/index-model/clause.js";
import type { ListedKeys } from "../../query/index-model/list-buckets.js";
import { parseQuery } from "../../query/parse/parse.js";
import { printQuery } from "../../query/parse/print.js";
import type { QueryNode } from "../../query/parse/tree.js";
import { resolveQuery } from "../../query/resolve/resolve.js";
import { analyse } from "../../query/text/analyse.js";
import type { Deps } from "../context/deps.js";
import { isTooSlow } from "../context/index-availability.js";
import { peopleIn } from "./complete-value.js";
import { makeRecordFacets, makeTermFacets, type SearchedFacet, valueRequests } from "./facets.js";
import { searchPage } from "./read-molecule.js";

/** The fields, facets and searches of a query space. */
export interface QuerySpace extends Names {
  readonly facets: readonly SearchedFacet[];
  /** Facets whose values complete plain words: those of molecules, then those of terms that a search shows first. */
  readonly mainFacets: readonly SearchedFacet[];
  /** The field with most places of people. Absent: no field has people. */
  readonly people?: { readonly id: string; readonly label: string; readonly field: SearchField } | undefined;
  /** Returns the vocabularies whose terms a field has as values. */
  citedVocabularies(field: SearchField): readonly string[];
  /** Returns the values that the schema of a field lists; empty if it lists none. */
  declaredValues(field: SearchField): readonly Json[];
  count(clause: Clause): Promise<number>;
  /** Returns the most frequent keys of a facet over everything in this space. @param listed only these keys */
  frequentKeys(facet: SearchedFacet, size: number, listed?: ListedKeys): Promise<FacetCounts["buckets"]>;
  /** Returns the words of the id and the name in a key of `namedKey`. They are cached. */
  wordsOfKey(key: string): readonly string[];
  /** Returns the newest records that match; fewer if they are too long for one answer. Empty for terms. */
  newest(clause: Clause, size: number): Promise<readonly StoredRecord[]>;
  /**
   * Returns the number of records that state a quantity in each unit, by name of the unit. They are counted again after
   * ten minutes, because they only order completions.
   */
  unitUse(field: SearchField): Promise<ReadonlyMap<string, number>>;
}

const EVERYTHING: Clause = { kind: "everything" };
const NO_HITS = { offset: 0, limit: 0 } as const;

/** Makes the space of the published records of one model, or of several. */
export function makeRecordSpace({ index, catalog, getFieldTree, clock }: Deps, models: readonly Model[]): QuerySpace {
  const fields = recordFields(models, catalog.vocabularies.values());
  const listed = listFields(models);
  const model = models.length === 1 ? models[0]!.name : undefined;
  const facets = makeRecordFacets(catalog)(model, false);
  const sites = models.flatMap((model) => model.termSites);
  const scope = { kind: "public", models: models.map(({ name }) => name) } as const;
  const search = (clause: Clause, facets: readonly FacetRequest[]) =>
    index.searchRecords({ clause, scope, sort: "newest", page: NO_HITS, facets });
  const count = async (clause: Clause): Promise<number> => (await search(clause, [])).total;
  const describedAt = (path: string) => models.flatMap((model) => fieldsAt(getFieldTree(model), path));
  const isDeclared = ({ id }: { readonly id: string }): boolean => models.some((model) => model.fields.has(id));
  return {
    fields,
    // Fields that every record has come last, because they are rarely searched.
    known: [...listed.filter(isDeclared), ...listed.filter((field) => !isDeclared(field))],
    fieldLabel: (name, { meanings }) => {
      const lower = name.toLowerCase();
      const path = (meanings.find(({ leaves }) => leaves.length > 0) ?? meanings[0])?.path ?? "";
      // In a group, the name may belong to another field.
      const short = listed
        .filter(({ id }) => fields.find(id)?.meanings.some((meaning) => meaning.path === path))
        .find(({ id, aliases }) => id === lower || aliases.includes(lower) || describedAt(path).length === 0);
      return short?.label ?? (describedAt(path)[0]?.title || lastStep(path));
    },
    facets,
    mainFacets: mainFacets(facets, models),
    people: fieldOfPeople(listed.filter(isDeclared), fields),
    citedVocabularies: ({ meanings }) => {
      const cited = new Set(meanings.flatMap((meaning) => meaning.sites));
      return [...new Set(sites.flatMap(({ path, vocabulary }) => (cited.has(path) ? [vocabulary] : [])))];
    },
    declaredValues: ({ meanings }) => {
      const paths = new Set(meanings.flatMap(({ path, isLeaf }) => (isLeaf ? [path] : [])));
      if (paths.has("model")) return scope.models;
      return [...new Set([...paths].flatMap(describedAt).flatMap(allowedValues))];
    },
    count,
    frequentKeys: async (facet, size, listed) => {
      const requests = valueRequests(facet, size).map((request) => ({ ...request, listed }));
      return (await search(EVERYTHING, requests)).facets[0]?.buckets ?? [];
    },
    wordsOfKey: makeKeyWords(),
    newest: async (clause, size) =>
      (await searchPage(index, { clause, scope, facets: [], sort: "newest" }, null, size)).hits,
    unitUse: makeUnitUse(fields.units, count, clock),
  };
}

/** Maximum number of keys of names whose words are cached. */
const KEY_WORDS_MAX = 20_000;

/** Makes `QuerySpace.wordsOfKey`. */
function makeKeyWords(): QuerySpace["wordsOfKey"] {
  const cache = new Map<string, readonly string[]>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const { id, name } = readNamedKey(key);
    const words = [...new Set([...analyse(name), ...analyse(id)])];
    if (cache.size === KEY_WORDS_MAX) cache.clear();
    cache.set(key, words);
    return words;
  };
}

/** Returns the facets of molecules, then those of terms among the filters that searches show first. */
function mainFacets(facets: readonly SearchedFacet[], models: readonly Model[]): readonly SearchedFacet[] {
  const filters = [...new Set(models.flatMap(({ page }) => page.filters))];
  const ofMolecules = facets.filter(({ namePaths }) => namePaths !== undefined);
  const shown = filters.flatMap((name) => facets.find((facet) => facet.name === name) ?? []);
  return [...ofMolecules, ...shown.filter(({ vocabularies }) => vocabularies.length > 0)];
}

function fieldOfPeople(listed: readonly ListedField[], fields: FieldLookup): QuerySpace["people"] {
  const having = listed.flatMap(({ id, label }) => {
    const field = fields.find(id);
    const places = field === undefined ? 0 : peopleIn({ fields }, field).length;
    return field === undefined || places === 0 ? [] : [{ id, label, field, places }];
  });
  const [most] = having.toSorted((a, b) => b.places - a.places);
  return most;
}

const UNIT_USE_MICROS = 600_000_000;

/** Makes `QuerySpace.unitUse`. */
function makeUnitUse(units: Units, count: QuerySpace["count"], clock: Deps["clock"]): QuerySpace["unitUse"] {
  const cache = new Map<string, { readonly at: number; readonly use: Promise<ReadonlyMap<string, number>> }>();
  const countUnits = async (stated: readonly Leaf[], dimensions: ReadonlySet<string>) => {
    const use = new Map<string, number>();
    for (const { name, dimension } of units.units.values()) {
      if (!dimensions.has(dimension)) continue;
      use.set(name, await count(orClauses(stated.map((leaf) => statedIn(leaf, name)))));
    }
    return use;
  };
  return async ({ meanings }) => {
    const leaves = [
      ...new Map(meanings.flatMap((meaning) => meaning.leaves.map((leaf) => [leaf.path, leaf]))).values(),
    ];
    const stated = leaves.filter(({ quantity }) => quantity !== undefined && quantity.isDerived !== true);
    const key = stated.map(({ path }) => path).join(" ");
    const cached = cache.get(key);
    const now = clock.nowMicros();
    if (cached !== undefined && now - cached.at < UNIT_USE_MICROS) return cached.use;
    // Key presses at the same time share one count.
    const use = countUnits(stated, new Set(declaredDimensions(meanings)));
    if (cache.size === UNIT_USES_MAX) cache.clear();
    cache.set(key, { at: now, use });
    use.catch(() => cache.delete(key));
    return use;
  };
}

/** Maximum number of cached answers: one for each field with units. */
const UNIT_USES_MAX = 1_000;

/** Returns the clause of a number with a unit. */
function statedIn({ path, elementPath }: Leaf, unit: string): Clause {
  const unitPath = `${path.slice(0, path.lastIndexOf("."))}.unit`;
  const place = { in: "paths", paths: [unitPath] } as const;
  const clause = andClauses([{ kind: "exists", paths: [path] }, phraseClause(analyse(unit), place)]);
  return elementPath === "" || clause.kind === "nothing" ? clause : { kind: "element", path: elementPath, of: clause };
}

const lastStep = (path: string): string => path.slice(path.lastIndexOf(".") + 1).replaceAll("_", " ");

function allowedValues({ types, allowed }: { readonly types: readonly string[]; readonly allowed?: readonly Json[] }) {
  return allowed ?? (types.includes("boolean") ? [true, false] : []);
}

/** Makes the space of the terms of one vocabulary. */
export function makeTermSpace({ index, catalog }: Deps, vocabulary: Vocabulary): QuerySpace {
  const fields = termFields(vocabulary);
  const titles = new Map(vocabulary.props.map(({ name, title }) => [name, title]));
  const facets = makeTermFacets(catalog)(vocabulary.name);
  const fixed = ["title", "synonyms", "id", "status", ...(vocabulary.hierarchy ? ["parent", "within"] : [])];
  const fieldLabel = (name: string): string => titles.get(name.replace(/^props\./u, "")) ?? lastStep(name);
  const known = [...fixed, ...titles.keys()].map((id) => ({ id, label: fieldLabel(id), aliases: [] }));
  const search = (clause: Clause, facets: readonly FacetRequest[]) =>
    index.searchTerms({
      vocabulary: vocabulary.name,
      clause,
      sort: "title",
      lang: vocabulary.languages[0]!,
      page: NO_HITS,
      facets,
    });
  return {
    fields,
    known,
    fieldLabel,
    facets,
    mainFacets: [],
    citedVocabularies: ({ meanings }) => {
      const isOwn = meanings.some(({ path }) => path === "id" || path === "parent");
      return isOwn ? [vocabulary.name] : [];
    },
    declaredValues: ({ meanings }) => {
      const types = meanings.map(({ path }) => vocabulary.props.find(({ name }) => path === `props.${name}`)?.type);
      return types.includes("boolean") ? [true, false] : [];
    },
    count: async (clause) => (await search(clause, [])).total,
    frequentKeys: async (facet, size, listed) => {
      const requests = valueRequests(facet, size).map((request) => ({ ...request, listed }));
      return (await search(EVERYTHING, requests)).facets[0]?.buckets ?? [];
    },
    wordsOfKey: makeKeyWords(),
    newest: async () => [],
    unitUse: async () => new Map(),
  };
}

/** Default time for all counts of a request, short because a person is typing. */
const BUDGET_MICROS = 50_000;

/** The searches that are counted. A count is undefined if there is no index. */
interface CountedSpace {
  readonly fields: QuerySpace["fields"];
  count(clause: Clause): Promise<number | undefined>;
}

/** A counter of the hits of several queries, within a time limit. */
export interface QueryCounter {
  /** Returns undefined if the time is used up, unless `isNeeded`, or if the search takes too long. */
  count(tree: QueryNode, options?: { readonly isNeeded: boolean }): Promise<number | undefined>;
  countText(text: string): Promise<number | undefined>;
  /**
   * Runs an optional search. Returns undefined if it takes too long, so that the rest of the answer is kept.
   *
   * @param options.isSettled whether the result depends only on the public data. Default: true
   */
  attempt<Result>(
    search: () => Promise<Result>,
    options?: { readonly isSettled: boolean },
  ): Promise<Result | undefined>;
  /** Whether a count is missing, depends on the clock, or may be older than the public data. */
  readonly isUnsettled: boolean;
}

/** Makes a counter. @param budgetMicros no count starts after earlier counts took this time together */
export function makeCounter(
  { clock }: Pick<Deps, "clock">,
  space: CountedSpace,
  budgetMicros: number = BUDGET_MICROS,
): QueryCounter {
  let spentMicros = 0;
  const slices = startSlices();
  const totals = new Map<string, number>();
  let isUnsettled = false;
  const attempt: QueryCounter["attempt"] = async (search, { isSettled } = { isSettled: true }) => {
    if (!isSettled) isUnsettled = true;
    try {
      return await search();
    } catch (error) {
      if (!isTooSlow(error)) throw error;
      isUnsettled = true;
      return undefined;
    }
  };
  const count: QueryCounter["count"] = async (tree, { isNeeded } = { isNeeded: false }) => {
    const text = printQuery(tree);
    const knownTotal = totals.get(text);
    if (knownTotal !== undefined) return knownTotal;
    // The last count may have taken long: other tasks run first.
    await slices.pause();
    if (!isNeeded && spentMicros > budgetMicros) {
      isUnsettled = true;
      return undefined;
    }
    const startMicros = clock.nowMicros();
    const { clause, usesNow } = resolveQuery(tree, space.fields, startMicros);
    if (usesNow) isUnsettled = true;
    const total = await attempt(() => space.count(clause));
    spentMicros += clock.nowMicros() - startMicros;
    if (total === undefined) isUnsettled = true;
    else totals.set(text, total);
    return total;
  };
  return {
    attempt,
    count,
    countText: (text) => count(parseQuery(text, space.fields).tree),
    get isUnsettled() {
      return isUnsettled;
    },
  };
}
