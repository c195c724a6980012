import { join } from "node:path";
import { dropDatabase, newDatabase } from "./postgres.js";

/** A database that services share, with what they are started with. */
export interface SharedStore {
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** An empty one. @param folder holds the key of the webhooks' secrets */
export async function newSharedStore(folder: string): Promise<SharedStore> {
  const url = await newDatabase();
  return {
    env: { BINDERY_DATABASE_URL: url, BINDERY_KEY_FILE: join(folder, "bindery.key") },
    remove: () => dropDatabase(url),
  };
}
