import { OPERATOR, ROLES } from "../core/actor.js";
import type { Deps } from "./deps.js";
import { badParameter } from "./issues.js";
import type { OperatorServices } from "./services.js";

const NAME = /^[^\p{C}\s]([^\p{C}]{0,98}[^\p{C}\s])?$/u;

/** Adds a user. @throws PARAMETER_INVALID where the name is taken or no name */
export function makeAddUser({ runWrite }: Deps): OperatorServices["addUser"] {
  return async (name, role) => {
    if (!NAME.test(name)) {
      throw badParameter("name", "A name has 1 to 100 characters, and no blank at its ends.", name);
    }
    if (!ROLES.includes(role)) throw badParameter("role", `A role is one of ${ROLES.join(", ")}.`, role, ROLES);
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      if ((await tx.users.findUser(name)) !== undefined) {
        throw badParameter("name", `There is a user ${name} already.`, name);
      }
      const user = await tx.users.addUser({ name, role });
      await note({ action: "user.add", kind: "user", id: user.id });
      return user;
    });
  };
}
