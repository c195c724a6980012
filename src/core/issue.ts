/** Problems and notes in answers, each at a place of what was sent. */
import { Type } from "typebox";
import { type Answer, json, ref, text } from "./answer.js";

/** Schema of an entry of `errors`. */
export const Issue = Type.Object(
  {
    field: text("A path in the body, or the name of a parameter.", ["metadata.contributors.0.id"]),
    pointer: text("JSON pointer to the same place.", ["/metadata/contributors/0/id"]),
    code: text("Stable; docs/errors.md lists all codes.", ["TERM_UNKNOWN"]),
    messages: Type.Array(Type.String()),
    value: Type.Optional(json("The value that was sent.")),
    allowed: Type.Optional(Type.Array(json(), { description: "The allowed values, if listed." })),
    nearest: Type.Optional(Type.Array(json(), { description: "Suggestions, best first." })),
  },
  { $id: "Issue", description: "One problem at one place, and how to fix it." },
);
/** An entry of `errors`. `core/issue-codes.ts` has the codes. */
export type Issue = Answer<typeof Issue>;

/** Schema of an entry of `warnings`. */
export const Warning = Type.Object(
  {
    code: text("Stable; docs/errors.md lists all codes.", ["UNKNOWN_PARAMETER"]),
    message: Type.String(),
    field: Type.Optional(text("A path in the body.")),
    parameter: Type.Optional(text("The name of a parameter.")),
    value: Type.Optional(json("The value that was dropped.")),
    nearest: Type.Optional(
      Type.Array(json(), { description: "Known names or terms that are similar to the value that was sent." }),
    ),
  },
  { $id: "Warning", description: "A note on what was changed or ignored; a request with warnings succeeds." },
);
/** An entry of `warnings`. */
export type Warning = Answer<typeof Warning>;

/** Warnings of an answer. */
export const Warnings = Type.Optional(Type.Array(ref(Warning), { description: "Absent if there are none." }));

/** The meaning of a code in `errors` or `warnings`, for docs/errors.md. */
interface IssueCode {
  /** `error`: in `errors`, prevents a publication; `warning`: in `warnings`, prevents nothing. */
  readonly kind: "error" | "warning";
  readonly explanation: string;
}

const error = (explanation: string): IssueCode => ({ kind: "error", explanation });
const warning = (explanation: string): IssueCode => ({ kind: "warning", explanation });

/**
 * All codes of entries in `errors` and `warnings`. A code is never reused, as in `core/errors.ts`. docs/errors.md is
 * generated from this table.
 */
