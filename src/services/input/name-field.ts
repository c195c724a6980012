/** How a field is called in a message: by its title, and by the items of lists that it stands in. */
import { type Field, fieldsTo, type ObjectShape } from "../../core/catalog/field-tree.js";
import { isObject, type Json, own } from "../../core/json.js";
import type { Messages } from "../../core/messages/messages.js";
import type { BodyPath } from "./issues.js";

/** What messages about a record are made from. */
export interface Wording {
  readonly fields: Field;
  readonly say: Messages;
}

export interface NamedField {
  /** `Temperature (Measurement 2)` */
  readonly label: string;
  /** Of a number beside its unit. */
  readonly unit?: string;
  /** What the model says of the field; absent where it does not know it. */
  readonly field?: Field;
}

/** A longer unit is left out of a message. */
const UNIT_LENGTH_MAX = 40;

/**
 * Names the field at a place. A `value` beside a `unit` is called as what it is the value of; parts that say little by
 * themselves (a unit, the id of a term) are named with what they are a part of.
 *
 * @param place keys and indices below `metadata`; a field that is missing has one, too
 */
export function nameField({ fields, say }: Wording, metadata: Json, place: BodyPath): NamedField {
  const known = fieldsTo(fields, metadata, place);
  const values = valuesTo(metadata, place);
  const field = known[place.length];

  const nameAt = (depth: number): string => {
    if (depth === 0) return say.metadata;
    const step = place[depth - 1]!;
    if (typeof step !== "number") return known[depth]?.title ?? `"${step}"`;
    return say.item(known[depth]?.title ?? "", nameAt(depth - 1), step + 1);
  };
  const within = (label: string, depth: number): string => {
    const items = place.slice(0, depth - 1).flatMap((step, i) => (typeof step === "number" ? [nameAt(i + 1)] : []));
    return say.within(label, items);
  };

  const depth = place.length;
  const last = place.at(-1);
  const unit = last === "value" ? unitBeside(values[depth - 1]) : undefined;
  if (unit !== undefined && values[depth] !== undefined) {
    return { label: within(nameAt(depth - 1), depth - 1), unit, ...(field && { field }) };
  }
  const isPart = isPartOf(last, known[depth - 1]);
  const label = isPart ? within(say.partOf(nameAt(depth), nameAt(depth - 1)), depth - 1) : within(nameAt(depth), depth);
  return { label, ...(field && { field }) };
}

/** The title of the field at a path without indices; the path itself where the model has no such field. */
export function titleOfPath(fields: Field, path: string): string {
  let field: Field | undefined = fields;
  for (const name of path.split(".").slice(1)) {
    const shape: ObjectShape | undefined = (field.items ?? field).shape;
    field = shape === undefined ? undefined : findField(shape, name);
    if (field === undefined) return path;
  }
  return field.title;
}

function findField({ fields, choices }: ObjectShape, name: string): Field | undefined {
  const alternatives = choices.flatMap((choice) => choice.alternatives);
  return fields.get(name) ?? alternatives.map(({ shape }) => findField(shape, name)).find((each) => each !== undefined);
}

/** The values on the way to a place, from the metadata to the place itself. */
function valuesTo(metadata: Json, place: BodyPath): readonly (Json | undefined)[] {
  const values: (Json | undefined)[] = [metadata];
  for (const step of place) {
    const value: Json | undefined = values.at(-1);
    if (Array.isArray(value)) values.push(value[Number(step)] as Json | undefined);
    else values.push(isObject(value) ? own(value, String(step)) : undefined);
  }
  return values;
}

function unitBeside(value: Json | undefined): string | undefined {
  const unit = isObject(value) ? own(value, "unit") : undefined;
  return typeof unit === "string" && unit !== "" && unit.length <= UNIT_LENGTH_MAX ? unit : undefined;
}

function isPartOf(step: BodyPath[number] | undefined, whole: Field | undefined): boolean {
  if (whole === undefined) return false;
  if (step === "id") return whole.term !== undefined || whole.reference !== undefined;
  const isQuantity = whole.shape?.fields.has("value") === true && whole.shape.fields.has("unit");
  return isQuantity && (step === "unit" || step === "value");
}
