/** Operations on whole indexes. */
import { SearchRefusal, unavailable } from "./map-error.js";
import type { SearchClient } from "./search-client.js";

/** Settings and mappings of an index. */
export interface IndexDefinition {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly mappings: Readonly<Record<string, unknown>>;
}

/** Creates an index. @returns false if the name is in use */
export async function createIndex(client: SearchClient, name: string, definition: IndexDefinition): Promise<boolean> {
  try {
    await client.send({ method: "PUT", path: `/${name}`, body: definition });
    return true;
  } catch (error) {
    if (error instanceof SearchRefusal && error.type === "resource_already_exists_exception") return false;
    throw error;
  }
}

/** Adds fields to an index. Existing fields must be the same. */
export async function extendMapping(
  client: SearchClient,
  name: string,
  mappings: IndexDefinition["mappings"],
): Promise<void> {
  await client.send({ method: "PUT", path: `/${name}/_mapping`, body: mappings });
}

/** Drops indexes; missing ones are not an error. @param pattern a name, or a prefix with `*` */
export async function dropIndexes(client: SearchClient, pattern: string): Promise<void> {
  await client.send({ method: "DELETE", path: `/${pattern}`, query: { ignore_unavailable: true } });
}

/** Returns the names of indexes with a prefix. */
export async function listIndexes(client: SearchClient, prefix: string): Promise<readonly string[]> {
  const settingsByIndex = await client.send<Record<string, unknown>>({
    method: "GET",
    path: `/${prefix}*/_settings/index.uuid`,
    query: { expand_wildcards: "open" },
  });
  return Object.keys(settingsByIndex);
}

/** Returns the names of indexes with a prefix and the value of a setting. */
export async function listIndexesWithSetting(
  client: SearchClient,
  prefix: string,
  { setting, value }: { readonly setting: string; readonly value: string },
): Promise<readonly string[]> {
  const settingsByIndex = await client.send<
    Readonly<Record<string, { readonly settings: Readonly<Record<string, unknown>> }>>
  >({
    method: "GET",
    path: `/${prefix}*/_settings/${setting}`,
    query: { flat_settings: true },
  });
  return Object.keys(settingsByIndex).filter((name) => settingsByIndex[name]?.settings[setting] === value);
}

/** Returns the number of shards of an index; undefined if there is no such index. */
export async function countShards(client: SearchClient, name: string): Promise<number | undefined> {
  const settingsByIndex = await client.send<Readonly<Record<string, { readonly settings: IndexSettings }>>>({
    method: "GET",
    path: `/${name}/_settings`,
    query: { ignore_unavailable: true },
  });
  const shards = settingsByIndex[name]?.settings.index.number_of_shards;
  return shards === undefined ? undefined : Number(shards);
}

interface IndexSettings {
  readonly index: { readonly number_of_shards: string };
}

interface RefreshAnswer {
  readonly _shards: { readonly total: number; readonly successful: number; readonly failed: number };
}

/**
 * Makes earlier writes visible to searches.
 * @throws BinderyError SEARCH_UNAVAILABLE if a copy of a shard that answers searches was not refreshed
 */
export async function refreshIndexes(client: SearchClient, names: readonly string[]): Promise<void> {
  const path = `/${names.join(",")}/_refresh`;
  const { _shards } = await client.send<RefreshAnswer>({ method: "POST", path });
  if (_shards.failed > 0) throw unavailable("a part of its index could not be refreshed");
}
