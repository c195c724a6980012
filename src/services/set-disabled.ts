import { OPERATOR } from "../core/actor.js";
import type { Deps } from "./deps.js";
import { findUser } from "./find-user.js";
import type { UserServices } from "./user-services.js";

/** Ends a user's access, or gives it back, from their next request on. The same again changes nothing. */
export function makeSetDisabled({ runWrite }: Deps): UserServices["setDisabled"] {
  return (name, isDisabled) =>
    runWrite({ actor: OPERATOR }, async (tx, note) => {
      const { disabled, ...user } = await findUser(tx.users, name);
      if (isDisabled && disabled !== undefined) return { ...user, disabled };
      if (!isDisabled && disabled === undefined) return user;
      await tx.users.setDisabled(user.id, isDisabled);
      await note({ action: isDisabled ? "user.disable" : "user.enable", kind: "user", id: user.id, whom: user.id });
      return isDisabled ? { ...user, disabled: tx.now } : user;
    });
}
