/** Schemas of the bodies of requests. */
import { Type } from "typebox";
import { choice, ref, text } from "../../core/answer.js";
import { permission, scopes } from "../../core/answers/accounts.js";
import { LIMITS } from "../../core/limits.js";
import { LANGUAGE_TAG, TERM_SERVER_KEYS } from "../../core/term.js";
import { LINE_PATTERN, TEXT_PATTERN } from "../../services/input/characters.js";

const SHOWABLE = { $ref: "ShowableJson#" } as const;

/** Schema of further members of a body: any JSON whose texts and keys can be displayed. */
const OTHER_MEMBERS = {
  propertyNames: Type.String({ pattern: LINE_PATTERN, maxLength: LIMITS.keyLengthMax }),
  additionalProperties: Type.Unsafe<unknown>(SHOWABLE),
} as const;

/** Schema of JSON whose texts and keys can be displayed. */
export const ShowableJson = Type.Unsafe({
  $id: "ShowableJson",
  description: "JSON without control characters; texts may have line breaks and tabs, keys may not.",
  anyOf: [
    Type.Object({}, OTHER_MEMBERS),
    Type.Array(Type.Unsafe<unknown>(SHOWABLE)),
    Type.String({ pattern: TEXT_PATTERN }),
    Type.Number(),
    Type.Boolean(),
    Type.Null(),
  ],
});

/** Schema of the metadata of a record. */
export const Deposit = Type.Object(
  {
    metadata: Type.Optional(
      Type.Object(
        {},
        { description: 'The record. A term is cited by its id alone: {"id": "taxid:562"}.', ...OTHER_MEMBERS },
      ),
    ),
    model: Type.Optional(text("Optional; must be the model of the path.")),
  },
  {
    $id: "Deposit",
    description:
      "Only `metadata` is read. Members that the service sets are ignored, so a response can be sent back as a body.",
    ...OTHER_MEMBERS,
  },
);

/** Schema of the reason of a retraction. */
export const Removal = Type.Object(
  {
    removal_reason: Type.Optional(
      text(`The reason; at most ${LIMITS.removalReasonCodePointsMax} characters.`, ["The sample was mislabelled."]),
    ),
  },
  { $id: "Removal", description: "The reason for a retraction.", additionalProperties: false },
);

/** Schema of a share. */
export const GrantBody = Type.Object(
  { user: text("Name of a user, or their id.", ["ada"]), permission },
  { $id: "GrantBody", description: "The user to share with, and their permission.", additionalProperties: false },
);

/** Pattern of hours, days, weeks or years (which end before the year 9999), a day in UTC, or an instant. */
const EXPIRY_PATTERN =
  "^(?:[1-9][0-9]{0,5}[hd]|[1-9][0-9]{0,4}w|[1-9][0-9]{0,2}y|" +
  "[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:[0-9]{2}))?)$";

/** Schema of a new token. */
export const TokenBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: LINE_PATTERN,
        minLength: 1,
        maxLength: 100,
        description: "What it is for, without a space at its start or end; default: the name of the user.",
        examples: ["laptop"],
      }),
    ),
    scopes,
    expires: Type.Optional(
      Type.String({
        pattern: EXPIRY_PATTERN,
        description:
          "When it expires: a duration (90d, 12h) or a future date; default: when the token of the request expires.",
        examples: ["90d"],
      }),
    ),
  },
  {
    $id: "TokenBody",
    description: "A token can have only scopes of the token of the request, and cannot expire later.",
    additionalProperties: false,
  },
);

const line = Type.String({ pattern: LINE_PATTERN, minLength: 1 });
const titleText = Type.String({ ...line, maxLength: LIMITS.termTitleLengthMax });
const languageTag = Type.String({ pattern: LANGUAGE_TAG.source });

const title = Type.Union(
  [titleText, Type.Object({}, { propertyNames: languageTag, additionalProperties: titleText, minProperties: 1 })],
  { description: 'By language: {"en": "Lysozyme"}; a text alone is in the first language of the vocabulary.' },
);

const synonym = Type.Object(
  { name: line, kind: Type.Optional(line), lang: Type.Optional(languageTag) },
  { additionalProperties: false },
);

/** Declares the id of another term, alone or in an object as in responses. */
const target = (description: string) => {
  const id = Type.String({ minLength: 1, maxLength: LIMITS.termIdLengthMax });
  return Type.Union([id, Type.Object({ id }, OTHER_MEMBERS), Type.Null()], { description });
};

/** Schemas of the members of a term that the service sets. */
const serverMembers = Object.fromEntries(
  TERM_SERVER_KEYS.map((key) => [key, Type.Optional(Type.Unsafe({ ...ref(ShowableJson), description: "Ignored." }))]),
);

const optionalMembers = {
  props: Type.Optional(
    Type.Union([Type.Object({}, OTHER_MEMBERS), Type.Null()], {
      description: "The other fields that the vocabulary declares.",
    }),
  ),
  synonyms: Type.Optional(
    Type.Union([Type.Array(Type.Union([line, synonym])), Type.Null()], {
      description: "Texts, or {name, kind, lang}.",
    }),
  ),
  parent: Type.Optional(target("Id of the parent, if the vocabulary has a hierarchy.")),
  status: Type.Optional(
    Type.Union([choice(["active", "deprecated"]), Type.Null()], {
      description: "Default: active, or deprecated with `replaced_by`. An active term has no `replaced_by`.",
    }),
  ),
  replaced_by: Type.Optional(target("Id of the successor of a deprecated term.")),
  confirmed: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { description: "false: the term waits for a curator." }),
  ),
  ...serverMembers,
};

/** Schema of a term. */
export const TermBody = Type.Object(
  {
    id: Type.Optional(text("Must match the pattern that the vocabulary declares; optional in a PUT.", ["taxid:562"])),
    title,
    ...optionalMembers,
  },
  {
    $id: "TermBody",
    description:
      "Members that the service sets are ignored, so a response can be sent back as a body; other keys are an error. " +
      "null stands for an absent member.",
    additionalProperties: false,
  },
);

/** Schema of changes of a term. */
export const TermPatch = Type.Object(
  {
    id: Type.Optional(text("Must be the id of the path.")),
    title: Type.Optional(
      Type.Union([
        titleText,
        Type.Object({}, { propertyNames: languageTag, additionalProperties: Type.Union([titleText, Type.Null()]) }),
      ]),
    ),
    ...optionalMembers,
  },
  {
    $id: "TermPatch",
    description:
      "A JSON merge patch (RFC 7396) of the term: absent members do not change, null removes, lists are replaced. " +
      '`{"title": {"en": "Lysozyme C"}, "props": {"rank": null}}`',
    additionalProperties: false,
  },
);

/** Schema of a merge of terms. */
export const TermMerge = Type.Object(
  { into: text("Id of the term that replaces this one; if that was replaced, its successor does.", ["taxid:9606"]) },
  { $id: "TermMerge", additionalProperties: false },
);
