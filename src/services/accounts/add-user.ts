import { OPERATOR, ROLES } from "../../core/actor.js";
import type { AccountOperatorServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { badParameter } from "../input/issues.js";
import { checkNewName } from "./find-user.js";

/** Adds a user. @throws PARAMETER_INVALID where the name is taken or no name */
export function makeAddUser({ runWrite }: Deps): AccountOperatorServices["addUser"] {
  return async (name, role) => {
    if (!ROLES.includes(role)) throw badParameter("role", `The role must be one of ${ROLES.join(", ")}.`, role, ROLES);
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await tx.users.addUser({ name: await checkNewName(tx.users, name), role });
      await note({ action: "user.add", kind: "user", place: role, id: user.id, whom: user.id });
      return user;
    });
  };
}
