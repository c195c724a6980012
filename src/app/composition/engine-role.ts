import type { CacheName } from "../../core/caches.js";

/** The command or thread that opens an engine. */
export type EngineRole =
  /** A command that writes into an existing store. */
  | "command"
  /** A command that creates the store if there is none. */
  | "setup"
  /** A command that only reads. */
  | "reader"
  /** A command that maintains the store as a whole. */
  | "admin"
  /** The thread that answers HTTP. */
  | "http"
  /** The thread that writes. */
  | "writer"
  /** The thread that prepares long bodies for the writer. */
  | "preparing"
  /** The thread that searches. */
  | "search"
  /** The thread for long scans, long pages of results, and streams. */
  | "loader"
  /** The thread for large HTML pages, exports, and validations of large bodies. */
  | "pages"
  /** The thread that delivers changes to webhooks. */
  | "relay"
  /** The thread that feeds a separate index of the database. */
  | "indexer";

/** Returns whether this role may write. A server has one writer; commands can write at the same time. */
export const mayWrite = (role: EngineRole): boolean => ["command", "setup", "writer"].includes(role);

/**
 * Returns whether this role creates a missing store, as the service and commands that fill a store do. Another command
 * without a store was probably started in the wrong folder, and a store that it created there could be mistaken for the
 * data.
 */
export const createsStore = (role: EngineRole): boolean => role === "setup" || role === "writer";

/**
 * Returns whether this role migrates the tables of an older version. A migration by a command would make all writes of
 * a running service fail. The service itself holds the lock of the data folder.
 */
export const migratesStore = (role: EngineRole): boolean => role === "writer";

/**
 * Returns whether this role checks the version of the tables. Other threads of a service start after its writer has
 * checked it.
 */
export const checksTables = (role: EngineRole): boolean =>
  ["command", "setup", "reader", "admin", "writer"].includes(role);

/**
 * Returns whether this role writes the write-ahead log back into the database. In a server, no request waits for
 * `loader`.
 */
export const runsCheckpoints = (role: EngineRole): boolean => ["command", "setup", "loader"].includes(role);

/**
 * Returns whether this role rebuilds the index after a change of the catalog. A command may run with a different
 * catalog.
 */
export const runsReindexing = (role: EngineRole): boolean => role === "writer";

/**
 * Returns whether this role writes in bulk, without a caller that waits for a single write, as commands that import do.
 */
export const writesInBulk = (role: EngineRole): boolean => role === "command" || role === "setup";

/**
 * Returns whether this role asks authorities for terms that are not loaded. The threads that write, validate and search
 * for users do. Commands do not: they process thousands of records, for which dumps of the authorities can be loaded.
 */
export const asksAuthorities = (role: EngineRole): boolean => ["writer", "search", "pages"].includes(role);

/** Maximum number of connections to a shared database. The threads of a service have at most 31 together. */
const CONNECTIONS: Readonly<Record<EngineRole, number>> = {
  writer: 8,
  http: 4,
  preparing: 2,
  // One for each running search and each stream.
  search: 8,
  loader: 4,
  // Works on one page at a time.
  pages: 2,
  // One to read, one for the leadership.
  relay: 2,
  // As `relay`, and one to save its progress.
  indexer: 3,
  command: 4,
  setup: 4,
  reader: 2,
  // `reindex` leads, reads, and saves its progress.
  admin: 3,
};

/** Returns the maximum number of connections of a role to a shared database. */
export const connectionsOf = (role: EngineRole): number => CONNECTIONS[role];

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
    highlights: { part: 1 / 16, megabytesMax: 32 },
    beginnings: { part: 1 / 32, megabytesMax: 16 },
    lookups: LOOKUPS,
  },
  loader: { counts: { part: 1 / 512, megabytesMax: 1 } },
  writer: { lookups: LOOKUPS, prepared: { part: 1 / 64, megabytesMax: 8 } },
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
 * Returns the bytes that a cache may use in the thread or command of a role: its share of `BINDERY_CACHE_MB`.
 * @param cacheMb memory for all caches, in megabytes
 */
export function cacheBudget(name: CacheName, role: EngineRole, cacheMb: number): number {
  if (name !== "shown" && name !== "views") return shareBytes(SHARES[role]?.[name], cacheMb);
  const bytes = engineBytes(role, cacheMb);
  const shownBytes = Math.floor(Math.max(bytes * SHOWN_PART_MIN, Math.min(bytes / 2, SHOWN_HALF_BYTES_MAX)));
  return name === "shown" ? shownBytes : bytes - shownBytes;
}

function engineBytes(role: EngineRole, cacheMb: number): number {
  if (role !== "search") return shareBytes(SHOWN_AND_VIEW_SHARES[role], cacheMb);
  const otherShares = CACHING_ROLES.flatMap((each) => [
    SHOWN_AND_VIEW_SHARES[each],
    ...Object.values(SHARES[each] ?? {}),
  ]);
  const otherBytes = otherShares.reduce((sum, share) => sum + shareBytes(share, cacheMb), 0);
  return Math.max(0, cacheMb * MEGABYTE - otherBytes);
}

function shareBytes(share: Share | undefined, cacheMb: number): number {
  if (share === undefined) return 0;
  const { part, megabytesMax, megabytesMin = 0 } = share;
  return Math.floor(Math.min(Math.max(cacheMb * part, megabytesMin), megabytesMax) * MEGABYTE);
}
