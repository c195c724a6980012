import { ANONYMOUS, OPERATOR } from "../../core/actor.js";
import type { UserReader, UserRow } from "../../ports/store.js";
import { nameKey, userByName, usersLike } from "../context/user-names.js";
import { badParameter } from "../input/issues.js";
import { isName, NAME_RULE } from "../input/names.js";

/** The user of this name. @throws PARAMETER_INVALID */
export async function findUser(users: UserReader, name: string, parameter = "name"): Promise<UserRow> {
  const user = await userByName(users, name);
  if (user !== undefined) return user;
  throw badParameter(parameter, `There is no user ${name}; \`user list\` shows them.`, name);
}

/**
 * Checks that a name is valid and free. Names that look alike are equal, so that no right goes to the wrong person.
 * @param current the user to rename; absent for a new user
 * @returns the name to store, in composed characters (NFC)
 * @throws PARAMETER_INVALID
 */
export async function checkNewName(users: UserReader, name: string, current?: UserRow): Promise<string> {
  if (!isName(name)) throw badParameter("name", NAME_RULE, name);
  const key = nameKey(name);
  if (key === ANONYMOUS.kind || key === OPERATOR.kind) {
    throw badParameter("name", `${name} is the name of another user in the audit log; choose another name.`, name);
  }
  const other = (await usersLike(users, name)).find(({ id }) => id !== current?.id);
  if (other !== undefined) throw badParameter("name", `There is already a user ${other.name}.`, name);
  return name.normalize("NFC");
}
