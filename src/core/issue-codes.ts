/** What a code of an `errors` or `warnings` entry says, for docs/errors.md. */
interface IssueCode {
  /** `error`: stands in `errors` and stops a publish; `warning`: stands in `warnings` and stops nothing. */
  readonly kind: "error" | "warning";
  readonly explanation: string;
}

const error = (explanation: string): IssueCode => ({ kind: "error", explanation });
const warning = (explanation: string): IssueCode => ({ kind: "warning", explanation });

/**
 * Every code that an entry of `errors` or `warnings` can have. A code is for ever, as in `core/errors.ts`.
 * docs/errors.md is made from this table.
 */
export const ISSUE_CODES = {
  REQUIRED: error("A field that must be there is missing. A missing object is one error, whatever it must hold."),
  WRONG_TYPE: error(
    "The value is of another type than the field: text where a number must stand, and the like; `allowed` lists what " +
      "the field takes, if that is a list.",
  ),
  NOT_ALLOWED: error(
    "The value is none of those that the field allows; `allowed` lists them, `nearest` the likely ones.",
  ),
  TOO_SMALL: error("The number is below the least that the field allows."),
  TOO_LARGE: error("The number is above the greatest that the field allows."),
  NOT_A_MULTIPLE: error("The number is not a multiple of the step that the field asks for."),
  TOO_SHORT: error("The text has fewer characters than the field needs."),
  TOO_LONG: error("The text has more characters than the field allows."),
  BLANK: error("The text may not be empty and shows nothing: it holds only blanks, or characters that cannot be seen."),
  TOO_FEW_ITEMS: error("The list has fewer items than the field needs; leave the field out where it has none."),
  TOO_MANY_ITEMS: error("The list has more items than the field allows."),
  REPEATED_ITEM: error("Two items of the list are equal where each must be different."),
  BAD_FORMAT: error("The text does not have the form of the field: a date is 2026-11-21, for instance."),
  BAD_PATTERN: error("The text does not match the pattern of the field, which the message shows."),
  NO_ALTERNATIVE: error("The value fits none (or more than one) of the alternatives that the field offers."),
  INVALID: error("The value breaks another rule of the model's schema, which the message names."),
  MORE_PROBLEMS: error("There are more problems than an answer lists; mend these, and the rest is shown."),
  BAD_CHARACTER: error("The text or the key holds NUL or half of a surrogate pair, which no store keeps."),
  UNKNOWN_MEMBER: error("The body has a key that is not read here; `nearest` names known ones near to it."),
  UNREADABLE: error("What stands at this place of a file is no record; the message says why."),
  USER_UNKNOWN: error("No user has this name or id."),
  TERM_UNKNOWN: error("The vocabulary has no item with this id; `nearest` names up to five that are near."),
  TERM_GONE: error("The item with this id was removed from its vocabulary."),
  REFERENCE_DANGLING: error(
    "The id refers to another part of the same record, and no such part has it; `nearest` names ids near to it.",
  ),
  REPEATED_ID: error(
    "Two elements of a list have one id, and other parts of the record refer to the list: which one is meant?",
  ),
  NOT_OFFERED: error(
    "The body asks for what this service does not do: a record that is not public (`access`), or files (`files`). " +
      "The draft keeps the entry, and cannot be published, until it is saved without it.",
  ),
  TERM_INVALID: error("An item of a vocabulary breaks its declaration; the message says where."),
  PARAMETER_INVALID: error("The parameter has a value that it does not take; `allowed` lists those it takes, if few."),
  PARAMETER_REPEATED: error("The parameter stands there more than once and may not."),
  PARAMETERS_CONFLICT: error("Two parameters contradict each other: two spellings of one, or q beside suggest."),
  UNKNOWN_FIELD: warning(
    "The model does not know the field, or another alternative than the chosen one has it. It is kept and found by " +
      "its text; `nearest` names known fields near to it.",
  ),
  UNEXPECTED_VALUE: warning(
    "The value is allowed and is that of another model: another technique than the one that the model is made for.",
  ),
  DATE_IN_FUTURE: warning("The date is after now, and what it dates is over."),
  ORCID_WRONG: warning(
    "The identifier says to be an ORCID iD and is none: it has another form, or its check digit does not fit.",
  ),
  UNKNOWN_KEY: warning("A key beside `metadata` that is not read; it was left out."),
  TERM_FIELD_REPLACED: warning(
    "What was sent beside the id of a cited term was replaced or dropped; `value` carries what was sent.",
  ),
  REFERENCE_FIELD_REPLACED: warning(
    "What was sent beside the id of another part of the record was replaced or dropped; `value` carries what was sent.",
  ),
  TERM_REPLACED: warning("The cited id was replaced by another, which now stands in its place."),
  TERM_DEPRECATED: warning("The cited term is deprecated and has no successor; it may still be cited."),
  UNKNOWN_PARAMETER: warning("The parameter is not known and was ignored; `nearest` names known ones near to it."),
  PARAMETER_IGNORED: warning("The parameter has no effect here; the message says why."),
  PAGE_SIZE_REDUCED: warning("The page is smaller than was asked for; the message says the greatest size."),
  WAIT_REFUSED: warning(
    "Too many requests wait for changes already, so that this one was answered at once; ask again after `Retry-After`.",
  ),
  UNKNOWN_VALUE: warning(
    "The value that was selected of a facet is none that is known here, so it finds nothing; `nearest` names known " +
      "ones.",
  ),
  UNKNOWN_ID: warning("No item has this id; it was left out of the answer."),
  QUERY_QUOTE_CLOSED: warning("A quote of the query was never closed; it was closed at the end."),
  QUERY_BRACKET_CLOSED: warning("A bracket of the query was never closed; it was closed at the end."),
  QUERY_BRACKET_DROPPED: warning("A closing bracket of the query has no opening one; it was left out."),
  QUERY_OPERATOR_DROPPED: warning("An operator of the query has nothing to join or to negate; it was left out."),
  QUERY_RANGE_INVALID: warning("What looks like a range is none, or lacks an end; the message says how it was read."),
  QUERY_RANGE_AS_TEXT: warning("The ends of a range are not of the field's type; they were read as plain words."),
  QUERY_WILDCARD_REFUSED: warning("A word begins with a wildcard, which no index can look up; it was read as text."),
  QUERY_WILDCARD_SPLIT: warning("A text with wildcards is several words; they are found in any order."),
  QUERY_WILDCARD_IGNORED: warning("A `*` stands alone between signs, where it says nothing; it was left out."),
  QUERY_FUZZY_REDUCED: warning("More edits than two were asked for; the word was read with two."),
  QUERY_FUZZY_IGNORED: warning("`~` goes with one word; what it stood after was read without it."),
  QUERY_BOOST_IGNORED: warning("Weights of words (`^2`) are accepted without effect."),
  QUERY_FIELD_UNKNOWN: warning("A name before a colon is no field and was read as text; `nearest` names known ones."),
  QUERY_READ_AS: warning(
    "What was typed is no syntax, and plainly asks for a field (`KD < 10 nM`); the message shows what it was read as.",
  ),
  QUERY_FIELD_NEAR: warning(
    "The name of a field and `=` were read as words; `nearest` holds how to ask for the field.",
  ),
  QUERY_FIELD_EMPTY: warning("Nothing follows a field's colon; the name was read as text."),
  QUERY_FIELD_OUTSIDE: warning("A field in brackets does not lie within the field before them, so it finds nothing."),
  QUERY_ID_UNKNOWN: warning("What stands where an id must stand is none that is known here; it was read as text."),
  QUERY_WITHIN_FLAT: warning("The vocabulary has no hierarchy, so `within` finds nothing but the item itself."),
  QUERY_UNIT_MISSING: warning(
    "Numbers of the field have units; one without a unit was compared with the numbers as they were entered.",
  ),
  QUERY_UNIT_MISMATCH: warning("The field has no numbers in units of this kind, so nothing is found."),
  QUERY_UNIT_UNKNOWN: warning(
    "The unit is not known; only numbers in just this unit are compared. `nearest` names known ones near to it.",
  ),
  QUERY_EMPTY: warning("The query asks for nothing: bare operators are read as words, signs alone find everything."),
  QUERY_FEATURE_MISSING: warning(
    "The search cannot do this yet; it was read as plain words, and the message says how.",
  ),
} as const satisfies Readonly<Record<string, IssueCode>>;

export type IssueCodeName = keyof typeof ISSUE_CODES;