export const ISSUE_CODES = {
  REQUIRED: error("A required field is missing. A missing object is one error, whatever fields it requires."),
  WRONG_TYPE: error(
    "The value has the wrong type: text instead of a number, for example. `allowed` lists the allowed values, if " +
      "there is a list of them.",
  ),
  NOT_ALLOWED: error("The value is not one of the allowed values; `allowed` lists them, `nearest` the most similar."),
  TOO_SMALL: error("The number is below the minimum of the field."),
  TOO_LARGE: error("The number is above the maximum of the field."),
  NOT_A_MULTIPLE: error("The number is not a multiple of the step of the field."),
  TOO_SHORT: error("The text has fewer characters than the field requires."),
  TOO_LONG: error("The text has more characters than the field allows."),
  BLANK: error("The text must not be empty, but has only spaces or invisible characters."),
  TOO_FEW_ITEMS: error(
    "The list has fewer entries than the field requires; leave out an optional field that has none.",
  ),
  TOO_MANY_ITEMS: error("The list has more entries than the field allows."),
  REPEATED_ITEM: error("Two entries of the list are equal, but all of them must be different."),
  BAD_FORMAT: error("The text does not have the format of the field, such as 2026-11-21 for a date."),
  BAD_PATTERN: error("The text does not match the pattern of the field, which the message shows."),
  NO_ALTERNATIVE: error(
    "The value must match exactly one of the alternatives of the field; it matches none or several.",
  ),
  INVALID: error("The value violates another rule of the model's schema, which the message names."),
  MORE_PROBLEMS: error("There are more problems than one response lists; fix those that are listed to see the rest."),
  BAD_CHARACTER: error(
    "The text or the key contains a character that is not allowed: a control character, half of a surrogate pair, or " +
      "one that reverses the direction of text. Line breaks and tabs are allowed in long texts, but not in titles, " +
      "names, ids and keys.",
  ),
  UNKNOWN_MEMBER: error("The body has a key that the request does not have; `nearest` names similar keys."),
  UNREADABLE: error("A document of an imported file is not a record; the message says why."),
  USER_UNKNOWN: error("There is no user with this name or id."),
  MOLECULE_UNKNOWN: error("No published record has a molecule with this id; `nearest` names up to five similar ones."),
  TERM_UNKNOWN: error("The vocabulary has no term with this id; `nearest` names up to five similar ones."),
  TERM_GONE: error("The term with this id was removed from its vocabulary."),
  TERM_UNCHECKED: error(
    "The term with this id is not loaded, and the authority that has it could not be asked; the message says why. " +
      "Saving or publishing the draft asks again.",
  ),
  REFERENCE_DANGLING: error(
    "The id refers to another part of the same record, but no such part has this id; `nearest` names similar ids.",
  ),
  REPEATED_ID: error(
    "Two entries of a list have the same id, and other parts of the record refer to entries of this list by id.",
  ),
  NOT_OFFERED: error(
    "The body requests a feature that this service does not have: restricted access (`access`) or files (`files`). " +
      "The draft keeps this error, and cannot be published, until it is saved without the request.",
  ),
  TERM_INVALID: error("A term does not match the declaration of its vocabulary; the message says where."),
  PARAMETER_INVALID: error(
    "The parameter does not accept this value; `allowed` lists the accepted values, if there are few.",
  ),
  PARAMETER_REPEATED: error("The parameter was sent more than once, but accepts one value only."),
  PARAMETERS_CONFLICT: error(
    "Two parameters exclude each other: two spellings of the same parameter, or `q` and `suggest`.",
  ),
  MORE_WARNINGS: warning("There are more warnings than one response lists."),
  UNKNOWN_FIELD: warning(
    "The model does not have this field, or only an alternative that was not chosen has it. It is stored, and its " +
      "text can be found; `nearest` names similar fields.",
  ),
  UNEXPECTED_VALUE: warning("The value is allowed, but belongs to another model, such as another technique."),
  DATE_IN_FUTURE: warning("The date is in the future, but is the date of something that is over."),
  ORCID_WRONG: warning(
    "The identifier is meant to be an ORCID iD but is not valid: its form or its check digit is wrong.",
  ),
  UNKNOWN_KEY: warning("The body has an unknown key next to `metadata`; it was ignored."),
  TERM_FIELD_REPLACED: warning(
    "A field that was sent with the id of a cited term was replaced or dropped; `value` is what was sent.",
  ),
  REFERENCE_FIELD_REPLACED: warning(
    "A field that was sent with the id of another part of the record was replaced or dropped; `value` has what was " +
      "sent.",
  ),
  TERM_REPLACED: warning(
    "A cited term, or one in a filter, has a successor; the id of the successor was used instead.",
  ),
  TERM_DEPRECATED: warning("The cited term is deprecated and has no successor; it may still be cited."),
  TERM_ALIKE: warning(
    "The vocabulary already has a term with the same identifier, or with the same or a similar title: `nearest`.",
  ),
  UNKNOWN_PARAMETER: warning("The parameter is not known and was ignored; `nearest` names similar ones."),
  PARAMETER_IGNORED: warning("The parameter has no effect here; the message says why."),
  PAGE_SIZE_REDUCED: warning("The page is smaller than requested; the message names the maximum size."),
  WAIT_REFUSED: warning(
    "Too many requests are already waiting for changes, so this one was answered at once; repeat it after " +
      "`Retry-After`.",
  ),
  UNKNOWN_VALUE: warning(
    "The selected value of a facet is not known, so the search finds nothing; `nearest` names similar values.",
  ),
  LOOKUP_LEFT_OUT: warning(
    "Terms that an authority found do not fit the declaration of the vocabulary; they were left out of the response.",
  ),
  HIGHLIGHT_LEFT_OUT: warning(
    "Marking the matches would have taken longer than a query may; some hits are shown without marks.",
  ),
  UNKNOWN_ID: warning("There is no term with this id; it was left out of the response."),
  QUERY_QUOTE_CLOSED: warning("A quotation mark of the query was never closed; it was closed at the end."),
  QUERY_BRACKET_CLOSED: warning("A bracket of the query was never closed; it was closed at the end."),
  QUERY_BRACKET_DROPPED: warning("A closing bracket of the query has no opening bracket; it was ignored."),
  QUERY_OPERATOR_DROPPED: warning("An operator of the query has nothing to join or to negate; it was ignored."),
  QUERY_RANGE_INVALID: warning("A range is not valid or has only one end; the message says how it was read."),
  QUERY_RANGE_AS_TEXT: warning("The ends of a range do not have the field's type; they were read as plain words."),
  QUERY_WILDCARD_REFUSED: warning(
    "A word begins with a wildcard, which the index does not support; it was read as text.",
  ),
  QUERY_WILDCARD_SPLIT: warning("A text with wildcards consists of several words; they are found in any order."),
  QUERY_WILDCARD_IGNORED: warning("A `*` between punctuation marks matches nothing; it was ignored."),
  QUERY_FUZZY_REDUCED: warning("A fuzzy word requests more than two edits; it was read with two."),
  QUERY_FUZZY_IGNORED: warning("`~` applies to a single word only; it was ignored."),
  QUERY_BOOST_IGNORED: warning("Boosts (`^2`) are accepted but have no effect."),
  QUERY_FIELD_UNKNOWN: warning(
    "A name before a colon is not a field and was read as text; `nearest` names similar fields.",
  ),
  QUERY_READ_AS: warning(
    "Part of the query is not valid syntax but clearly means a field (`KD < 10 nM`); the message shows how it was " +
      "read.",
  ),
  QUERY_FIELD_NEAR: warning(
    "The name of a field followed by `=` was read as plain words; `nearest` has the query for the field.",
  ),
  QUERY_FIELD_EMPTY: warning("Nothing follows the colon of a field; the name was read as text."),
  QUERY_FIELD_OUTSIDE: warning(
    "A field inside brackets is not part of the field before the brackets, so it finds nothing.",
  ),
  QUERY_ID_UNKNOWN: warning("The query has an unknown value where an id is required; it was read as text."),
  QUERY_WITHIN_FLAT: warning("The vocabulary has no hierarchy, so `within` finds only the term itself."),
  QUERY_UNIT_MISSING: warning(
    "The numbers of the field have units; a number without a unit was compared with the numbers as they were entered.",
  ),
  QUERY_UNIT_MISMATCH: warning("The field has no numbers in units of this kind, so nothing is found."),
  QUERY_DATE_INVALID: warning(
    "The text is not a date, so it was compared with the field as text; `nearest` lists possible dates.",
  ),
  QUERY_VALUE_UNKNOWN: warning(
    "The field does not have this value, so nothing is found; `nearest` names the values that it has.",
  ),
  QUERY_UNIT_UNKNOWN: warning(
    "The unit is not known; only numbers with exactly this unit are compared. `nearest` names similar units.",
  ),
  QUERY_EMPTY: warning(
    "The query has no words: operators alone are read as words, punctuation alone finds everything.",
  ),
} as const satisfies Readonly<Record<string, IssueCode>>;

export type IssueCodeName = keyof typeof ISSUE_CODES;
