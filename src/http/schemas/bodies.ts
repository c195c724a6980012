/** Schemas of the bodies of requests about records, shares and tokens. */
import { Type } from "typebox";
import { text } from "../../core/answer.js";
import { permission, scopes } from "../../core/answers/accounts.js";
import { LIMITS } from "../../core/limits.js";
import { LINE_PATTERN, TEXT_PATTERN } from "../../services/input/characters.js";

const SHOWABLE = { $ref: "ShowableJson#" } as const;

/** Schema of further members of a body: any JSON whose texts and keys can be displayed. */
export const OTHER_MEMBERS = {
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

export const Removal = Type.Object(
  {
    removal_reason: Type.Optional(
      text(`The reason; at most ${LIMITS.removalReasonCodePointsMax} characters.`, ["The sample was mislabelled."]),
    ),
  },
  { $id: "Removal", description: "The reason for a retraction.", additionalProperties: false },
);

export const GrantBody = Type.Object(
  { user: text("Name of a user, or their id.", ["ada"]), permission },
  { $id: "GrantBody", description: "The user to share with, and their permission.", additionalProperties: false },
);

/** Pattern of hours, days, weeks or years (which end before the year 9999), a day in UTC, or an instant. */
const EXPIRY_PATTERN =
  "^(?:[1-9][0-9]{0,5}[hd]|[1-9][0-9]{0,4}w|[1-9][0-9]{0,2}y|" +
  "[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:[0-9]{2}))?)$";

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
