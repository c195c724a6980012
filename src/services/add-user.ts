import { OPERATOR, ROLES } from "../core/actor.js";
import type { Deps } from "./deps.js";
import { checkNewName } from "./find-user.js";
import { badParameter } from "./issues.js";
import type { UserServices } from "./user-services.js";

/** Adds a user. @throws PARAMETER_INVALID where the name is taken or no name */
export function makeAddUser({ runWrite }: Deps): UserServices["addUser"] {
  return async (name, role) => {
    if (!ROLES.includes(role)) throw badParameter("role", `The role must be one of ${ROLES.join(", ")}.`, role, ROLES);
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      await checkNewName(tx.users, name);
      const user = await tx.users.addUser({ name, role });
      await note({ action: "user.add", kind: "user", place: role, id: user.id, whom: user.id });
      return user;
    });
  };
}
