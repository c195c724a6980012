/** A type of JSON Schema. */
export type TypeName = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

/** What a sentence is about: a field by its title and place, as `services/input/name-field.ts` puts them together. */
interface About {
  readonly label: string;
}

/** Values are texts as they are to be shown: with quotes around texts, and cut where they are long. */
interface Bound extends About {
  /** With its unit, where it has one: `-273.15 °C`. */
  readonly limit: string;
  /** The limit itself is out of range, too. */
  readonly isExclusive: boolean;
  /** The number that stands for "not known", and may be there although it is below the limit. */
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
  readonly nearest?: { readonly id: string; readonly title: string };
}

/** What was sent in an object that the service fills in itself. */
interface Dropped {
  readonly key: string;
  /** Nothing stands in its place. */
  readonly isDropped: boolean;
  readonly id: string;
}

/** What some bodies ask for and this service does not do. */
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
  /** @param about places of the two in the list, from 1 */
  REPEATED_ITEM(about: About & { readonly first: number; readonly second: number }): string;
  BAD_FORMAT(about: About & { readonly value: string; readonly format: string }): string;
  BAD_PATTERN(about: About & { readonly value: string; readonly pattern: string }): string;
  NO_ALTERNATIVE(about: About): string;
  /** @param about `rule` is a keyword of JSON Schema, `said` what its validator says of it, in English */
  INVALID(about: About & { readonly rule: string; readonly limit: number; readonly said: string }): string;
  MORE_PROBLEMS(about: { readonly count: number }): string;
  MORE_WARNINGS(about: { readonly count: number }): string;
  /** @param about `what`: the character, such as `a tab`; `subject`: what holds it, at the start of the sentence */
  BAD_CHARACTER(about: { readonly subject: string; readonly what: string; readonly mustBeLine: boolean }): string;
  /** @param about what one text has, and may have, in bytes */
  textTooLong(about: About & { readonly bytes: number; readonly max: number }): string;
  keyTooLong(about: { readonly start: string; readonly length: number; readonly max: number }): string;
  /** @param about `authority`: it was asked, and has no such id either */
  TERM_UNKNOWN(about: Unfound & { readonly authority?: string }): string;
  TERM_GONE(about: Unfound): string;
  /** @param about `reason` follows the name of the authority: `does not answer` */
  TERM_UNCHECKED(about: Unfound & { readonly authority: string; readonly reason: string }): string;
  REPEATED_ID(about: About & { readonly id: string; readonly first: string }): string;
  NOT_OFFERED(about: { readonly field: string; readonly asked: NotOffered }): string;
  UNEXPECTED_VALUE(about: About & { readonly value: string; readonly expected: string }): string;
  DATE_IN_FUTURE(about: About & { readonly value: string }): string;
  /** @param about `isForm`: it has not the form of an ORCID iD; else its last digit does not fit the others */
  ORCID_WRONG(about: About & { readonly value: string; readonly isForm: boolean }): string;
  REFERENCE_DANGLING(about: About & { readonly id: string; readonly list: string; readonly nearest?: string }): string;
  /** @param about `belongsTo`: what the field would belong to, had `chosen` not been chosen */
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

/** How things are called in these sentences. */
interface Names {
  /** The whole of a record's metadata. */
  readonly metadata: string;
  /** @param name a type of JSON Schema; undefined: nothing is there */
  type(name: TypeName | undefined): string;
  /** An item of a list, counted from 1. @param title of the item itself, or "" */
  item(title: string, list: string, n: number): string;
  /** A part of something: its unit, its id. */
  partOf(part: string, whole: string): string;
  /** Something that stands in items of lists, outer before inner. */
  within(label: string, items: readonly string[]): string;
  /** What is said where the body has no metadata, or metadata that is no object. */
  readonly bodyWithoutMetadata: string;
  readonly bodyIsNoObject: string;
  readonly metadataIsNoObject: string;
  readonly numberTooGreat: string;
}

/** Everything that people are told of a record in one language; the compiler holds every language to it. */
export interface Messages extends ByCode, Names {}
