/** A type of JSON Schema. */
export type TypeName = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

/** The subject of a sentence: a field by its title and place, as `services/input/name-field.ts` names it. */
interface About {
  readonly label: string;
}

/** A bound of a field. Values are formatted: texts have quotes, and long ones are cut. */
interface Bound extends About {
  /** With its unit, if there is one: `-273.15 °C`. */
  readonly limit: string;
  /** Whether the limit itself is out of range. */
  readonly isExclusive: boolean;
  /** The number that stands for "not known", which is allowed although it is below the limit. */
  readonly notKnown?: string;
}

interface Choice extends About {
  readonly value: string;
  /** The first of the allowed values; `more` counts the others. */
  readonly allowed: readonly string[];
  readonly more: number;
  readonly nearest?: string;
}

interface Unfound extends About {
  readonly id: string;
  readonly vocabulary: string;
  readonly nearest?: { readonly id: string; readonly title: string } | undefined;
}

/** A value that was sent in an object that the service fills in. */
interface Dropped {
  readonly key: string;
  /** Whether it was removed without a replacement. */
  readonly isDropped: boolean;
  readonly id: string;
}

/** Features that bodies may request and that this service does not have. */
export type NotOffered = "restriction" | "embargo" | "files";

/** One sentence for each code that a record's errors and warnings can have. */
interface ByCode {
  REQUIRED(about: About): string;
  /** @param about types as `type()` says them */
  WRONG_TYPE(about: About & { readonly types: readonly string[]; readonly found: string }): string;
  NOT_ALLOWED(about: Choice): string;
  TOO_SMALL(about: Bound): string;
  TOO_LARGE(about: Bound): string;
  NOT_A_MULTIPLE(about: About & { readonly step: string }): string;
  TOO_SHORT(about: About & { readonly min: number }): string;
  TOO_LONG(about: About & { readonly max: number }): string;
  BLANK(about: About): string;
  TOO_FEW_ITEMS(about: About & { readonly min: number; readonly isRequired: boolean }): string;
  TOO_MANY_ITEMS(about: About & { readonly max: number }): string;
  /** @param about positions of the two entries, from 1 */
  REPEATED_ITEM(about: About & { readonly first: number; readonly second: number }): string;
  BAD_FORMAT(about: About & { readonly value: string; readonly format: string }): string;
  BAD_PATTERN(about: About & { readonly value: string; readonly pattern: string }): string;
  NO_ALTERNATIVE(about: About): string;
  /** @param about `rule` is a keyword of JSON Schema, `said` the English message of the validator */
  INVALID(about: About & { readonly rule: string; readonly limit: number; readonly said: string }): string;
  MORE_PROBLEMS(about: { readonly count: number }): string;
  MORE_WARNINGS(about: { readonly count: number }): string;
  /**
   * @param about `what`: the character, such as `a tab`; `subject`: the text that contains it, as the sentence starts
   */
  BAD_CHARACTER(about: { readonly subject: string; readonly what: string; readonly mustBeLine: boolean }): string;
  /** @param about actual and maximum size of a text, in bytes */
  textTooLong(about: About & { readonly bytes: number; readonly max: number }): string;
  keyTooLong(about: { readonly start: string; readonly length: number; readonly max: number }): string;
  /** @param about `authority`: set if this authority has no such id either */
  TERM_UNKNOWN(about: Unfound & { readonly authority?: string | undefined }): string;
  TERM_GONE(about: Unfound): string;
  /** @param about `reason` follows the name of the authority: `does not answer` */
  TERM_UNCHECKED(about: Unfound & { readonly authority: string; readonly reason: string }): string;
  REPEATED_ID(about: About & { readonly id: string; readonly first: string }): string;
  NOT_OFFERED(about: { readonly field: string; readonly asked: NotOffered }): string;
  UNEXPECTED_VALUE(about: About & { readonly value: string; readonly expected: string }): string;
  DATE_IN_FUTURE(about: About & { readonly value: string }): string;
  /** @param about `isForm`: it does not have the form of an ORCID iD; else its check digit is wrong */
  ORCID_WRONG(about: About & { readonly value: string; readonly isForm: boolean }): string;
  REFERENCE_DANGLING(about: About & { readonly id: string; readonly list: string; readonly nearest?: string }): string;
  /** @param about `belongsTo`: the alternatives that have this field, none of which is `chosen` */
  UNKNOWN_FIELD(about: {
    readonly name: string;
    readonly belongsTo: readonly string[];
    readonly chosen: string;
    readonly nearest?: string;
  }): string;
  UNKNOWN_KEY(about: { readonly key: string }): string;
  TERM_FIELD_REPLACED(about: Dropped & { readonly vocabulary: string }): string;
  REFERENCE_FIELD_REPLACED(about: Dropped & { readonly list: string }): string;
  TERM_REPLACED(about: { readonly id: string; readonly successor: string }): string;
  TERM_DEPRECATED(about: { readonly id: string; readonly vocabulary: string }): string;
}

/** Names and phrases in these sentences. */
interface Names {
  /** The whole of a record's metadata. */
  readonly metadata: string;
  /** @param name a type of JSON Schema; undefined: the value is missing */
  type(name: TypeName | undefined): string;
  /** Names an item of a list, counted from 1. @param title of the item itself, or "" */
  item(title: string, list: string, n: number): string;
  /** Names a part of an object, such as its unit or id. */
  partOf(part: string, whole: string): string;
  /** Names a value inside items of lists, outer before inner. */
  within(label: string, items: readonly string[]): string;
  /** Messages for bodies without valid metadata. */
  readonly bodyWithoutMetadata: string;
  readonly bodyIsNoObject: string;
  readonly metadataIsNoObject: string;
  readonly numberTooGreat: string;
}

/** All messages about a record in one language. */
export interface Messages extends ByCode, Names {}
