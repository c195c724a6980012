import type { Field } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import { faultOfOrcid } from "../../core/identifiers/orcid.js";
import type { Warning } from "../../core/issue.js";
import type { IssueCodeName } from "../../core/issue-codes.js";
import type { Json, JsonObject } from "../../core/json.js";
import { type BodyPath, fieldOf, Listed } from "../input/issues.js";
import { nameField, type Wording } from "../input/name-field.js";
import type { FieldVisitor } from "./walk-fields.js";

/** The clock of some place on Earth is ahead of UTC by this much at most. */
const AHEAD_OF_UTC_MS = 14 * 3_600_000;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** What records of a model have, by path. No path leads through a list. */
interface ExpectedValues {
  readonly byPath: ReadonlyMap<string, string>;
  /** The last names of these paths: most values need no path to be told from them. */
  readonly names: ReadonlySet<string | number | undefined>;
}

export function expectedValues({ expected }: Pick<Model, "expected">): ExpectedValues {
  return { byPath: expected, names: new Set([...expected.keys()].map((path) => path.split(".").at(-1))) };
}

/** What a value is held against, beside the schema. */
interface Expectations {
  readonly expected: ExpectedValues;
  /** Microseconds since 1970 UTC. */
  readonly nowMicros: number;
}

/**
 * Warns of values that the schema takes and that are most likely wrong: another value than the model expects there, a
 * date after now where only the past is meant, an ORCID iD that is none.
 */
export class Doubts implements FieldVisitor {
  readonly warnings = new Listed<Warning>();

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
    const expected = names.has(place.at(-1)) ? byPath.get(fieldOf(["metadata", ...place])) : undefined;
    // A value that is not allowed is an error already.
    const isAllowed = field.allowed === undefined || field.allowed.includes(value);
    if (expected !== undefined && value !== expected && isAllowed) {
      this.#warn("UNEXPECTED_VALUE", place, value, (label) => say.UNEXPECTED_VALUE({ label, value, expected }));
    }
    if (field.isPast && beginsAfter(value, nowMicros / 1000)) {
      this.#warn("DATE_IN_FUTURE", place, value, (label) => say.DATE_IN_FUTURE({ label, value }));
    }
    const fault = faultOfOrcid(value);
    if (fault === undefined) return;
    this.#warn("ORCID_WRONG", place, value, (label) => say.ORCID_WRONG({ label, value, isForm: fault === "form" }));
  }

  #warn(code: IssueCodeName, place: BodyPath, value: Json, said: (label: string) => string): void {
    this.warnings.add(() => {
      const { label } = nameField(this.wording, this.metadata, place);
      return { code, message: said(label), field: fieldOf(["metadata", ...place]), value };
    });
  }
}

/** Does a date-time lie after an instant (milliseconds since 1970)? And a day, wherever on Earth it is meant? */
function beginsAfter(text: string, nowMs: number): boolean {
  const at = DAY.test(text) ? Date.parse(text) - AHEAD_OF_UTC_MS : Date.parse(text);
  return at > nowMs;
}
