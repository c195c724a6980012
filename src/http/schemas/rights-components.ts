/** Schemas of shares of drafts, and of tokens. */
import { type TSchema, Type } from "typebox";
import { PERMISSIONS, SCOPES } from "../../core/actor.js";
import { LINE_PATTERN } from "../../services/input/characters.js";
import { choice, instant, ref, search, text } from "./components.js";

const permission = choice(PERMISSIONS, {
  description: "read: read the draft; write: also replace it. Neither allows to publish, delete or share it.",
});

const Grant = Type.Object(
  {
    user: text("Name of the user.", ["ada"]),
    permission,
    created: instant("When the draft was shared with them."),
  },
  { $id: "Grant", description: "A user with whom a draft is shared." },
);

const GrantBody = Type.Object(
  { user: text("Name of a user, or their id.", ["ada"]), permission },
  { $id: "GrantBody", description: "The user to share with, and their permission.", additionalProperties: false },
);

const scopes = Type.Array(choice(SCOPES), {
  minItems: 1,
  description: "records:write implies records:read; admin implies all others.",
});

const token = {
  id: text("The id to revoke the token with.", ["7"]),
  name: text("What it is for.", ["laptop"]),
  scopes,
  created: instant("When it was created."),
  expires: Type.Optional(instant("When it expires; absent if never.")),
  parent: Type.Optional(
    text("Id of the token that created it; revoking that one revokes this one. Absent if the operator created it.", [
      "6",
    ]),
  ),
};

const Token = Type.Object(
  {
    ...token,
    last_used: Type.Optional(
      Type.String({ format: "date", description: "The last day on which it was used, in UTC." }),
    ),
    revoked: Type.Optional(instant("When it was revoked; absent if it was not.")),
  },
  { $id: "Token", description: "One of the caller's tokens, without its secret." },
);

const NewToken = Type.Object(
  {
    ...token,
    token: Type.Optional(
      text("The secret; shown only once, and not when a request with an Idempotency-Key is repeated.", ["bnd_..."]),
    ),
  },
  { $id: "NewToken", description: "A newly created token." },
);

/** Pattern of hours, days, weeks or years (which end before the year 9999), a day in UTC, or an instant. */
const EXPIRY_PATTERN =
  "^(?:[1-9][0-9]{0,5}[hd]|[1-9][0-9]{0,4}w|[1-9][0-9]{0,2}y|" +
  "[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:[0-9]{2}))?)$";

const TokenBody = Type.Object(
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

/** Shared schemas, which refer to those of `components.ts`. */
export const RIGHTS_COMPONENTS: readonly TSchema[] = [
  Grant,
  GrantBody,
  Token,
  NewToken,
  TokenBody,
  search("TokenList", ref("Token"), "One page of the caller's tokens, newest first."),
  search("GrantList", ref("Grant"), "The users with whom a draft is shared, sorted by name."),
];
