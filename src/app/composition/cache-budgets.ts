/** Division of `BINDERY_CACHE_MB` among the caches of all threads. */
import type { CacheName } from "../../core/caches.js";
import type { EngineRole } from "./engine-role.js";

const MEGABYTE = 2 ** 20;

/** A fraction of the memory, and its bounds. */
interface Share {
  readonly part: number;
  readonly megabytesMax: number;
  /** Minimum, even with a setting of 0. */
  readonly megabytesMin?: number;
}

// Look-ups and drawings are cached even with a setting of 0, which saves requests to authorities and long drawings.
const LOOKUPS: Share = { part: 1 / 64, megabytesMax: 8, megabytesMin: 1 / 4 };
const DRAWINGS: Share = { part: 1 / 128, megabytesMax: 4, megabytesMin: 1 / 4 };

type Shares<Name extends string> = Readonly<Partial<Record<EngineRole, Partial<Record<Name, Share>>>>>;

/** Shares of all caches except `shown` and `views`. A thread without a share caches nothing. */
const SHARES: Shares<Exclude<CacheName, "shown" | "views">> = {
  http: {
    // A kept answer helps one kind of request; sets and columns help many different ones.
    answers: { part: 1 / 8, megabytesMax: 64 },
    hits: { part: 1 / 32, megabytesMax: 16 },
    drawings: DRAWINGS,
    counts: { part: 1 / 512, megabytesMax: 1 },
  },
  search: {
    counts: { part: 1 / 128, megabytesMax: 4 },
    highlights: { part: 1 / 32, megabytesMax: 16 },
    beginnings: { part: 1 / 32, megabytesMax: 16 },
    lookups: LOOKUPS,
  },
  loader: { counts: { part: 1 / 512, megabytesMax: 1 } },
  writer: { lookups: LOOKUPS },
  pages: { hits: { part: 1 / 64, megabytesMax: 8 }, lookups: LOOKUPS },
};

/** Shares of `shown` and `views` together. The search thread gets what all others leave. */
const SHOWN_AND_VIEW_SHARES: Readonly<Partial<Record<EngineRole, Share>>> = {
  // Reads by id, and small pages.
  http: { part: 1 / 16, megabytesMax: 16 },
  // Terms that many records cite.
  writer: { part: 1 / 64, megabytesMax: 8 },
  preparing: { part: 1 / 64, megabytesMax: 8 },
  // Half of it holds the terms of the longest page (`LIMITS.termPageSizeMax`).
  loader: { part: 3 / 32, megabytesMax: 48 },
  // `bindery match` searches as often as a server, and may run next to one.
  reader: { part: 1 / 8, megabytesMax: 64 },
};

/** Threads of a server. Their budgets add up to the setting, apart from minimums. */
export const CACHING_ROLES = [
  "http",
  "writer",
  "preparing",
  "search",
  "loader",
  "pages",
] as const satisfies readonly EngineRole[];

/** Minimum fraction of the budget of both for `shown`: some thousands of records and terms by default. */
const SHOWN_PART_MIN = 1 / 8;

/** `shown` gets half of the budget up to this size, because small stores mostly read by id and in long pages. */
const SHOWN_HALF_BYTES_MAX = 24 * MEGABYTE;

/**
 * Returns the bytes that a cache may use in the thread or command of a role.
 * @param cacheMb memory for all caches, in megabytes
 */
export function cacheBudget(name: CacheName, role: EngineRole, cacheMb: number): number {
  if (name !== "shown" && name !== "views") return bytesOf(SHARES[role]?.[name], cacheMb);
  const bytes = engineBytes(role, cacheMb);
  const shownBytes = Math.floor(Math.max(bytes * SHOWN_PART_MIN, Math.min(bytes / 2, SHOWN_HALF_BYTES_MAX)));
  return name === "shown" ? shownBytes : bytes - shownBytes;
}

function engineBytes(role: EngineRole, cacheMb: number): number {
  if (role !== "search") return bytesOf(SHOWN_AND_VIEW_SHARES[role], cacheMb);
  const otherShares = CACHING_ROLES.flatMap((each) => [
    SHOWN_AND_VIEW_SHARES[each],
    ...Object.values(SHARES[each] ?? {}),
  ]);
  const otherBytes = otherShares.reduce((sum, share) => sum + bytesOf(share, cacheMb), 0);
  return Math.max(0, cacheMb * MEGABYTE - otherBytes);
}

function bytesOf(share: Share | undefined, cacheMb: number): number {
  if (share === undefined) return 0;
  const { part, megabytesMax, megabytesMin = 0 } = share;
  return Math.floor(Math.min(Math.max(cacheMb * part, megabytesMin), megabytesMax) * MEGABYTE);
}
