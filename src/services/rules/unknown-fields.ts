import type { Choice, ObjectShape } from "../../core/catalog/field-tree.js";
import type { Warning } from "../../core/issue.js";
import { type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { Messages } from "../../core/messages/messages.js";
import { nearestNames } from "../../core/nearest.js";
import { Listed } from "../input/issues.js";
import type { FieldVisitor } from "./walk-fields.js";

/**
 * Warns of every field that is not known at its place, with the names nearest to it, or with the alternative that it
 * would belong to.
 */
export class UnknownFields implements FieldVisitor {
  readonly warnings = new Listed<Warning>();

  constructor(readonly say: Messages) {}

  onUnknown(name: string, holder: JsonObject, shapes: readonly ObjectShape[], place: readonly unknown[]): void {
    this.warnings.add(() => this.#warningOf(name, holder, shapes, ["metadata", ...place, name].join(".")));
  }

  #warningOf(name: string, holder: JsonObject, shapes: readonly ObjectShape[], field: string): Warning {
    for (const choice of shapes.flatMap(({ choices }) => choices)) {
      const belongsTo = valuesWith(name, choice);
      const chosen = String(own(holder, choice.by));
      if (belongsTo.length === 0 || belongsTo.includes(chosen)) continue;
      return { code: "UNKNOWN_FIELD", message: this.say.UNKNOWN_FIELD({ name, belongsTo, chosen }), field };
    }
    const known = shapes.flatMap((shape) => [...shape.fields.keys()]);
    const near = nearestNames(name, known, LIMITS.nearestMax);
    const nearest = near[0] === undefined ? {} : { nearest: near[0] };
    const message = this.say.UNKNOWN_FIELD({ name, belongsTo: [], chosen: "", ...nearest });
    return { code: "UNKNOWN_FIELD", message, field, ...(near.length === 0 ? {} : { nearest: near }) };
  }
}

/** What the choosing field would have to say for the object to have this field. */
function valuesWith(name: string, { alternatives }: Choice): readonly string[] {
  return alternatives.filter(({ shape }) => mayHold(shape, name)).flatMap(({ values }) => values);
}

function mayHold({ fields, choices }: ObjectShape, name: string): boolean {
  return fields.has(name) || choices.some((choice) => valuesWith(name, choice).length > 0);
}
