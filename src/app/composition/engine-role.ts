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

/** May this role write? A server has one writer; commands can write at the same time. */
export const mayWrite = (role: EngineRole): boolean => ["command", "setup", "writer"].includes(role);

/**
 * Does this role create a missing store? The service and commands that fill a store do. Another command without a store
 * was probably started in the wrong folder, and a store that it created there could be mistaken for the data.
 */
export const createsStore = (role: EngineRole): boolean => role === "setup" || role === "writer";

/**
 * Does this role migrate the tables of an older version? A migration by a command would make all writes of a running
 * service fail. The service itself holds the lock of the data folder.
 */
export const migratesStore = (role: EngineRole): boolean => role === "writer";

/** Does this role check the version of the tables? Other threads of a service start after its writer has checked. */
export const checksTables = (role: EngineRole): boolean =>
  ["command", "setup", "reader", "admin", "writer"].includes(role);

/** Does this role write the write-ahead log back into the database? In a server, no request waits for `loader`. */
export const runsCheckpoints = (role: EngineRole): boolean => ["command", "setup", "loader"].includes(role);

/** Does this role rebuild the index after a change of the catalog? A command may run with a different catalog. */
export const runsReindexing = (role: EngineRole): boolean => role === "writer";

/** Does this role write in bulk, without a caller that waits for a single write? Commands that import do. */
export const writesInBulk = (role: EngineRole): boolean => role === "command" || role === "setup";

/**
 * Does this role ask authorities for terms that are not loaded? The threads that write, validate and search for users
 * do. Commands do not: they process thousands of records, for which dumps of the authorities can be loaded.
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
