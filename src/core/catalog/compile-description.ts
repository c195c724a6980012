import type { DeclaredObject } from "../declarations/declared.js";
import { nearestNames } from "../nearest.js";
import {
  type DescribedField,
  type Description,
  FIELD_ROLES,
  type FieldRole,
  type MeasuredPart,
  type ResultList,
  ROLE_FIELDS,
} from "./description.js";
import { moleculeLeaves } from "./places.js";
import type { Facet, MoleculeList, ShortField, TermSite } from "./types.js";
import { hasPath, type Shape } from "./walk-schema.js";

const RESULT_KEYS = ["path", "kind", "value", "unit", "error", "of"];
const PHRASE = /^([^{}]*)\{([^{}]+)\}([^{}]*)$/;

/** Compiles the `describe` block of a model, including its defaults. */
export function compileDescription(
  root: DeclaredObject,
  {
    fields,
    facets,
    molecules: list,
  }: {
    readonly fields: ReadonlyMap<string, ShortField>;
    readonly facets: readonly Facet[];
    readonly molecules: MoleculeList | undefined;
  },
  shape: Shape,
): Description {
  const block = root.object("describe");
  block?.allow([...FIELD_ROLES, "results", "measured", "molecules", "summary"]);
  const find = (key: string, name: string): DescribedField | undefined => {
    const field = fields.get(name);
    const label = facets.find((facet) => facet.name === name)?.label ?? labelFromName(name);
    if (field !== undefined) return { name, label, paths: [field.path, ...(field.morePaths ?? [])] };
    if (hasPath(shape, name)) return { name: name.slice(name.lastIndexOf(".") + 1), label, paths: [name] };
    const [near] = nearestNames(name, [...fields.keys()], 1);
    block?.note(key, `there is no field or path "${name}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
    return undefined;
  };
  const roles = new Map<FieldRole, readonly DescribedField[]>();
  for (const role of FIELD_ROLES) {
    const standard = ROLE_FIELDS[role];
    const byDefault = standard !== undefined && fields.has(standard) ? [standard] : [];
    const names = block?.has(role) ? block.textOrTexts(role) : byDefault;
    const describedFields = (names ?? []).flatMap((name) => find(role, name) ?? []);
    if (describedFields.length > 0) roles.set(role, describedFields);
  }
  const results = compileResults(block?.object("results"), shape);
  const summary = (block?.texts("summary") ?? []).flatMap((phrase) => {
    const [, before, name, after] = PHRASE.exec(phrase) ?? [];
    if (name === undefined) block?.note("summary", `"${phrase}" must name one field in braces: "of {entity}"`);
    const field = name === undefined ? undefined : find("summary", name);
    return field === undefined ? [] : [{ before: before!, field, after: after! }];
  });
  const measured = compileMeasured(block?.object("measured"), shape);
  const molecules = compileMoleculeParts(block?.object("molecules"), list, shape);
  return {
    roles,
    summary,
    results,
    measured,
    molecules,
  };
}

/** Returns the label for a name or for the last part of a path. */
const labelFromName = (name: string): string => name.slice(name.lastIndexOf(".") + 1).replaceAll("_", " ");

function compileMeasured(object: DeclaredObject | undefined, shape: Shape): MeasuredPart | undefined {
  if (object === undefined) return undefined;
  object.allow(["within", "steps", "except"]);
  const within = object.texts("within") ?? [];
  const steps = object.optionalText("steps");
  for (const path of within) {
    if (!hasPath(shape, path)) object.note("within", `the schema has no "${path}"`);
  }
  if (steps !== undefined && !hasPath(shape, steps)) object.note("steps", `the schema has no "${steps}"`);
  return { within, except: object.texts("except") ?? [], steps };
}

function compileResults(object: DeclaredObject | undefined, shape: Shape): ResultList | undefined {
  if (object === undefined) return undefined;
  object.allow(RESULT_KEYS);
  const path = object.text("path");
  if (!shape.elementPaths.includes(path)) object.note("path", `the schema has no list of objects at "${path}"`);
  return {
    path,
    kind: object.optionalText("kind") ?? "type",
    value: object.optionalText("value") ?? "value",
    unit: object.optionalText("unit") ?? "unit",
    error: object.optionalText("error") ?? "value_error",
    of: object.optionalText("of") ?? "entities_involved.entity",
  };
}

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
function compileMoleculeParts(
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
