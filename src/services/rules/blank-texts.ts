import { isBlank } from "../../core/blank.js";
import type { Field } from "../../core/catalog/field-tree.js";
import type { Issue } from "../../core/issue.js";
import type { Json, JsonObject } from "../../core/json.js";
import { type BodyPath, makeIssue } from "../input/issues.js";
import { nameField, type Wording } from "../input/name-field.js";
import { shownValue } from "./shown.js";
import type { FieldVisitor } from "./walk-fields.js";

/**
 * Finds texts that show nothing where the schema wants at least one character (`minLength`). That nothing at all stands
 * there the schema itself says.
 */
export class BlankTexts implements FieldVisitor {
  /** Where they stand below `metadata`. */
  readonly places: BodyPath[] = [];

  onField(value: Json, { bounds }: Field, place: BodyPath): void {
    const isMeant = typeof value === "string" && value !== "" && (bounds.minLength ?? 0) > 0;
    if (isMeant && isBlank(value)) this.places.push([...place]);
  }

  static issueAt(place: BodyPath, metadata: JsonObject, wording: Wording): Issue {
    const { label } = nameField(wording, metadata, place);
    const value = shownValue(valueAt(metadata, place));
    const extra = value === undefined ? {} : { value };
    return makeIssue(["metadata", ...place], "BLANK", [wording.say.BLANK({ label })], extra);
  }
}

/** The value at a place that there is. */
function valueAt(metadata: JsonObject, place: BodyPath): Json {
  return place.reduce<Json>((outer, step) => (outer as JsonObject)[step]!, metadata);
}
