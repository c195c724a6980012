import { applicableShapes, type Field, type ObjectShape, type ShapeChoice } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import { orcidFault } from "../../core/identifiers.js";
import type { Issue, IssueCodeName, Warning } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { Messages } from "../../core/messages/messages.js";
import { nearestNames } from "../../core/nearest.js";
import { isBlank } from "../input/characters.js";
import { type BodyPath, formatFieldPath, IssueList, makeIssue, valueIfShort } from "../input/issues.js";
import { nameField, type Wording } from "../input/name-field.js";

/** Maximum offset of local time from UTC, of any place on Earth. */
const AHEAD_OF_UTC_MS = 14 * 3_600_000;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The expected values of a model, by path. No path leads through a list. */
interface ExpectedValues {
  readonly byPath: ReadonlyMap<string, string>;
  /** The last names of these paths: a quick check that excludes most values. */
  readonly names: ReadonlySet<string | number | undefined>;
}

/** Prepares the expected values of a model for the check of single values. */
export function expectedValues({ expected }: Pick<Model, "expected">): ExpectedValues {
  return { byPath: expected, names: new Set([...expected.keys()].map((path) => path.split(".").at(-1))) };
}

/** Rules for values beyond the schema. */
interface Expectations {
  readonly expected: ExpectedValues;
  /** Microseconds since 1970 UTC. */
  readonly nowMicros: number;
}

/** A visitor of the values of a record, outer before inner. A place has the keys and indices below `metadata`. */
interface FieldVisitor {
  /** Called for the value of a field of the model. Copy the place to keep it: the walk changes it. */
  onField?(value: Json, field: Field, place: BodyPath): void;
  /**
   * Called for a value of an object with a name that none of its shapes has.
   *
   * @param place the place of the object
   */
  onUnknown?(name: string, holder: JsonObject, shapes: readonly ObjectShape[], place: BodyPath): void;
}

/**
 * Walks a record along its model. If an object has not chosen an alternative yet, the fields of all alternatives are
 * known. Values below an unknown name, or in objects that accept anything, are not visited.
 *
 * @param metadata nests at most LIMITS.bodyDepthMax levels
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
    const shapes = shape.choices.length === 0 ? [shape] : applicableShapes(shape, value);
    for (const [name, inner] of Object.entries(value)) {
      const field = findField(shapes, name);
      if (field !== undefined) below(name, inner, field);
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

/** Returns whether the object accepts any field: the schema says so, or declares no field. */
function isOpen(shapes: readonly ObjectShape[]): boolean {
  return shapes.some((shape) => shape.isOpen) || shapes.every(({ fields }) => fields.size === 0);
}

/**
 * Warns of values that are valid but most likely wrong: a value that the model does not expect, a date in the future
 * where only the past makes sense, an invalid ORCID iD.
 */
export class UnlikelyValues implements FieldVisitor {
  readonly warnings = new IssueList<Warning>();

  constructor(
    readonly metadata: JsonObject,
    readonly wording: Wording,
    readonly expectations: Expectations,
  ) {}

  onField(value: Json, field: Field, place: BodyPath): void {
    if (typeof value !== "string") return;
    const { say } = this.wording;
    const { nowMicros } = this.expectations;
    const { byPath, names } = this.expectations.expected;
    const expected = names.has(place.at(-1)) ? byPath.get(formatFieldPath(["metadata", ...place])) : undefined;
    // A value that is not allowed is already an error.
    const isAllowed = field.allowed === undefined || field.allowed.includes(value);
    if (expected !== undefined && value !== expected && isAllowed) {
      this.#warn("UNEXPECTED_VALUE", place, value, (label) => say.UNEXPECTED_VALUE({ label, value, expected }));
    }
    if (field.isPast && beginsAfter(value, nowMicros / 1000)) {
      this.#warn("DATE_IN_FUTURE", place, value, (label) => say.DATE_IN_FUTURE({ label, value }));
    }
    const fault = orcidFault(value);
    if (fault === undefined) return;
    this.#warn("ORCID_WRONG", place, value, (label) => say.ORCID_WRONG({ label, value, isForm: fault === "form" }));
  }

  #warn(code: IssueCodeName, place: BodyPath, value: Json, describe: (label: string) => string): void {
    this.warnings.add(() => {
      const { label } = nameField(this.wording, this.metadata, place);
      return { code, message: describe(label), field: formatFieldPath(["metadata", ...place]), value };
    });
  }
}

/**
 * Returns whether a date-time is after an instant (milliseconds since 1970). For a date: whether it begins after the
 * instant everywhere on Earth.
 */
function beginsAfter(text: string, nowMs: number): boolean {
  const at = DAY.test(text) ? Date.parse(text) - AHEAD_OF_UTC_MS : Date.parse(text);
  return at > nowMs;
}

/**
 * Finds blank texts in fields for which the schema requires at least one character (`minLength`). The schema itself
 * reports empty texts.
 */
export class BlankTexts implements FieldVisitor {
  /** Their places below `metadata`. */
  readonly places: BodyPath[] = [];

  onField(value: Json, { bounds }: Field, place: BodyPath): void {
    const isChecked = typeof value === "string" && value !== "" && (bounds.minLength ?? 0) > 0;
    if (isChecked && isBlank(value)) this.places.push([...place]);
  }

  static issueAt(place: BodyPath, metadata: JsonObject, wording: Wording): Issue {
    const { label } = nameField(wording, metadata, place);
    const value = valueIfShort(valueAt(metadata, place));
    const extra = value === undefined ? {} : { value };
    return makeIssue(["metadata", ...place], "BLANK", [wording.say.BLANK({ label })], extra);
  }
}

/** Returns the value at an existing place. */
function valueAt(metadata: JsonObject, place: BodyPath): Json {
  return place.reduce<Json>((outer, step) => (outer as JsonObject)[step]!, metadata);
}

/**
 * Warns of every unknown field, with similar names, or with the alternative to which it would belong.
 */
export class UnknownFields implements FieldVisitor {
  readonly warnings = new IssueList<Warning>();

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
    const knownNames = shapes.flatMap((shape) => [...shape.fields.keys()]);
    const near = nearestNames(name, knownNames, LIMITS.nearestMax);
    const nearest = near[0] === undefined ? {} : { nearest: near[0] };
    const message = this.say.UNKNOWN_FIELD({ name, belongsTo: [], chosen: "", ...nearest });
    return { code: "UNKNOWN_FIELD", message, field, nearest: near.length === 0 ? undefined : near };
  }
}

/** Returns the values of the choosing field with which the object would have this field. */
function valuesWith(name: string, { alternatives }: ShapeChoice): readonly string[] {
  return alternatives.filter(({ shape }) => mayHold(shape, name)).flatMap(({ values }) => values);
}

function mayHold({ fields, choices }: ObjectShape, name: string): boolean {
  return fields.has(name) || choices.some((choice) => valuesWith(name, choice).length > 0);
}
