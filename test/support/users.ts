import { compose } from "../../src/app/composition/compose.js";
import { loadConfig } from "../../src/config/settings.js";
import type { Role, Scope } from "../../src/core/actor.js";
import { WARNING_REPORTER } from "../../src/core/background.js";
import type { Bindery, TestUser } from "./bindery.js";
import { builtInCatalog } from "./catalog.js";

export interface KnownUser extends TestUser {
  readonly id: string;
}

/** What a user is, where it is not a depositor, and what its token may, where it is not to deposit. */
export interface UserOptions {
  readonly role?: Role;
  readonly scopes?: readonly Scope[];
  readonly expires?: string;
}

/** What a server was started with, or its data folder. */
interface UsedStore extends Pick<Bindery, "client"> {
  readonly data?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const DEPOSITING: readonly Scope[] = ["records:write"];

/**
 * Adds users, and makes a token for each; one who is there gets another token. It works beside the running server as
 * the command line does, but in this process: starting a command for each took a good part of the tests' time.
 */
export async function addUsers(
  { client, data, env = { BINDERY_DATA: data } }: UsedStore,
  people: readonly (UserOptions & { readonly name: string })[],
): Promise<KnownUser[]> {
  const { services, close } = await compose(loadConfig(env), builtInCatalog(), {
    role: "command",
    background: WARNING_REPORTER,
  });
  const made: KnownUser[] = [];
  try {
    const known = new Map((await services.listUsers()).map(({ name, id }) => [name, id]));
    for (const { name, role = "depositor", scopes = DEPOSITING, ...rest } of people) {
      const id = known.get(name) ?? (await services.addUser(name, role)).id;
      const { token } = await services.createToken({ user: name, scopes, ...rest });
      made.push({ id, name, token, client: client.as(token) });
    }
  } finally {
    await close();
  }
  return made;
}
