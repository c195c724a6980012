import { type Field, fieldTree, type ObjectShape } from "./field-tree.js";
import type { Model } from "./types.js";

/** What a model declares at one path; of alternatives that share a path, all of them. */
interface DeclaredPath {
  readonly path: string;
  /** Does a value stand here, or a list of them? Else objects do. */
  readonly isLeaf: boolean;
  readonly isTitled: boolean;
  readonly isHelped: boolean;
}

/** Every path that a model's schema declares below `metadata`, in declared order. */
export function declaredPaths(model: Model): readonly DeclaredPath[] {
  const found = new Map<string, DeclaredPath>();
  const visit = ({ fields, choices }: ObjectShape, path: string): void => {
    for (const [name, inner] of fields) {
      const below = `${path}.${name}`;
      const before = found.get(below);
      const shapes = shapesOf(inner);
      found.set(below, {
        path: below,
        isLeaf: shapes.length === 0 && before?.isLeaf !== false,
        isTitled: inner.isUntitled !== true && before?.isTitled !== false,
        isHelped: inner.help !== undefined && before?.isHelped !== false,
      });
      for (const shape of shapes) visit(shape, below);
    }
    for (const { shape } of choices.flatMap(({ alternatives }) => alternatives)) visit(shape, path);
  };
  for (const shape of shapesOf(fieldTree(model.schema))) visit(shape, "metadata");
  return [...found.values()];
}

/** What the objects hold that stand at a field, or in the list there; none where a term or another part is named. */
function shapesOf(field: Field): readonly ObjectShape[] {
  // What else stands in them is the service's.
  if (field.term !== undefined || field.reference !== undefined) return [];
  const own = field.shape === undefined ? [] : [field.shape];
  return field.items === undefined ? own : [...own, ...shapesOf(field.items)];
}
