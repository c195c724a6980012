import { LRUCache } from "lru-cache";

/** A number is found several times as fast as a text that would have to be made first. */
type LruKey = string | number;

/**
 * What an engine keeps in memory to be quick: never more than the budget, and what was not used for the longest time
 * goes first. Whatever it forgets is made again from the file, so that every answer is right without it.
 */
export interface LruCache {
  /** Bytes that are kept now. */
  readonly bytes: number;
  /** A number that was never given before: for keys of what belongs together. */
  nextEpoch(): number;
  /** The value under the key, which now counts as just used. */
  get<T>(key: LruKey): T | undefined;
  /** Keeps a value in place of the one before. One that is larger than the whole budget is not kept. */
  set(key: LruKey, value: NonNullable<unknown>, bytes: number): void;
  remove(key: LruKey): void;
  /** Drops all whose key begins so. */
  removePrefix(beginning: string): void;
}

/** What an entry takes beside its value: its key and its places in tables. An estimate, on the safe side. */
const ENTRY_BYTES = 200;

/** @param budget bytes; 0 keeps nothing */
export function makeLruCache(budget: number): LruCache {
  // The library takes no budget of 0; no entry is as small as 1.
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
    removePrefix(beginning) {
      for (const key of [...entries.keys()]) {
        if (typeof key === "string" && key.startsWith(beginning)) entries.delete(key);
      }
    },
  };
}
