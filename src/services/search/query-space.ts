/** What the text of a query is read against: the published records of some models, or the terms of a vocabulary. */
import { fieldsAt, listFields } from "../../core/catalog/list-fields.js";
import type { Model, Vocabulary } from "../../core/catalog/types.js";
import type { Json } from "../../core/json.js";
import type { FacetCounts } from "../../ports/search-index.js";
import type { Names } from "../../query/complete/completions.js";
import { type Field, recordFields, termFields } from "../../query/fields/field-meanings.js";
import type { Clause } from "../../query/index-model/clause.js";
import type { Deps } from "../context/deps.js";
import { allValues, makeRecordFacets, makeTermFacets, type SearchedFacet } from "./facets.js";

export interface QuerySpace extends Names {
  readonly facets: readonly SearchedFacet[];
  /** Vocabularies whose terms a field cites, or is about. */
  vocabulariesOf(field: Field): readonly string[];
  /** The values that a field takes, where its schema lists them. */
  declaredValues(field: Field): readonly Json[];
  count(clause: Clause): Promise<number>;
  /** The most frequent keys of a facet over all that can be found. */
  keysOf(facet: SearchedFacet, size: number): Promise<FacetCounts["buckets"]>;
}

const EVERYTHING: Clause = { kind: "everything" };
const NO_HITS = { offset: 0, limit: 0 } as const;

/** Of the published records of one model, or of all. */
export function makeRecordSpace({ index, catalog, fieldsOf }: Deps, models: readonly Model[]): QuerySpace {
  const fields = recordFields(models, catalog.vocabularies.values());
  const listed = listFields(models);
  const [only, ...others] = models;
  const facets = makeRecordFacets(catalog)(others.length === 0 ? only?.name : undefined, false);
  const sites = models.flatMap((model) => model.termSites);
  const scope = { kind: "public", models: models.map(({ name }) => name) } as const;
  const search = (clause: Clause, asked: readonly SearchedFacet[], size: number) =>
    index.searchRecords({
      clause,
      scope,
      sort: "newest",
      page: NO_HITS,
      facets: asked.flatMap((each) => allValues(each, size)),
    });
  const describedAt = (path: string) => models.flatMap((model) => fieldsAt(fieldsOf(model), path));
  const isDeclared = ({ id }: { readonly id: string }): boolean => models.some((model) => model.fields.has(id));
  return {
    fields,
    // What every record has comes last: it is rarely searched.
    known: [...listed.filter(isDeclared), ...listed.filter((field) => !isDeclared(field))],
    labelOf: (name, { meanings }) => {
      const lower = name.toLowerCase();
      const short = listed.find(({ id, aliases }) => id === lower || aliases.includes(lower));
      const path = (meanings.find(({ leaves }) => leaves.length > 0) ?? meanings[0])?.path ?? "";
      // In a group the name may be that of something else.
      const isShort = short && fields.find(short.id)?.meanings.some((meaning) => meaning.path === path);
      return isShort ? short.label : describedAt(path)[0]?.title || lastStep(path);
    },
    facets,
    vocabulariesOf: ({ meanings }) => {
      const cited = new Set(meanings.flatMap((meaning) => meaning.sites));
      return [...new Set(sites.flatMap(({ path, vocabulary }) => (cited.has(path) ? [vocabulary] : [])))];
    },
    declaredValues: ({ meanings }) => {
      const paths = new Set(meanings.flatMap(({ path, isLeaf }) => (isLeaf ? [path] : [])));
      if (paths.has("model")) return scope.models;
      return [...new Set([...paths].flatMap(describedAt).flatMap(valuesOf))];
    },
    count: async (clause) => (await search(clause, [], 0)).total,
    keysOf: async (facet, size) => (await search(EVERYTHING, [facet], size)).facets[0]?.buckets ?? [],
  };
}

const lastStep = (path: string): string => path.slice(path.lastIndexOf(".") + 1).replaceAll("_", " ");

function valuesOf({ types, allowed }: { readonly types: readonly string[]; readonly allowed?: readonly Json[] }) {
  return allowed ?? (types.includes("boolean") ? [true, false] : []);
}

/** Of the terms of one vocabulary. */
export function makeTermSpace({ index, catalog }: Deps, vocabulary: Vocabulary): QuerySpace {
  const fields = termFields(vocabulary);
  const titles = new Map(vocabulary.props.map(({ name, title }) => [name, title]));
  const facets = makeTermFacets(catalog)(vocabulary.name);
  const fixed = ["title", "synonyms", "id", "status", ...(vocabulary.hierarchy ? ["parent", "within"] : [])];
  const labelOf = (name: string): string => titles.get(name.replace(/^props\./u, "")) ?? lastStep(name);
  const known = [...fixed, ...titles.keys()].map((id) => ({ id, label: labelOf(id), aliases: [] }));
  const search = (clause: Clause, asked: readonly SearchedFacet[], size: number) =>
    index.searchTerms({
      ...{ vocabulary: vocabulary.name, clause, sort: "title", lang: vocabulary.languages[0]!, page: NO_HITS },
      facets: asked.flatMap((each) => allValues(each, size)),
    });
  return {
    fields,
    known,
    labelOf,
    facets,
    vocabulariesOf: ({ meanings }) => {
      const isOwn = meanings.some(({ path }) => path === "id" || path === "parent");
      return isOwn ? [vocabulary.name] : [];
    },
    declaredValues: ({ meanings }) => {
      const types = meanings.map(({ path }) => vocabulary.props.find(({ name }) => path === `props.${name}`)?.type);
      return types.includes("boolean") ? [true, false] : [];
    },
    count: async (clause) => (await search(clause, [], 0)).total,
    keysOf: async (facet, size) => (await search(EVERYTHING, [facet], size)).facets[0]?.buckets ?? [],
  };
}
