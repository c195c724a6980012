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
  get<T>(key: string): T | undefined;
  /** Keeps a value in place of the one before. One that is larger than the whole budget is not kept. */
  set(key: string, value: unknown, bytes: number): void;
  remove(key: string): void;
  /** Drops all whose key begins so. */
  removePrefix(beginning: string): void;
}

/** What an entry takes beside its value: its key and its places in tables. An estimate, on the safe side. */
const ENTRY_BYTES = 200;

/** @param budget bytes */
export function makeLruCache(budget: number): LruCache {
  // In order of use: a Map keeps the order in which keys came.
  const entries = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  let bytes = 0;
  let lastNumber = 0;
  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= entry.bytes;
  };
  return {
    get bytes() {
      return bytes;
    },
    nextEpoch: () => ++lastNumber,
    get<T>(key: string) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value as T;
    },
    set(key, value, valueBytes) {
      drop(key);
      const size = valueBytes + ENTRY_BYTES + key.length * 2;
      if (size > budget) return;
      for (const oldest of entries.keys()) {
        if (bytes + size <= budget) break;
        drop(oldest);
      }
      entries.set(key, { value, bytes: size });
      bytes += size;
    },
    remove: drop,
    removePrefix(beginning) {
      for (const key of [...entries.keys()]) if (key.startsWith(beginning)) drop(key);
    },
  };
}
