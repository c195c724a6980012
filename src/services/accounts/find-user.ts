import { ANONYMOUS, OPERATOR } from "../../core/actor.js";
import type { UserReader, UserRow } from "../../ports/store.js";
import { badParameter } from "../input/issues.js";
import { isName, NAME_RULE } from "../input/names.js";

/** The user of this name. @throws PARAMETER_INVALID */
export async function findUser(users: UserReader, name: string, parameter = "name"): Promise<UserRow> {
  const user = await users.findUser(name);
  if (user !== undefined) return user;
  throw badParameter(parameter, `There is no user ${name}; \`user list\` shows them.`, name);
}

/** May somebody be called so from now on? @throws PARAMETER_INVALID */
export async function checkNewName(users: UserReader, name: string): Promise<void> {
  if (!isName(name)) throw badParameter("name", NAME_RULE, name);
  if (name === ANONYMOUS.kind || name === OPERATOR.kind) {
    throw badParameter("name", `${name} is the name of another user in the audit log; choose another name.`, name);
  }
  if ((await users.findUser(name)) !== undefined) {
    throw badParameter("name", `There is already a user ${name}.`, name);
  }
}
