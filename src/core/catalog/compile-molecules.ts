import type { DeclaredObject } from "../declarations/declared.js";
import { moleculeLeaves } from "./places.js";
import type { MoleculeList, TermSite } from "./types.js";
import { hasPath, type Shape } from "./walk-schema.js";

/** Parts of a molecule that its page shows: paths below an object of the list. Absent: no model has it. */
export interface MoleculeParts {
  readonly organism?: string | undefined;
  readonly sequence?: string | undefined;
  readonly variant?: string | undefined;
}

/** Compiles the `ids` of a field: paths of ids below the objects of the list at its path. */
export function compileMolecules(
  field: DeclaredObject,
  { name, path }: Pick<MoleculeList, "name" | "path">,
  shape: Shape,
  termSites: readonly TermSite[],
): MoleculeList {
  if (!shape.elementPaths.includes(path)) field.note("path", `"${path}" is no list of objects`);
  const ids = (field.texts("ids") ?? []).flatMap((id) => {
    const vocabulary = termSites.find((site) => site.path === `${path}.${id}`)?.vocabulary;
    if (vocabulary !== undefined) return [{ path: id, vocabulary }];
    if (shape.leaves.get(`${path}.${id}`)?.type === "keyword") return [{ path: id }];
    field.note("ids", `the objects of "${path}" have no text and no term "${id}"`);
    return [];
  });
  return { name, path, ids, ...moleculeLeaves(path, name) };
}

/** Compiles `molecules` of the description of a model. */
export function compileMoleculeParts(
  object: DeclaredObject | undefined,
  molecules: MoleculeList | undefined,
  shape: Shape,
): MoleculeParts | undefined {
  if (object === undefined) return undefined;
  object.allow(["organism", "sequence", "variant"]);
  const pathOf = (key: keyof MoleculeParts): string | undefined => {
    const below = object.optionalText(key);
    if (below === undefined || molecules === undefined) return undefined;
    if (hasPath(shape, `${molecules.path}.${below}`)) return below;
    object.note(key, `the objects of "${molecules.path}" have no "${below}"`);
    return undefined;
  };
  return { organism: pathOf("organism"), sequence: pathOf("sequence"), variant: pathOf("variant") };
}
