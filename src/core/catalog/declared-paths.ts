import { type Field, fieldTree, type ObjectShape } from "./field-tree.js";
import type { Model } from "./types.js";

/** The declaration of a model at a path, combined for alternatives that share the path. */
interface DeclaredPath {
  readonly path: string;
  /** Is it a value or a list of values? Otherwise it has objects. */
  readonly isLeaf: boolean;
  readonly isTitled: boolean;
  readonly isHelped: boolean;
}

/** Returns every path that a model's schema declares below `metadata`, in declared order. */
export function declaredPaths(model: Model): readonly DeclaredPath[] {
  const paths = new Map<string, DeclaredPath>();
  const visit = ({ fields, choices }: ObjectShape, path: string): void => {
    for (const [name, inner] of fields) {
      const below = `${path}.${name}`;
      const earlier = paths.get(below);
      const shapes = shapesOf(inner);
      paths.set(below, {
        path: below,
        isLeaf: shapes.length === 0 && earlier?.isLeaf !== false,
        isTitled: inner.isUntitled !== true && earlier?.isTitled !== false,
        isHelped: inner.help !== undefined && earlier?.isHelped !== false,
      });
      for (const shape of shapes) visit(shape, below);
    }
    for (const { shape } of choices.flatMap(({ alternatives }) => alternatives)) visit(shape, path);
  };
  for (const shape of shapesOf(fieldTree(model.schema))) visit(shape, "metadata");
  return [...paths.values()];
}

/** Returns the shapes of the objects in a field or its list; none for a cited term or a reference. */
function shapesOf(field: Field): readonly ObjectShape[] {
  // The service fills in their other members.
  if (field.term !== undefined || field.reference !== undefined) return [];
  const own = field.shape === undefined ? [] : [field.shape];
  return field.items === undefined ? own : [...own, ...shapesOf(field.items)];
}
