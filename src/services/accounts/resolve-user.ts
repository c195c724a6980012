import type { UserReader, UserRow } from "../../ports/store.js";

/** A user as requests name one: by name, or by id where nobody has such a name. */
export async function resolveUser(users: UserReader, text: string): Promise<UserRow | undefined> {
  return (await users.findUser(text)) ?? users.getUser(text);
}
