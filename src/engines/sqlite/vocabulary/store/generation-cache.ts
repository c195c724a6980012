import type { LruCache } from "../../cache/lru-cache.js";
import type { Generation } from "./generation.js";

/** A generation, and the cache of what is read from its tables. */
export interface CachedGeneration {
  readonly generation: Generation;
  readonly cache: LruCache;
}

/** What is kept for one generation: made by `make` where it is not there. @returns the value and its bytes */
export function kept<T extends NonNullable<unknown>>(
  { generation, cache }: CachedGeneration,
  name: string,
  make: () => readonly [value: T, bytes: number],
): T {
  const key = `${generation.g} ${name}`;
  const known = cache.get<T>(key);
  if (known !== undefined) return known;
  const [value, bytes] = make();
  cache.set(key, value, bytes);
  return value;
}

/** As `kept`, for what single writes change. */
export function keptUntilWrite<T extends NonNullable<unknown>>(
  context: CachedGeneration,
  name: string,
  make: () => readonly [value: T, bytes: number],
): T {
  const known = findUntilWrite<T>(context, name);
  if (known !== undefined) return known;
  const [value, bytes] = make();
  keepUntilWrite(context, name, value, bytes);
  return value;
}

/** What `keepUntilWrite` kept, unless something was written to the vocabulary since. */
export function findUntilWrite<T>({ generation, cache }: CachedGeneration, name: string): T | undefined {
  const known = cache.get<{ readonly writes: number; readonly value: T }>(`${generation.g} ${name}`);
  return known?.writes === generation.writes ? known.value : undefined;
}

export function keepUntilWrite(
  { generation, cache }: CachedGeneration,
  name: string,
  value: NonNullable<unknown>,
  bytes: number,
): void {
  cache.set(`${generation.g} ${name}`, { writes: generation.writes, value }, bytes);
}
