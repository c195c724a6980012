/** Answers about tokens, and about the users with whom a draft is shared. */
import { Type } from "typebox";
import { PERMISSIONS, SCOPES } from "../actor.js";
import { type Answer, choice, instant, text } from "../answer.js";
import { hitsPage } from "./searches.js";

/** Schema of the permission of a share. */
export const permission = choice(PERMISSIONS, {
  description: "read: read the draft; write: also replace it. Neither allows publishing, deleting or sharing it.",
});

export const Grant = Type.Object(
  {
    user: text("Name of the user.", ["ada"]),
    permission,
    created: instant("When the draft was shared with the user."),
  },
  { $id: "Grant", description: "A user with whom a draft is shared." },
);
/** A share of a draft with a user. */
export type Grant = Answer<typeof Grant>;

export const GrantList = hitsPage("GrantList", Grant, "The users with whom a draft is shared, sorted by name.");

/** Schema of the scopes of a token. */
export const scopes = Type.Array(choice(SCOPES), {
  minItems: 1,
  description: "records:write implies records:read; admin implies all others.",
});

const CommonToken = Type.Object({
  id: text("Id for revoking the token.", ["7"]),
  name: text("Purpose of the token.", ["laptop"]),
  scopes,
  created: instant("When it was created."),
  expires: Type.Optional(instant("When it expires; absent if never.")),
  parent: Type.Optional(
    text("Id of the token that created it; revoking that one revokes this one. Absent if the operator created it.", [
      "6",
    ]),
  ),
});

export const Token = Type.Object(
  {
    ...CommonToken.properties,
    last_used: Type.Optional(
      Type.String({ format: "date", description: "The last day on which it was used, in UTC." }),
    ),
    revoked: Type.Optional(instant("When it was revoked; absent if it was not.")),
  },
  { $id: "Token", description: "One of the caller's tokens, without its secret." },
);
export type Token = Answer<typeof Token>;

export const TokenList = hitsPage("TokenList", Token, "One page of the caller's tokens, newest first.");

export const NewToken = Type.Object(
  {
    ...CommonToken.properties,
    token: Type.Optional(
      text("The secret; shown only once, and not when a request with an Idempotency-Key is repeated.", ["bnd_..."]),
    ),
  },
  { $id: "NewToken", description: "A newly created token." },
);
export type NewToken = Answer<typeof NewToken>;
