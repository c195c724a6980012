import { OPERATOR } from "../../core/actor.js";
import type { AccountOperatorServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { findUser } from "./find-user.js";

/** Ends a user's access, or gives it back, from their next request on. The same again changes nothing. */
export function makeSetDisabled({ runWrite }: Deps): AccountOperatorServices["setDisabled"] {
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
