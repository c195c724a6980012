/** The fields that records can be sorted by, in addition to the orders that every search has. */
import { listFields } from "../../core/catalog/list-fields.js";
import { canonicalPath } from "../../core/catalog/places.js";
import type { Catalog, Leaf } from "../../core/catalog/types.js";
import type { ValueSort } from "../../ports/search-index.js";
import { recordFields } from "../../query/fields/field-lookup.js";
import type { Meaning } from "../../query/fields/field-meanings.js";

/** A number, date or quantity of the query language, and its paths in records. */
interface SortedField {
  readonly name: string;
  readonly paths: readonly string[];
}

/** The sorts of a scope. */
export interface RecordSorts {
  /** Names of fields, in declared order. */
  readonly names: readonly string[];
  /** Parses a sort such as `kd` or `-kd`, with the name of a field or an alias; undefined if no field has this name. */
  find(sort: string): { readonly name: string; readonly sort: ValueSort } | undefined;
}

/** Sorts of a scope without any field to sort by. */
export const NO_SORTS: RecordSorts = { names: [], find: () => undefined };

/** @param model name of a model of the catalog; undefined for all of them */
export type FindRecordSorts = (model: string | undefined) => RecordSorts;

/** Makes a function that computes the sorts of each scope once. */
export function makeRecordSorts({ models }: Pick<Catalog, "models">): FindRecordSorts {
  const sortsByModel = new Map<string | undefined, RecordSorts>();
  const make = (model: string | undefined): RecordSorts => {
    const searched = [...models.values()].filter(({ name }) => model === undefined || name === model);
    const lookup = recordFields(searched, []);
    const fields = new Map<string, SortedField>();
    for (const { id: name, aliases } of listFields(searched)) {
      const paths = (lookup.find(name)?.meanings ?? []).flatMap(sortedPaths);
      if (paths.length === 0) continue;
      for (const each of [name, ...aliases]) fields.set(each.toLowerCase(), { name, paths: [...new Set(paths)] });
    }
    return {
      names: [...new Set([...fields.values()].map(({ name }) => name))],
      find: (sort) => {
        const isLargest = sort.startsWith("-");
        const field = fields.get((isLargest ? sort.slice(1) : sort).toLowerCase());
        if (field === undefined) return undefined;
        const name = isLargest ? `-${field.name}` : field.name;
        return { name, sort: { by: field.paths, first: isLargest ? "largest" : "smallest" } };
      },
    };
  };
  return (model) => {
    const sorts = sortsByModel.get(model) ?? make(model);
    sortsByModel.set(model, sorts);
    return sorts;
  };
}

/** Returns the paths of comparable numbers: quantities in the canonical unit of their usual dimension. */
function sortedPaths({ leaves, isLeaf, dimensions }: Meaning): readonly string[] {
  const [usual] = dimensions ?? [];
  if (usual !== undefined) {
    const fits = ({ quantity }: Leaf): boolean =>
      quantity !== undefined && (quantity.dimensions.length === 0 || quantity.dimensions.includes(usual));
    return leaves.filter(fits).map((leaf) => canonicalPath(leaf, usual));
  }
  return isLeaf ? leaves.filter(({ type }) => type !== "keyword").map(({ path }) => path) : [];
}
