/** Checks of the amount of text in a record, and of its characters. */

import type { PathNode } from "../../core/catalog/places.js";
import type { Leaf, Model } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { LIMITS, type TextLimits } from "../../core/limits.js";
import { hasMoreCodePoints } from "../../query/text/positions.js";
import { forbiddenIn, forbiddenInLine, isBlank, nameOfForbidden } from "../input/characters.js";
import { type BodyPath, formatFieldPath, makeIssue } from "../input/issues.js";
import { nameField, type Wording } from "../input/name-field.js";
import { type ModelSites, rewriteSites } from "../input/walk-sites.js";

/** Number of fields that an error names. */
const FIELDS_MAX = 3;

/** Number of texts with problems that one answer names. */
const ISSUES_MAX = 100;

/**
 * Checks the texts of metadata, before any other step.
 *
 * @param isStored the metadata come from the store: text that the service filled in from cited terms does not count
 * @returns problems that a draft may have: a title that is too long or has line breaks, a line break in an id; and in
 *          metadata that are older than this rule, any forbidden character
 * @throws BODY_INVALID (DRAFT_INVALID of stored metadata) naming each text that is too long; RECORD_TOO_LARGE if all
 *         texts together are
 */
export function checkTexts(
  metadata: JsonObject,
  model: Model,
  { textBytesMax, recordTextBytesMax }: TextLimits,
  wording: Wording,
  isStored: boolean,
): readonly Issue[] {
  const place: (string | number)[] = [];
  const sizes = mayBeLarger(metadata, recordTextBytesMax) ? new FieldSizes(recordTextBytesMax) : undefined;
  const tooLong: Issue[] = [];
  const issues: Issue[] = [];

  const labelHere = (): string => nameField(wording, metadata, place).label;
  const add = (to: Issue[], code: "TOO_LONG" | "BAD_CHARACTER", message: string): void => {
    if (to.length < ISSUES_MAX) to.push(makeIssue(["metadata", ...place], code, [message]));
  };
  const checkText = (text: string, leaf: Leaf | undefined, isFilled: boolean): void => {
    const mayBeTooLong = text.length * BYTES_PER_UNIT_MAX > textBytesMax;
    if (mayBeTooLong || (sizes !== undefined && !isFilled)) {
      const bytes = Buffer.byteLength(text);
      if (bytes > textBytesMax) {
        add(tooLong, "TOO_LONG", wording.say.textTooLong({ label: labelHere(), bytes, max: textBytesMax }));
        return;
      }
      if (!isFilled) sizes?.add(bytes, place);
    }
    // The schema reports a text of blanks only.
    const mustBeLine = leaf !== undefined && isLine(leaf) && !isBlank(text);
    const character = mustBeLine ? forbiddenInLine(text) : forbiddenIn(text);
    if (character !== undefined) {
      const about = { subject: labelHere(), what: nameOfForbidden(character), mustBeLine };
      add(issues, "BAD_CHARACTER", wording.say.BAD_CHARACTER(about));
    } else if (leaf?.weight === "title" && hasMoreCodePoints(text, LIMITS.titleCodePointsMax)) {
      add(issues, "TOO_LONG", wording.say.TOO_LONG({ label: labelHere(), max: LIMITS.titleCodePointsMax }));
    }
  };
  const visit = (value: Json, here: PathNode | undefined, isFilled: boolean): void => {
    if (typeof value === "string") checkText(value, here?.leaf, isFilled);
    else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) below(i, item as Json, here, isFilled);
    } else if (isObject(value)) {
      const isTerm = isStored && Object.hasOwn(value, "@v");
      for (const [key, inner] of Object.entries(value)) {
        const isCopied = isFilled || (isTerm && key !== "id");
        if (!isCopied) sizes?.add(Buffer.byteLength(key), place);
        below(key, inner, here?.below.get(key), isCopied);
      }
    }
  };
  const below = (step: string | number, value: Json, here: PathNode | undefined, isFilled: boolean): void => {
    place.push(step);
    visit(value, here, isFilled);
    place.pop();
  };
  visit(metadata, model.places, false);
  if (tooLong.length > 0) throw fail(isStored ? "DRAFT_INVALID" : "BODY_INVALID", { issues: tooLong });
  sizes?.check();
  return issues;
}

