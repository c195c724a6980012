/** Shapes of what says who may do what: shares of drafts, tokens. */
import { type TSchema, Type } from "typebox";
import { PERMISSIONS } from "../../core/actor.js";
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

/** Shared schemas, after those of `components.ts`. */
export const RIGHTS_COMPONENTS: readonly TSchema[] = [
  Grant,
  GrantBody,
  search("GrantList", ref("Grant"), "With whom a draft is shared, by name."),
];
