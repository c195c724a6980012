import { type Field, type ObjectShape, shapesFor } from "../../core/catalog/field-tree.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import type { BodyPath } from "../input/issues.js";

/** Is shown the values of a record, outer before inner. A place has the keys and indices below `metadata`. */
export interface FieldVisitor {
  /** A value where the model has a field. The place changes as the walk goes on: copy what is kept. */
  onField?(value: Json, field: Field, place: BodyPath): void;
  /**
   * A value of an object under a name that none of its shapes has.
   *
   * @param place of the object
   */
  onUnknown?(name: string, holder: JsonObject, shapes: readonly ObjectShape[], place: BodyPath): void;
}

/**
 * Walks a record by its model. Where an object does not yet say which alternative it is, the fields of all of them are
 * known. What lies below an unknown name, or where anything may stand, is not visited.
 *
 * @param metadata of at most LIMITS.bodyDepthMax levels
 */
export function walkFields(metadata: JsonObject, fields: Field, visitors: readonly FieldVisitor[]): void {
  const place: (string | number)[] = [];
  const below = (step: string | number, value: Json, field: Field): void => {
    place.push(step);
    visit(value, field);
    place.pop();
  };
  const visit = (value: Json, here: Field): void => {
    for (const visitor of visitors) visitor.onField?.(value, here, place);
    if (Array.isArray(value)) {
      const { items } = here;
      if (items === undefined) return;
      for (const [i, item] of value.entries()) below(i, item as Json, items);
    } else if (isObject(value) && here.shape !== undefined) visitObject(value, here.shape);
  };
  const visitObject = (value: JsonObject, shape: ObjectShape): void => {
    const shapes = shape.choices.length === 0 ? [shape] : shapesFor(shape, value);
    for (const [name, inner] of Object.entries(value)) {
      const known = findField(shapes, name);
      if (known !== undefined) below(name, inner, known);
      else if (!isOpen(shapes)) for (const visitor of visitors) visitor.onUnknown?.(name, value, shapes, place);
    }
  };
  visit(metadata, fields);
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
