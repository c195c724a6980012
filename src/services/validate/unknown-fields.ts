import { type Choice, type Field, type ObjectShape, shapesFor } from "../../core/catalog/field-tree.js";
import type { Warning } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import type { Wording } from "../name-field.js";

/**
 * Warns of every field that is not known at its place, with the names nearest to it, or with the alternative that it
 * would belong to. Where an object does not yet say which alternative it is, the fields of all of them are known.
 */
export function findUnknownFields(metadata: JsonObject, { fields, say }: Wording): readonly Warning[] {
  const warnings: Warning[] = [];
  let unlisted = 0;

  const visit = (value: Json, here: Field, place: string): void => {
    if (Array.isArray(value)) {
      const { items } = here;
      if (items === undefined) return;
      for (const [i, item] of value.entries()) visit(item as Json, items, `${place}.${i}`);
    } else if (isObject(value) && here.shape !== undefined) visitObject(value, here.shape, place);
  };
  const visitObject = (value: JsonObject, shape: ObjectShape, place: string): void => {
    const shapes = shape.choices.length === 0 ? [shape] : shapesFor(shape, value);
    for (const [name, inner] of Object.entries(value)) {
      const known = findField(shapes, name);
      if (known !== undefined) visit(inner, known, `${place}.${name}`);
      else if (isOpen(shapes)) continue;
      else if (warnings.length >= LIMITS.issuesMax) unlisted++;
      else warnings.push(warningOf(name, value, shapes, `${place}.${name}`));
    }
  };
  const warningOf = (name: string, value: JsonObject, shapes: readonly ObjectShape[], field: string): Warning => {
    for (const choice of shapes.flatMap(({ choices }) => choices)) {
      const belongsTo = valuesWith(name, choice);
      const chosen = String(own(value, choice.by));
      if (belongsTo.length === 0 || belongsTo.includes(chosen)) continue;
      return { code: "UNKNOWN_FIELD", message: say.UNKNOWN_FIELD({ name, belongsTo, chosen }), field };
    }
    const known = shapes.flatMap((shape) => [...shape.fields.keys()]);
    const near = nearestNames(name, known, LIMITS.nearestMax);
    const nearest = near[0] === undefined ? {} : { nearest: near[0] };
    const message = say.UNKNOWN_FIELD({ name, belongsTo: [], chosen: "", ...nearest });
    return { code: "UNKNOWN_FIELD", message, field, ...(near.length === 0 ? {} : { nearest: near }) };
  };

  visit(metadata, fields, "metadata");
  if (unlisted > 0) {
    warnings.push({ code: "UNKNOWN_FIELD", message: say.moreUnknownFields(unlisted), field: "metadata" });
  }
  return warnings;
}

function findField(shapes: readonly ObjectShape[], name: string): Field | undefined {
  for (const { fields } of shapes) {
    const field = fields.get(name);
    if (field !== undefined) return field;
  }
  return undefined;
}

/** Anything may stand here: the schema says so, or says nothing of any field. */
function isOpen(shapes: readonly ObjectShape[]): boolean {
  return shapes.some((shape) => shape.isOpen) || shapes.every(({ fields }) => fields.size === 0);
}

/** What the choosing field would have to say for the object to have this field. */
function valuesWith(name: string, { alternatives }: Choice): readonly string[] {
  return alternatives.filter(({ shape }) => mayHold(shape, name)).flatMap(({ values }) => values);
}

function mayHold({ fields, choices }: ObjectShape, name: string): boolean {
  return fields.has(name) || choices.some((choice) => valuesWith(name, choice).length > 0);
}
