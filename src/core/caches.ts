/** In-memory caches of a thread, each with a budget, so that the memory of all of them together is bounded. */
import { LRUCache } from "lru-cache";

/** Names of all caches; the section "Caches" of docs/architecture.md describes them. */
export const CACHE_NAMES = [
  "answers",
  "shown",
  "views",
  "counts",
  "highlights",
  "beginnings",
  "hits",
  "drawings",
  "lookups",
  "prepared",
] as const;

export type CacheName = (typeof CACHE_NAMES)[number];

/** Key of an entry. Look-ups by number are several times as fast as by text, which has to be built first. */
type CacheKey = string | number;

/**
 * Cache with a budget that is never exceeded; the least recently used entries are evicted first. Evicted values are
 * computed again, so answers do not depend on evictions.
 */
export interface Cache {
  /** Bytes in use. */
  readonly bytes: number;
  /** Maximum of `bytes`. */
  readonly budget: number;
  /** Returns a new number for each cached object, so that keys of values derived from it never match later ones. */
  nextEpoch(): number;
  /** Returns the value of the key, which becomes the most recently used one. */
  get<T>(key: CacheKey): T | undefined;
  /**
   * Sets the value of a key. A value larger than the whole budget is not kept.
   * @param lifetimeMs time after which the entry is removed; absent: it has no end
   */
  set(key: CacheKey, value: NonNullable<unknown>, bytes: number, lifetimeMs?: number): void;
  remove(key: CacheKey): void;
}

/** Estimated bytes of an entry besides its value: its key and its places in tables. */
const ENTRY_BYTES = 200;

/** Makes a cache. @param budget bytes; 0 keeps nothing */
export function makeCache(budget: number): Cache {
  // The library does not accept a budget of 0; every entry is larger than 1.
  const entries = new LRUCache<CacheKey, NonNullable<unknown>>({ maxSize: Math.max(1, Math.floor(budget)) });
  let lastEpoch = 0;
  return {
    budget,
    get bytes() {
      return entries.calculatedSize;
    },
    nextEpoch: () => ++lastEpoch,
    get: <T>(key: CacheKey) => entries.get(key) as T | undefined,
    set(key, value, bytes, lifetimeMs) {
      const keyBytes = typeof key === "string" ? key.length * 2 : 0;
      const size = bytes + ENTRY_BYTES + keyBytes;
      entries.set(key, value, lifetimeMs === undefined ? { size } : { size, ttl: lifetimeMs });
    },
    remove: (key) => void entries.delete(key),
  };
}

/** Memory that a cache uses, and its budget, in bytes. */
export interface CacheUsage {
  readonly name: CacheName;
  readonly bytes: number;
  readonly budget: number;
}

/** The caches of a thread. */
export interface Caches {
  /** Returns the cache of a name. All callers get the same one, so their keys must differ. */
  open(name: CacheName): Cache;
  /** Returns the usage of the opened caches that have a budget. */
  usage(): readonly CacheUsage[];
}

/** Default budget of a cache, in bytes, for programs without settings (tests, scripts). */
const BUDGET_DEFAULT = 32 * 2 ** 20;

/** Makes the caches of a thread. @param budgetOf returns the bytes that a cache may use */
export function makeCaches(budgetOf: (name: CacheName) => number = () => BUDGET_DEFAULT): Caches {
  const opened = new Map<CacheName, Cache>();
  return {
    open(name) {
      const cache = opened.get(name) ?? makeCache(budgetOf(name));
      opened.set(name, cache);
      return cache;
    },
    usage: () =>
      [...opened].filter(([, { budget }]) => budget > 0).map(([name, { bytes, budget }]) => ({ name, bytes, budget })),
  };
}

/** Runs work unless the same work is already running. @param key names the work */
type SingleFlight = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Makes a SingleFlight: callers with the key of running work get its result or error. */
export function makeSingleFlight(): SingleFlight {
  const running = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const runningWork = running.get(key);
    if (runningWork !== undefined) return runningWork as Promise<T>;
    const newWork = work();
    running.set(key, newWork);
    const remove = (): void => void running.delete(key);
    newWork.then(remove, remove);
    return newWork;
  };
}
