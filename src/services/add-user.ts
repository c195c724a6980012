import { ANONYMOUS, OPERATOR, ROLES } from "../core/actor.js";
import type { Deps } from "./deps.js";
import { badParameter } from "./issues.js";
import { isName, NAME_RULE } from "./names.js";
import type { OperatorServices } from "./services.js";

/** Adds a user. @throws PARAMETER_INVALID where the name is taken or no name */
export function makeAddUser({ runWrite }: Deps): OperatorServices["addUser"] {
  return async (name, role) => {
    if (!isName(name)) throw badParameter("name", NAME_RULE, name);
    if (name === ANONYMOUS.kind || name === OPERATOR.kind) {
      throw badParameter("name", `In the audit log ${name} is somebody else; take another name.`, name);
    }
    if (!ROLES.includes(role)) throw badParameter("role", `A role is one of ${ROLES.join(", ")}.`, role, ROLES);
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      if ((await tx.users.findUser(name)) !== undefined) {
        throw badParameter("name", `There is a user ${name} already.`, name);
      }
      const user = await tx.users.addUser({ name, role });
      await note({ action: "user.add", kind: "user", place: role, id: user.id, whom: user.id });
      return user;
    });
  };
}
