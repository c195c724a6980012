import { OPERATOR, ROLES } from "../core/actor.js";
import type { Deps } from "./deps.js";
import { badParameter } from "./issues.js";
import type { OperatorServices } from "./services.js";

/** Gives a user another role, which counts from their next request on. The same again changes nothing. */
export function makeSetRole({ runWrite }: Deps): OperatorServices["setRole"] {
  return async (name, role) => {
    if (!ROLES.includes(role)) throw badParameter("role", `A role is one of ${ROLES.join(", ")}.`, role, ROLES);
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await tx.users.findUser(name);
      if (user === undefined) throw badParameter("name", `There is no user ${name}; \`user list\` shows them.`, name);
      if (user.role === role) return user;
      await tx.users.setRole(user.id, role);
      await note({ action: "user.role", kind: "user", place: role, id: user.id, whom: user.id });
      return { ...user, role };
    });
  };
}
