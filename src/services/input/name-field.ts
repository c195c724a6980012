/** Names of fields in messages: the title of the field, and the list items that contain it. */
import { type Field, fieldsAlong, type ObjectShape } from "../../core/catalog/field-tree.js";
import { isObject, type Json, own } from "../../core/json.js";
import type { Messages } from "../../core/messages/messages.js";
import type { BodyPath } from "./issues.js";

/** The sources of messages about a record. */
export interface Wording {
  readonly fields: Field;
  readonly say: Messages;
}

/** The name of a place in a record for messages, and the declaration of its field. */
export interface NamedPlace {
  /** `Temperature (Measurement 2)` */
  readonly label: string;
  /** The unit of a number. */
  readonly unit?: string;
  /** The declaration of the field in the model; absent if the model has no such field. */
  readonly field?: Field | undefined;
}

/** Maximum length of a unit in a message. Longer units are left out. */
const UNIT_LENGTH_MAX = 40;

/**
 * Names the field at a place. A `value` with a `unit` next to it gets the name of its quantity. Parts that say little
 * by themselves (a unit, the id of a term) are named together with the object that contains them.
 *
 * @param place keys and indices below `metadata`; a missing field has a place too
 */
export function nameField({ fields, say }: Wording, metadata: Json, place: BodyPath): NamedPlace {
  const fieldPath = fieldsAlong(fields, metadata, place);
  const values = valuesTo(metadata, place);
  const field = fieldPath[place.length];

  const nameAt = (depth: number): string => {
    if (depth === 0) return say.metadata;
    const step = place[depth - 1]!;
    if (typeof step !== "number") return fieldPath[depth]?.title ?? `"${step}"`;
    return say.item(fieldPath[depth]?.title ?? "", nameAt(depth - 1), step + 1);
  };
  const within = (label: string, depth: number): string => {
    const items = place.slice(0, depth - 1).flatMap((step, i) => (typeof step === "number" ? [nameAt(i + 1)] : []));
    return say.within(label, items);
  };

  const depth = place.length;
  const last = place.at(-1);
  const unit = last === "value" ? sentUnit(values[depth - 1]) : undefined;
  if (unit !== undefined && values[depth] !== undefined) {
    return { label: within(nameAt(depth - 1), depth - 1), unit, field };
  }
  const isPart = isPartOf(last, fieldPath[depth - 1]);
  const label = isPart ? within(say.partOf(nameAt(depth), nameAt(depth - 1)), depth - 1) : within(nameAt(depth), depth);
  return { label, field };
}

/** Returns the title of the field at a path without indices, or the path if the model has no such field. */
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

/** Returns the values along a place, from the metadata to the value at the place. */
function valuesTo(metadata: Json, place: BodyPath): readonly (Json | undefined)[] {
  const values: (Json | undefined)[] = [metadata];
  for (const step of place) {
    const value: Json | undefined = values.at(-1);
    if (Array.isArray(value)) values.push(value[Number(step)] as Json | undefined);
    else values.push(isObject(value) ? own(value, String(step)) : undefined);
  }
  return values;
}

function sentUnit(value: Json | undefined): string | undefined {
  const unit = isObject(value) ? own(value, "unit") : undefined;
  return typeof unit === "string" && unit !== "" && unit.length <= UNIT_LENGTH_MAX ? unit : undefined;
}

function isPartOf(step: BodyPath[number] | undefined, whole: Field | undefined): boolean {
  if (whole === undefined) return false;
  if (step === "id") return whole.term !== undefined || whole.reference !== undefined;
  const isQuantity = whole.shape?.fields.has("value") === true && whole.shape.fields.has("unit");
  return isQuantity && (step === "unit" || step === "value");
}
