import { beginningOfText } from "../records/beginning.js";
import type { Messages, NotOffered, TypeName } from "./messages.js";

const TYPES: Readonly<Record<TypeName, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "empty (null)",
};

const FORMATS: Readonly<Record<string, string>> = {
  date: "a date such as 2026-11-21",
  "date-time": "a date and time such as 2026-11-21T10:00:00Z",
  time: "a time such as 10:00:00Z",
  email: "an e-mail address such as name@example.org",
  uri: "a web address such as https://example.org/page",
  "uri-reference": "a web address such as https://example.org/page, or a part of one such as /page",
  uuid: "a UUID such as 123e4567-e89b-12d3-a456-426614174000",
};

/** Rules of a schema that have no code of their own. */
const RULES: Readonly<Record<string, (limit: number) => string>> = {
  minProperties: (limit) => `at least ${count(limit, "field")} must be given`,
  maxProperties: (limit) => `at most ${count(limit, "field")} may be given`,
  contains: () => "too few or too many entries of one kind",
  propertyNames: () => "the name of a field in it is not allowed",
  "false schema": () => "not allowed here",
};

/** The messages in English. A label may be plural ("Depositors"), so no verb may depend on its number. */
export const EN: Messages = {
  metadata: "Metadata",
  type: (name) => (name === undefined ? "missing" : TYPES[name]),
  item: (title, list, n) => (title === "" ? `${list}, item ${n}` : `${title} ${n}`),
  partOf: (part, whole) => `${part} of ${whole}`,
  within: (label, items) => (items.length === 0 ? label : `${label} (${items.join("; ")})`),
  bodyIsNoObject: 'A record must be a JSON object with the key "metadata".',
  bodyWithoutMetadata: 'A record must have the key "metadata".',
  metadataIsNoObject: '"metadata" must be a JSON object; what was sent is not stored.',
  numberTooGreat: "The number is too large to be stored.",

  REQUIRED: ({ label }) => `${label}: required, but missing.`,
  WRONG_TYPE: ({ label, types, found }) => `${label} must be ${either(types)}, not ${found}.`,
  NOT_ALLOWED: ({ label, value, allowed, more, nearest }) => {
    const others = more === 0 ? "" : ` and ${more} more`;
    const cure = nearest === undefined ? `allowed values: ${allowed.join(", ")}${others}.` : `did you mean ${nearest}?`;
    return `${label}: ${value} is not an allowed value; ${cure}`;
  },
  TOO_SMALL: ({ label, limit, isExclusive, notKnown }) => {
    const meaning = notKnown === undefined ? "" : `, or ${notKnown} if it is not known`;
    return `${label} must be ${isExclusive ? "greater than" : "at least"} ${limit}${meaning}.`;
  },
  TOO_LARGE: ({ label, limit, isExclusive }) => `${label} must be ${isExclusive ? "less than" : "at most"} ${limit}.`,
  NOT_A_MULTIPLE: ({ label, step }) => `${label} must be a multiple of ${step}.`,
  TOO_SHORT: ({ label, min }) =>
    min === 1 ? `${label} must not be empty.` : `${label} must have at least ${min} characters.`,
  TOO_LONG: ({ label, max }) => `${label} must have at most ${count(max, "character")}.`,
  BLANK: ({ label }) => `${label} must not be empty; the text has only spaces or invisible characters.`,
  TOO_FEW_ITEMS: ({ label, min, isRequired }) =>
    `${label} must have at least ${count(min, "entry")}${isRequired ? "" : "; leave out the field if there are none"}.`,
  TOO_MANY_ITEMS: ({ label, max }) => `${label} must have at most ${count(max, "entry")}.`,
  REPEATED_ITEM: ({ label, first, second }) =>
    `${label}: entries ${first} and ${second} are equal; remove one of them.`,
  BAD_FORMAT: ({ label, value, format }) => `${label} must be ${FORMATS[format] ?? format}, not ${value}.`,
  BAD_PATTERN: ({ label, value, pattern }) => `${label} must match the pattern ${pattern}; ${value} does not.`,
  NO_ALTERNATIVE: ({ label }) => `${label} must match exactly one of the allowed forms.`,
  INVALID: ({ label, rule, limit, said }) => `${label}: ${RULES[rule]?.(limit) ?? said}.`,
  MORE_PROBLEMS: ({ count: n }) => `There ${n === 1 ? "is 1 more problem" : `are ${n} more problems`}.`,
  MORE_WARNINGS: ({ count: n }) => `There ${n === 1 ? "is 1 more warning" : `are ${n} more warnings`}.`,
  BAD_CHARACTER: ({ subject, what, mustBeLine }) =>
    `${subject} contains ${what}; ${mustBeLine ? "it must be one line without tabs." : "remove it."}`,
  textTooLong: ({ label, bytes, max }) =>
    `${label} has ${bytes} bytes, but one text may have at most ${max}. Shorten it, or cite the text where it is ` +
    "published.",
  keyTooLong: ({ start, length, max }) =>
    `The key that begins with "${start}" has ${length} characters; a key may have at most ${max}.`,
  TERM_UNKNOWN: ({ label, id, vocabulary, nearest, authority }) => {
    const asked = authority === undefined ? "" : `, and ${authority} has no such id`;
    const cure = nearest === undefined ? "" : `; did you mean ${nearest.id} (${nearest.title})`;
    return `${label}: the vocabulary ${vocabulary} has no term ${quoted(id)}${asked}${cure}${cure === "" ? "." : "?"}`;
  },
  TERM_UNCHECKED: ({ label, id, vocabulary, authority, reason }) =>
    `${label}: ${quoted(id)} is not checked, because it is not loaded in ${vocabulary}, and ${authority} ${reason}. ` +
    "Publishing the draft asks again.",
  TERM_GONE: ({ label, id, vocabulary, nearest }) => {
    const cure = nearest === undefined ? "" : `; the nearest term is ${nearest.id} (${nearest.title})`;
    return `${label}: the term ${quoted(id)} was removed from the vocabulary ${vocabulary}${cure}.`;
  },
  REFERENCE_DANGLING: ({ label, id, list, nearest }) => {
    const cure = nearest === undefined ? "." : `; did you mean ${quoted(nearest)}?`;
    return `${label}: no entry of ${list} has the id ${quoted(id)}${cure}`;
  },
  REPEATED_ID: ({ label, id, first }) =>
    `${label}: ${quoted(id)} is already the id of ${first}; each id must be unique, because other parts refer to it.`,
  NOT_OFFERED: ({ field, asked }) => NOT_OFFERED[asked](field),
  UNEXPECTED_VALUE: ({ label, value, expected }) =>
    `${label}: ${quoted(value)} belongs to another model; records of this model have "${expected}".`,
  DATE_IN_FUTURE: ({ label, value }) => `${label}: ${beginningOfText(value, QUOTED_LENGTH)} is in the future.`,
  ORCID_WRONG: ({ label, value, isForm }) =>
    isForm
      ? `${label}: ${quoted(value)} does not have the form of an ORCID iD, such as orcid:0000-0002-1825-0097.`
      : `${label}: ${quoted(value)} is not an ORCID iD: its check digit is wrong, so look for a typing error.`,
  UNKNOWN_FIELD: ({ name, belongsTo, chosen, nearest }) => {
    const kept = "it is stored, and its text can be found.";
    if (belongsTo.length > 0) {
      const other = beginningOfText(chosen, QUOTED_LENGTH);
      return `${quoted(name)} belongs to ${either(belongsTo)}, not to ${other}; ${kept}`;
    }
    const cure = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    return `${quoted(name)} is not a field of this model; ${kept}${cure}`;
  },
  UNKNOWN_KEY: ({ key }) => `${quoted(key)} was ignored; only "metadata" is read.`,
  TERM_FIELD_REPLACED: ({ key, isDropped, vocabulary, id }) =>
    isDropped ? dropped(key) : `${quoted(key)} was replaced by the value of the term "${id}" in ${vocabulary}.`,
  REFERENCE_FIELD_REPLACED: ({ key, isDropped, list, id }) =>
    isDropped ? dropped(key) : `${quoted(key)} was replaced by the value of ${quoted(id)} in ${list}.`,
  TERM_REPLACED: ({ id, successor }) => `"${id}" was replaced by its successor "${successor}".`,
  TERM_DEPRECATED: ({ id, vocabulary }) => `The term "${id}" of ${vocabulary} is deprecated and has no successor.`,
};

const NOT_OFFERED: Readonly<Record<NotOffered, (field: string) => string>> = {
  restriction: (field) =>
    `Every published record is public, but ${field} restricts access. Leave it out or send "public"; to keep a ` +
    "record private, leave it a draft.",
  embargo: (field) =>
    `Every record is public as soon as it is published. Leave ${field} out, and publish the draft when the embargo ` +
    "has ended.",
  files: (field) =>
    `This service stores metadata but no files; ${field} must be left out, or files must be {"enabled": false}. ` +
    "Say in the metadata where the files are.",
};

/** Maximum length of a caller's text in a message, in UTF-16 units; a longer one is cut. */
const QUOTED_LENGTH = 100;

const quoted = (text: string): string => `"${beginningOfText(text, QUOTED_LENGTH)}"`;

const dropped = (key: string): string => `${quoted(key)} is not a field that is copied here, and was dropped.`;

function count(n: number, noun: string): string {
  if (n === 1) return `one ${noun}`;
  return `${n} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

function either(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const LANGUAGES: ReadonlyMap<string, Messages> = new Map([["en", EN]]);

/** Returns the messages in a language, or in English if there are none. */
export function messagesIn(lang = "en"): Messages {
  return LANGUAGES.get(lang) ?? EN;
}
