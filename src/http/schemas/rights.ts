/** Shapes of what says who may do what: shares of drafts, tokens. */
import { type TSchema, Type } from "typebox";
import { PERMISSIONS, SCOPES } from "../../core/actor.js";
import { choice, instant, ref, search, text } from "./components.js";

const permission = choice(PERMISSIONS, {
  description: "read: see the draft; write: replace it too. Never publish, delete or share it.",
});

const Grant = Type.Object(
  {
    user: text("Name of the user.", ["ada"]),
    permission,
    created: instant("When the draft was shared with them."),
  },
  { $id: "Grant", description: "Somebody with whom a draft is shared." },
);

const GrantBody = Type.Object(
  { user: text("Name of a user, or their id.", ["ada"]), permission },
  { $id: "GrantBody", description: "With whom to share, and what they may do." },
);

const scopes = Type.Array(choice(SCOPES), {
  minItems: 1,
  description: "records:write implies records:read, admin all others.",
});

const token = {
  id: text("What to revoke it by.", ["7"]),
  name: text("What it is for.", ["laptop"]),
  scopes,
  created: instant("When it was made."),
  expires: Type.Optional(instant("When it ends; absent: never.")),
  parent: Type.Optional(text("Id of the token that made it, with which it ends; absent: the operator made it.", ["6"])),
};

const Token = Type.Object(
  {
    ...token,
    last_used: Type.Optional(
      Type.String({ format: "date", description: "The last day on which it was used, in UTC." }),
    ),
    revoked: Type.Optional(instant("When it was revoked; absent: it was not.")),
  },
  { $id: "Token", description: "A token of the caller's, without its secret." },
);

const NewToken = Type.Object(
  {
    ...token,
    token: Type.Optional(
      text("The token itself: this once, and not where an Idempotency-Key was sent again.", ["bnd_..."]),
    ),
  },
  { $id: "NewToken", description: "A token that was just made." },
);

const TokenBody = Type.Object(
  {
    name: Type.Optional(text("What it is for; without it, the name of the user.", ["laptop"])),
    scopes,
    expires: Type.Optional(
      text("When it ends: a span (90d, 12h) or a date; without it, when the token that asks does.", ["90d"]),
    ),
  },
  { $id: "TokenBody", description: "No more than the token that asks may do, and no longer." },
);

/** Shared schemas, after those of `components.ts`. */
export const RIGHTS_COMPONENTS: readonly TSchema[] = [
  Grant,
  GrantBody,
  Token,
  NewToken,
  TokenBody,
  search("TokenList", ref("Token"), "One page of the caller's tokens, newest first."),
  search("GrantList", ref("Grant"), "With whom a draft is shared, by name."),
];
