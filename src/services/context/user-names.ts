/** Names of users. Names that look alike count as equal, so that no right or record goes to the wrong person. */
import type { UserReader, UserRow } from "../../ports/store.js";

/** Returns a key that is equal for names that differ only in case, width of letters or Unicode normalisation. */
export const userNameKey = (name: string): string => name.normalize("NFKC").toLowerCase().normalize("NFKC");

/** Returns the users whose names have the same `userNameKey` as a name. */
export async function usersLike(users: UserReader, name: string): Promise<readonly UserRow[]> {
  const key = userNameKey(name);
  return (await users.listUsers()).filter((user) => userNameKey(user.name) === key);
}

/** Returns the user with a name, in any case and normalisation. Undefined if there are none or several. */
export async function userByName(users: UserReader, name: string): Promise<UserRow | undefined> {
  const exact = await users.findUser(name);
  if (exact !== undefined) return exact;
  const [like, other] = await usersLike(users, name);
  // Reads the user by the exact name, so that a transaction locks the row.
  return like === undefined || other !== undefined ? undefined : users.findUser(like.name);
}

/** Returns the user that a request names: by name, or by id if no user has this name. */
export async function resolveUser(users: UserReader, text: string): Promise<UserRow | undefined> {
  return (await userByName(users, text)) ?? users.getUser(text);
}
