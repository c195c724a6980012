import { compose, openCatalog } from "../../src/app/compose.js";
import { loadConfig } from "../../src/config/load.js";
import type { Role } from "../../src/core/actor.js";
import type { Bindery, TestUser } from "./bindery.js";

export interface KnownUser extends TestUser {
  readonly id: string;
}

/**
 * Adds users with tokens that deposit, beside the running server as the command line does, but in this process: many
 * at once cost little.
 */
export async function addUsers(
  bindery: Bindery,
  people: readonly { readonly name: string; readonly role: Role }[],
): Promise<KnownUser[]> {
  const config = loadConfig({ BINDERY_DATA: bindery.data });
  const { services, close } = await compose(config, openCatalog(config), "command");
  const made: KnownUser[] = [];
  try {
    for (const { name, role } of people) {
      const { id } = await services.addUser(name, role);
      const { token } = await services.createToken({ user: name, scopes: ["records:write"] });
      made.push({ id, name, token, client: bindery.client.as(token) });
    }
  } finally {
    await close();
  }
  return made;
}