/**
 * Checks the size of cited terms and references after they are filled in. A text that is filled in at thousands of
 * places could make a very large record from a small body.
 *
 * @throws RECORD_TOO_LARGE
 */
export function checkFilled(metadata: JsonObject, sites: ModelSites, { recordTextBytesMax }: TextLimits): void {
  if (!mayBeLarger(metadata, recordTextBytesMax)) return;
  const sizes = new FieldSizes(recordTextBytesMax, true);
  const addSize = (element: JsonObject, _: unknown, place: BodyPath): JsonObject => {
    // Beyond the limit, the rest is skipped: measuring it would take as long as storing it.
    if (!sizes.isExceeded()) sizes.add(Buffer.byteLength(JSON.stringify(element)), place.slice(1));
    return element;
  };
  rewriteSites(metadata, sites.terms, addSize);
  rewriteSites(metadata, sites.references, addSize);
  sizes.check();
}

/** Bytes of a character in UTF-8 per UTF-16 unit, at most. */
const BYTES_PER_UNIT_MAX = 3;

/** Bytes of a character in JSON per UTF-16 unit, at most: an escape such as `\u0007`. */
const JSON_BYTES_PER_UNIT_MAX = 6;

/** Bytes of JSON that a value adds to the texts of its key and its content, at most: a number, quotes, brackets. */
const JSON_BYTES_PER_VALUE_MAX = 32;

/** Returns whether JSON may be larger than some bytes, by an upper bound that costs a fraction of the exact size. */
function mayBeLarger(value: Json, bytesMax: number): boolean {
  let bytes = 0;
  const visit = (each: Json): void => {
    bytes += JSON_BYTES_PER_VALUE_MAX;
    if (typeof each === "string") bytes += each.length * JSON_BYTES_PER_UNIT_MAX;
    else if (Array.isArray(each)) for (const item of each) visit(item as Json);
    else if (isObject(each)) {
      for (const key in each) {
        bytes += key.length * JSON_BYTES_PER_UNIT_MAX;
        visit(each[key]!);
      }
    }
  };
  visit(value);
  return bytes > bytesMax;
}

/** Fields that appear in lists, references and citations. */
const LINES = /\.(id|title|name|given_name|family_name)$/;

/** Returns whether the text must be a single line. */
const isLine = ({ weight, path }: Leaf): boolean => weight === "title" || LINES.test(path);

/** Sums up the sizes of texts, and the sizes by field for an error message. */
class FieldSizes {
  #bytes = 0;
  readonly #byField = new Map<string, number>();

  /** @param isFilled the texts are filled in by the service */
  constructor(
    readonly max: number,
    readonly isFilled = false,
  ) {}

  add(bytes: number, place: BodyPath): void {
    this.#bytes += bytes;
    // Ignores short texts: no record can have enough of them to matter here.
    if (bytes * LIMITS.bodyLeavesMax < this.max) return;
    const field = formatFieldPath(["metadata", ...place.filter((step) => typeof step === "string")]);
    this.#byField.set(field, (this.#byField.get(field) ?? 0) + bytes);
  }

  isExceeded(): boolean {
    return this.#bytes > this.max;
  }

  /** @throws RECORD_TOO_LARGE */
  check(): void {
    if (!this.isExceeded()) return;
    const most = [...this.#byField].sort(([, a], [, b]) => b - a).slice(0, FIELDS_MAX);
    const fields = most.length === 0 ? ["many short texts"] : most.map(([field, bytes]) => `${field} (${bytes})`);
    throw fail("RECORD_TOO_LARGE", { bytes: this.#bytes, max: this.max, fields, isFilled: this.isFilled });
  }
}
