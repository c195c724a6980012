/** The names, values and hits that a query can refer to, for the published records of models or for a vocabulary. */
import { fieldsAt, listFields } from "../../core/catalog/list-fields.js";
import type { Model, Vocabulary } from "../../core/catalog/types.js";
import type { Json } from "../../core/json.js";
import { startSlices } from "../../core/slices.js";
import type { FacetCounts } from "../../ports/search-index.js";
import type { Names } from "../../query/complete/completions.js";
import { recordFields, termFields } from "../../query/fields/field-lookup.js";
import type { Field } from "../../query/fields/field-meanings.js";
import type { Clause } from "../../query/index-model/clause.js";
import { parseQuery } from "../../query/parse/parse.js";
import { printQuery } from "../../query/parse/print.js";
import type { QueryNode } from "../../query/parse/tree.js";
import { resolveQuery } from "../../query/resolve/resolve.js";
import type { Deps } from "../context/deps.js";
import { isTooSlow } from "../context/index-availability.js";
import { allValues, makeRecordFacets, makeTermFacets, type SearchedFacet } from "./facets.js";

/** The fields, facets and searches of a query space. */
export interface QuerySpace extends Names {
  readonly facets: readonly SearchedFacet[];
  /** Returns the vocabularies whose terms a field has as values. */
  citedVocabularies(field: Field): readonly string[];
  /** Returns the values that the schema of a field lists; empty if it lists none. */
  declaredValues(field: Field): readonly Json[];
  count(clause: Clause): Promise<number>;
  /** Returns the most frequent keys of a facet over everything in this space. */
  frequentKeys(facet: SearchedFacet, size: number): Promise<FacetCounts["buckets"]>;
}

const EVERYTHING: Clause = { kind: "everything" };
const NO_HITS = { offset: 0, limit: 0 } as const;

/** Makes the space of the published records of one model, or of several. */
export function makeRecordSpace({ index, catalog, getFieldTree }: Deps, models: readonly Model[]): QuerySpace {
  const fields = recordFields(models, catalog.vocabularies.values());
  const listed = listFields(models);
  const model = models.length === 1 ? models[0]!.name : undefined;
  const facets = makeRecordFacets(catalog)(model, false);
  const sites = models.flatMap((model) => model.termSites);
  const scope = { kind: "public", models: models.map(({ name }) => name) } as const;
  const search = (clause: Clause, counted: readonly SearchedFacet[], size: number) =>
    index.searchRecords({
      clause,
      scope,
      sort: "newest",
      page: NO_HITS,
      facets: counted.flatMap((each) => allValues(each, size)),
    });
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
    citedVocabularies: ({ meanings }) => {
      const cited = new Set(meanings.flatMap((meaning) => meaning.sites));
      return [...new Set(sites.flatMap(({ path, vocabulary }) => (cited.has(path) ? [vocabulary] : [])))];
    },
    declaredValues: ({ meanings }) => {
      const paths = new Set(meanings.flatMap(({ path, isLeaf }) => (isLeaf ? [path] : [])));
      if (paths.has("model")) return scope.models;
      return [...new Set([...paths].flatMap(describedAt).flatMap(allowedValues))];
    },
    count: async (clause) => (await search(clause, [], 0)).total,
    frequentKeys: async (facet, size) => (await search(EVERYTHING, [facet], size)).facets[0]?.buckets ?? [],
  };
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
  const search = (clause: Clause, counted: readonly SearchedFacet[], size: number) =>
    index.searchTerms({
      vocabulary: vocabulary.name,
      clause,
      sort: "title",
      lang: vocabulary.languages[0]!,
      page: NO_HITS,
      facets: counted.flatMap((each) => allValues(each, size)),
    });
  return {
    fields,
    known,
    fieldLabel,
    facets,
    citedVocabularies: ({ meanings }) => {
      const isOwn = meanings.some(({ path }) => path === "id" || path === "parent");
      return isOwn ? [vocabulary.name] : [];
    },
    declaredValues: ({ meanings }) => {
      const types = meanings.map(({ path }) => vocabulary.props.find(({ name }) => path === `props.${name}`)?.type);
      return types.includes("boolean") ? [true, false] : [];
    },
    count: async (clause) => (await search(clause, [], 0)).total,
    frequentKeys: async (facet, size) => (await search(EVERYTHING, [facet], size)).facets[0]?.buckets ?? [],
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
  /** Runs an optional search. Returns undefined if it takes too long, so that the rest of the answer is kept. */
  attempt<Result>(search: () => Promise<Result>): Promise<Result | undefined>;
  /** Whether a count is missing, or depends on the clock. */
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
  const attempt: QueryCounter["attempt"] = async (search) => {
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
