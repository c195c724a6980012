/** Indexes as a whole: made, looked at, refreshed, removed. */
import { SearchRefusal, unavailable } from "./map-error.js";
import type { SearchClient } from "./search-client.js";

/** What an index is made with. */
export interface IndexDefinition {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly mappings: Readonly<Record<string, unknown>>;
}

/** @returns false: there is one of this name */
export async function createIndex(client: SearchClient, name: string, definition: IndexDefinition): Promise<boolean> {
  try {
    await client.send({ method: "PUT", path: `/${name}`, body: definition });
    return true;
  } catch (error) {
    if (error instanceof SearchRefusal && error.type === "resource_already_exists_exception") return false;
    throw error;
  }
}

/** Adds fields. Those that are there must be the same. */
export async function extendMapping(
  client: SearchClient,
  name: string,
  mappings: IndexDefinition["mappings"],
): Promise<void> {
  await client.send({ method: "PUT", path: `/${name}/_mapping`, body: mappings });
}

/** Removes indexes; those that are not there are no error. @param pattern a name, or the beginning of some with `*` */
export async function dropIndexes(client: SearchClient, pattern: string): Promise<void> {
  await client.send({ method: "DELETE", path: `/${pattern}`, query: { ignore_unavailable: true } });
}

/** Names of the indexes that begin so. */
export async function listIndexes(client: SearchClient, prefix: string): Promise<readonly string[]> {
  const found = await client.send<Record<string, unknown>>({
    ...{ method: "GET", path: `/${prefix}*/_settings/index.uuid`, query: { expand_wildcards: "open" } },
  });
  return Object.keys(found);
}

/** Names of the indexes that begin so and were made with a setting. */
export async function indexesWithSetting(
  client: SearchClient,
  prefix: string,
  { setting, value }: { readonly setting: string; readonly value: string },
): Promise<readonly string[]> {
  const found = await client.send<Readonly<Record<string, { readonly settings: Readonly<Record<string, unknown>> }>>>({
    ...{ method: "GET", path: `/${prefix}*/_settings/${setting}`, query: { flat_settings: true } },
  });
  return Object.keys(found).filter((name) => found[name]?.settings[setting] === value);
}

/** How many shards an index has; undefined: there is no such index. */
export async function shardsOf(client: SearchClient, name: string): Promise<number | undefined> {
  const found = await client.send<Readonly<Record<string, { readonly settings: SettingsOf }>>>({
    ...{ method: "GET", path: `/${name}/_settings`, query: { ignore_unavailable: true } },
  });
  const shards = found[name]?.settings.index.number_of_shards;
  return shards === undefined ? undefined : Number(shards);
}

interface SettingsOf {
  readonly index: { readonly number_of_shards: string };
}

interface RefreshAnswer {
  readonly _shards: { readonly total: number; readonly successful: number; readonly failed: number };
}

/**
 * Lets searches see what was written before.
 * @throws BinderyError SEARCH_UNAVAILABLE if a copy of a shard that answers searches was not refreshed
 */
export async function refreshIndexes(client: SearchClient, names: readonly string[]): Promise<void> {
  const path = `/${names.join(",")}/_refresh`;
  const { _shards } = await client.send<RefreshAnswer>({ method: "POST", path });
  if (_shards.failed > 0) throw unavailable("a part of its index could not be refreshed");
}
