import { OPERATOR, ROLES } from "../../core/actor.js";
import type { AccountOperatorServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { badParameter } from "../input/issues.js";
import { findUser } from "./find-user.js";

/** Gives a user another role, which counts from their next request on. The same again changes nothing. */
export function makeSetRole({ runWrite }: Deps): AccountOperatorServices["setRole"] {
  return async (name, role) => {
    if (!ROLES.includes(role)) throw badParameter("role", `The role must be one of ${ROLES.join(", ")}.`, role, ROLES);
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await findUser(tx.users, name);
      if (user.role === role) return user;
      await tx.users.setRole(user.id, role);
      await note({ action: "user.role", kind: "user", place: role, id: user.id, whom: user.id });
      return { ...user, role };
    });
  };
}
