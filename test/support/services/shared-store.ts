import { join } from "node:path";
import { dropIndexes, HAS_OPENSEARCH, newPrefix, searchUrl } from "./opensearch.js";
import { dropDatabase, newDatabase } from "./postgres.js";

/** A database that services share, with an index beside it where there is an OpenSearch; what they are started with. */
export interface SharedStore {
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/**
 * An empty one.
 * @param folder holds the key of the webhooks' secrets
 * @param isSearched absent: with an index, where there is an OpenSearch
 */
export async function newSharedStore(folder: string, isSearched = HAS_OPENSEARCH): Promise<SharedStore> {
  const url = await newDatabase();
  const prefix = newPrefix();
  const search = isSearched ? { BINDERY_SEARCH_URL: await searchUrl(), BINDERY_SEARCH_PREFIX: prefix } : undefined;
  return {
    env: { BINDERY_DATABASE_URL: url, BINDERY_KEY_FILE: join(folder, "bindery.key"), ...search },
    remove: async () => {
      await dropDatabase(url);
      if (search !== undefined) await dropIndexes(search.BINDERY_SEARCH_URL, prefix);
    },
  };
}
