import { LRUCache } from "lru-cache";

/** Key of an entry. Numbers are found several times as fast as texts, which have to be built first. */
type LruKey = string | number;

/**
 * In-memory cache with a budget that is never exceeded; the least recently used entries are evicted first. Evicted
 * values are computed again from the file, so answers do not depend on it.
 */
export interface LruCache {
  /** Bytes in use. */
  readonly bytes: number;
  /** Returns a number that was never returned before, for keys of values that belong together. */
  nextEpoch(): number;
  /** Returns the value of the key, which becomes the most recently used one. */
  get<T>(key: LruKey): T | undefined;
  /** Sets the value of a key. A value larger than the whole budget is not kept. */
  set(key: LruKey, value: NonNullable<unknown>, bytes: number): void;
  remove(key: LruKey): void;
  /** Removes all entries whose key has the prefix. */
  removePrefix(prefix: string): void;
}

/** Estimated bytes of an entry besides its value: its key and its places in tables. */
const ENTRY_BYTES = 200;

/** Makes a cache. @param budget bytes; 0 keeps nothing */
export function makeLruCache(budget: number): LruCache {
  // The library does not accept a budget of 0; every entry is larger than 1.
  const entries = new LRUCache<LruKey, NonNullable<unknown>>({ maxSize: Math.max(1, Math.floor(budget)) });
  let lastNumber = 0;
  return {
    get bytes() {
      return entries.calculatedSize;
    },
    nextEpoch: () => ++lastNumber,
    get: <T>(key: LruKey) => entries.get(key) as T | undefined,
    set(key, value, bytes) {
      const keyBytes = typeof key === "string" ? key.length * 2 : 0;
      entries.set(key, value, { size: bytes + ENTRY_BYTES + keyBytes });
    },
    remove: (key) => void entries.delete(key),
    removePrefix(prefix) {
      for (const key of [...entries.keys()]) {
        if (typeof key === "string" && key.startsWith(prefix)) entries.delete(key);
      }
    },
  };
}
