import { applicableShapes, type Field } from "../../core/catalog/field-tree.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";

/** Path of a list in metadata, such as `metadata.general_parameters.chemical_environments`. */
type ListPath = string;

/**
 * Returns the required fields of a record, with the values of an example: a start for depositors. Lists have one
 * element, and terms their ids alone. Lists that required fields refer to are kept, too.
 *
 * @param tree fields of the model's metadata
 */
export function leastRecord({ metadata }: JsonObject, tree: Field): JsonObject {
  const root = metadata ?? null;
  const lists = new Set<ListPath>();
  for (;;) {
    const { size } = lists;
    const least = prune(root, tree, "metadata", { root, lists });
    // A list that was added can refer to further lists.
    if (lists.size === size) return { metadata: least };
  }
}

/** Metadata of the example, and the lists to which the pruned metadata refers. */
interface Pruning {
  readonly root: Json;
  readonly lists: Set<ListPath>;
}

function prune(value: Json, field: Field, path: string, pruning: Pruning): Json {
  if (Array.isArray(value)) {
    const { items } = field;
    const count = Math.max(1, field.bounds.minItems ?? 1);
    return items === undefined ? value : value.slice(0, count).map((each) => prune(each, items, path, pruning));
  }
  if (!isObject(value)) return value;
  if (field.reference !== undefined) {
    pruning.lists.add(field.reference.to);
    return { id: firstId(pruning.root, field.reference.to) ?? own(value, "id") ?? null };
  }
  if (field.term !== undefined) return { id: own(value, "id") ?? null };
  if (field.shape === undefined) return value;
  const fields = new Map(applicableShapes(field.shape, value).flatMap(({ fields: each }) => [...each]));
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const declared = fields.get(name);
    const innerPath = `${path}.${name}`;
    if (declared === undefined || !isKept(declared, innerPath, pruning)) return [];
    return [[name, prune(inner, declared, innerPath, pruning)] as const];
  });
  return Object.fromEntries(kept);
}

/** Returns whether a field is required, or contains a list that is referred to. */
const isKept = ({ isRequired }: Field, path: string, { lists }: Pruning): boolean =>
  isRequired || [...lists].some((list) => list === path || list.startsWith(`${path}.`));

/** Returns the id of the first element of a list. */
function firstId(root: Json, list: ListPath): Json | undefined {
  let value: Json | undefined = root;
  for (const name of list.split(".").slice(1)) {
    if (Array.isArray(value)) [value] = value;
    value = isObject(value) ? own(value, name) : undefined;
  }
  const [first] = Array.isArray(value) ? (value as readonly Json[]) : [];
  return isObject(first) ? own(first, "id") : undefined;
}
