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
  const { generation, cache } = context;
  const key = `${generation.g} ${name}`;
  const known = cache.get<{ readonly writes: number; readonly value: T }>(key);
  if (known?.writes === generation.writes) return known.value;
  const [value, bytes] = make();
  cache.set(key, { writes: generation.writes, value }, bytes);
  return value;
}
