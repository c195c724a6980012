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
  minProperties: (limit) => `needs at least ${count(limit, "field")}`,
  maxProperties: (limit) => `may have at most ${count(limit, "field")}`,
  contains: () => "has too few or too many entries of one kind",
  propertyNames: () => "has a field whose name is not allowed",
  "false schema": () => "may not be here",
};

/** In plain English. */
export const EN: Messages = {
  metadata: "Metadata",
  type: (name) => (name === undefined ? "nothing" : TYPES[name]),
  item: (title, list, n) => (title === "" ? `${list}, item ${n}` : `${title} ${n}`),
  partOf: (part, whole) => `${part} of ${whole}`,
  within: (label, items) => (items.length === 0 ? label : `${label} (${items.join("; ")})`),
  bodyIsNoObject: "A record is a JSON object with the key metadata.",
  bodyWithoutMetadata: "A record needs metadata.",
  metadataIsNoObject: "metadata is a JSON object; what was sent is kept in `value` of this entry only.",
  numberTooGreat: "The number is greater than any that can be kept.",
  moreUnknownFields: (n) => `${count(n, "more field")} are not known to this model; they are kept, too.`,

  REQUIRED: ({ label }) => `${label} is missing.`,
  WRONG_TYPE: ({ label, types, found }) => `${label} must be ${either(types)}, but it is ${found}.`,
  NOT_ALLOWED: ({ label, value, allowed, more, nearest }) => {
    const others = more === 0 ? "" : ` and ${more} more`;
    const cure = nearest === undefined ? `it takes ${allowed.join(", ")}${others}.` : `did you mean ${nearest}?`;
    return `${value} is not a value of ${label}; ${cure}`;
  },
  TOO_SMALL: ({ label, limit, isExclusive, notKnown }) => {
    const meaning = notKnown === undefined ? "" : `; ${notKnown} says that it is not known`;
    return `${label} must be ${isExclusive ? "above" : "at least"} ${limit}${meaning}.`;
  },
  TOO_LARGE: ({ label, limit, isExclusive }) => `${label} must be ${isExclusive ? "below" : "at most"} ${limit}.`,
  NOT_A_MULTIPLE: ({ label, step }) => `${label} must be a multiple of ${step}.`,
  TOO_SHORT: ({ label, min }) =>
    min === 1 ? `${label} may not be empty.` : `${label} needs at least ${min} characters.`,
  TOO_LONG: ({ label, max }) => `${label} may have at most ${count(max, "character")}.`,
  BLANK: ({ label }) => `${label} holds only blanks or characters that cannot be seen; it may not be empty.`,
  TOO_FEW_ITEMS: ({ label, min, isRequired }) =>
    `${label} needs at least ${count(min, "entry")}${isRequired ? "" : "; leave it out if there is none"}.`,
  TOO_MANY_ITEMS: ({ label, max }) => `${label} may have at most ${count(max, "entry")}.`,
  REPEATED_ITEM: ({ label, first, second }) => `Entries ${first} and ${second} of ${label} are equal; leave one out.`,
  BAD_FORMAT: ({ label, value, format }) => `${label} must be ${FORMATS[format] ?? format}, but it is ${value}.`,
  BAD_PATTERN: ({ label, value, pattern }) => `${label} must match the pattern ${pattern}, but it is ${value}.`,
  NO_ALTERNATIVE: ({ label }) => `${label} fits none (or more than one) of the forms that it may have.`,
  INVALID: ({ label, rule, limit, said }) => `${label} ${RULES[rule]?.(limit) ?? said}.`,
  MORE_PROBLEMS: ({ count: n }) => `There ${n === 1 ? "is 1 more problem" : `are ${n} more problems`}.`,
  BAD_CHARACTER: ({ isKey, isNul }) =>
    `The ${isKey ? "key" : "text"} holds ${isNul ? "NUL" : "half of a surrogate pair"}, which cannot be kept.`,
  TERM_UNKNOWN: ({ label, id, vocabulary, nearest }) => {
    const cure = nearest === undefined ? "" : `; did you mean ${nearest.id} (${nearest.title})`;
    return `${label}: ${vocabulary} has no item "${id}"${cure}${cure === "" ? "." : "?"}`;
  },
  TERM_GONE: ({ label, id, vocabulary, nearest }) => {
    const cure = nearest === undefined ? "" : `; the nearest is ${nearest.id} (${nearest.title})`;
    return `${label}: "${id}" was removed from ${vocabulary}${cure}.`;
  },
  REFERENCE_DANGLING: ({ label, id, list, nearest }) => {
    const cure = nearest === undefined ? "." : `; did you mean "${nearest}"?`;
    return `${label}: nothing in ${list} has the id "${id}"${cure}`;
  },
  REPEATED_ID: ({ label, id, first }) =>
    `${label}: "${id}" is the id of ${first} already; each needs its own, because other parts refer to it.`,
  NOT_OFFERED: ({ field, asked }) => NOT_OFFERED[asked](field),
  UNEXPECTED_VALUE: ({ label, value, expected }) =>
    `${label} is "${value}", which belongs to another model; records of this one have "${expected}".`,
  DATE_IN_FUTURE: ({ label, value }) => `${label} is ${value}, which has not come yet.`,
  ORCID_WRONG: ({ label, value, isForm }) =>
    isForm
      ? `${label}: "${value}" has not the form of an ORCID iD, which is orcid:0000-0002-1825-0097.`
      : `${label}: "${value}" is no ORCID iD; its last character does not fit the others, so one of them is wrong.`,
  UNKNOWN_FIELD: ({ name, belongsTo, chosen, nearest }) => {
    const kept = "it is kept and found by its text.";
    if (belongsTo.length > 0) return `"${name}" belongs to ${either(belongsTo)}, not to ${chosen}; ${kept}`;
    return `"${name}" is not known here; ${kept}${nearest === undefined ? "" : ` Did you mean "${nearest}"?`}`;
  },
  UNKNOWN_KEY: ({ key }) => `Only metadata is read; "${key}" was left out.`,
  TERM_FIELD_REPLACED: ({ key, isDropped, vocabulary, id }) =>
    isDropped ? dropped(key) : `"${key}" was replaced by what ${vocabulary} has for "${id}".`,
  REFERENCE_FIELD_REPLACED: ({ key, isDropped, list, id }) =>
    isDropped ? dropped(key) : `"${key}" was replaced by what "${id}" of ${list} has.`,
  TERM_REPLACED: ({ id, successor }) => `"${id}" is now "${successor}", which stands in its place.`,
  TERM_DEPRECATED: ({ id, vocabulary }) => `"${id}" of ${vocabulary} is deprecated and has no successor.`,
};

const NOT_OFFERED: Readonly<Record<NotOffered, (field: string) => string>> = {
  restriction: (field) =>
    `What is published here is public; ${field} asks for something else. Leave it out or send "public"; what others ` +
    "may not see stays a draft.",
  embargo: (field) =>
    `What is published here is public at once; leave ${field} out, and publish the draft when the embargo has ended.`,
  files: (field) =>
    `No files are kept here, only metadata, but ${field} asks for files. Leave files out or send {"enabled": false}; ` +
    "say in the metadata where the files are.",
};

const dropped = (key: string): string => `"${key}" is not copied here and was dropped.`;

function count(n: number, noun: string): string {
  if (n === 1) return `one ${noun}`;
  return `${n} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

function either(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
