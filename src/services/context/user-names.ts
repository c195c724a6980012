/** Names of users: those that look alike are one, so that a right or a record never goes to the wrong person. */
import type { UserReader, UserRow } from "../../ports/store.js";

/** Returns what two names have in common that differ in capitals, widths of letters or Unicode normalisation only. */
export const nameKey = (name: string): string => name.normalize("NFKC").toLowerCase().normalize("NFKC");

/** Returns the users whose names differ from a name as `nameKey` says, or not at all. */
export async function usersLike(users: UserReader, name: string): Promise<readonly UserRow[]> {
  const key = nameKey(name);
  return (await users.listUsers()).filter((user) => nameKey(user.name) === key);
}

/** Returns the user of a name, in any capitals and normalisation; undefined if there is none, or if several fit. */
export async function userByName(users: UserReader, name: string): Promise<UserRow | undefined> {
  const exact = await users.findUser(name);
  if (exact !== undefined) return exact;
  const [like, other] = await usersLike(users, name);
  // By its own name, so that a transaction locks it.
  return like === undefined || other !== undefined ? undefined : users.findUser(like.name);
}

/** Returns a user as requests name one: by name, or by id if nobody has such a name. */
export async function resolveUser(users: UserReader, text: string): Promise<UserRow | undefined> {
  return (await userByName(users, text)) ?? users.getUser(text);
}
