/** What records can be sorted by beside the orders that every search has. */
import { listFields } from "../../core/catalog/list-fields.js";
import { canonicalPath } from "../../core/catalog/places.js";
import type { Catalog, Leaf } from "../../core/catalog/types.js";
import type { ValueSort } from "../../ports/search-index.js";
import { type Meaning, recordFields } from "../../query/fields/field-meanings.js";

/** A number, date or quantity of the query language, and where records have it. */
interface SortedField {
  readonly name: string;
  readonly paths: readonly string[];
}

export interface RecordSorts {
  /** In declared order. */
  readonly names: readonly string[];
  /** What `kd` or `-kd` says, by the name of a field or an alias; undefined where there is none. */
  find(sort: string): { readonly name: string; readonly sort: ValueSort } | undefined;
}

export const NO_SORTS: RecordSorts = { names: [], find: () => undefined };

/** @param model name of a model of the catalog; undefined for all of them */
export type FindRecordSorts = (model: string | undefined) => RecordSorts;

/** Finds those of each scope once. */
export function makeRecordSorts({ models }: Pick<Catalog, "models">): FindRecordSorts {
  const known = new Map<string | undefined, RecordSorts>();
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
    const sorts = known.get(model) ?? make(model);
    known.set(model, sorts);
    return sorts;
  };
}

/** The places of numbers that compare: quantities in the canonical unit of their usual dimension. */
function sortedPaths({ leaves, isLeaf, dimensions }: Meaning): readonly string[] {
  const [usual] = dimensions ?? [];
  if (usual !== undefined) {
    const fits = ({ quantity }: Leaf): boolean =>
      quantity !== undefined && (quantity.dimensions.length === 0 || quantity.dimensions.includes(usual));
    return leaves.filter(fits).map((leaf) => canonicalPath(leaf, usual));
  }
  return isLeaf ? leaves.filter(({ type }) => type !== "keyword").map(({ path }) => path) : [];
}
