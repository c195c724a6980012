/**
 * Who opens an engine: a command of the command line, one that also makes the store where there is none ("setup"), one
 * that only reads ("reader"), one that looks after the store as a whole and leaves the rest alone ("admin"), or one of
 * the threads of a server: the one that answers HTTP ("http"), the one that writes, the one that searches, the one that
 * does what takes long, the one that works on large records and bodies ("pages"), the one that delivers to webhooks,
 * and the one that feeds an index beside the database.
 */
export type EngineRole =
  | "command"
  | "setup"
  | "reader"
  | "admin"
  | "http"
  | "writer"
  | "search"
  | "loader"
  | "pages"
  | "relay"
  | "indexer";

/** Only one engine of a server writes; a command writes beside it. */
export const mayWrite = (role: EngineRole): boolean => ["command", "setup", "writer"].includes(role);

/**
 * Who makes a store where there is none: the service, and commands that fill one. Any other command in a folder without
 * a store was started in the wrong place, and what it would make there would be taken for the data.
 */
export const createsStore = (role: EngineRole): boolean => role === "setup" || role === "writer";

/**
 * Does this role migrate the tables of an older version? A command beside a running service would end all its writes;
 * the service itself holds the lock of the data folder.
 */
export const migratesStore = (role: EngineRole): boolean => role === "writer";

/** Does this role check that the tables are those of its version? The threads of a service follow its writer. */
export const checksTables = (role: EngineRole): boolean =>
  ["command", "setup", "reader", "admin", "writer"].includes(role);

/** Who writes the log of the database back into its file: of a server the thread that nobody waits for. */
export const runsCheckpoints = (role: EngineRole): boolean => ["command", "setup", "loader"].includes(role);

/** Who makes the index anew after a change of the catalog: a command may have been started with another one. */
export const runsReindexing = (role: EngineRole): boolean => role === "writer";

/** Who may write much while nobody waits for any single write: commands that import. */
export const writesInBulk = (role: EngineRole): boolean => role === "command" || role === "setup";

/**
 * Who asks authorities for terms that are not loaded: the thread that writes, and those that validate and search for
 * users. A command of the command line asks nobody: it works on thousands of records, and dumps are there for that.
 */
export const asksAuthorities = (role: EngineRole): boolean => ["writer", "search", "pages"].includes(role);

const MEGABYTE = 2 ** 20;

/** A part of the whole, and where it ends. */
interface Share {
  readonly part: number;
  readonly megabytesMax: number;
}

/** What the threads keep beside the one that searches, and a command that reads. */
const SHARES: Readonly<Partial<Record<EngineRole, Share>>> = {
  // It reads by id, and small pages.
  http: { part: 1 / 16, megabytesMax: 16 },
  // Terms that records cite again and again.
  writer: { part: 1 / 64, megabytesMax: 8 },
  // Half of it holds the items of the longest page (`LIMITS.termPageSizeMax`).
  loader: { part: 3 / 32, megabytesMax: 48 },
  // It may search as often as a server does (`bindery match`), beside one.
  reader: { part: 1 / 8, megabytesMax: 64 },
};

/** Finished answers. What a search needs to make others is worth more. */
const ANSWERS: Share = { part: 1 / 8, megabytesMax: 64 };

/**
 * How much of what a server may keep in memory its engine in this role may keep; all of them, and the answers, together
 * never more than the whole. @param cacheMb the whole, in megabytes
 */
export function cacheBytesOf(role: EngineRole, cacheMb: number): number {
  if (role !== "search") return bytesOf(SHARES[role], cacheMb);
  const others = [SHARES.http, SHARES.writer, SHARES.loader, ANSWERS].map((share) => bytesOf(share, cacheMb));
  return others.reduce((left, bytes) => left - bytes, cacheMb * MEGABYTE);
}

/** How much of it the answers may take that are kept as a whole. @param cacheMb the whole, in megabytes */
export function answerBytesOf(cacheMb: number): number {
  return bytesOf(ANSWERS, cacheMb);
}

function bytesOf(share: Share | undefined, cacheMb: number): number {
  if (share === undefined) return 0;
  return Math.min(Math.floor(cacheMb * MEGABYTE * share.part), share.megabytesMax * MEGABYTE);
}

/** Connections to a shared database; together no more than 31 for a service. */
const CONNECTIONS: Readonly<Record<EngineRole, number>> = {
  writer: 8,
  http: 4,
  // A search has one of its own, and so has a stream.
  search: 8,
  loader: 4,
  // It makes one page at a time.
  pages: 2,
  // One reads, one leads.
  relay: 2,
  // And one writes how far it is.
  indexer: 3,
  ...{ command: 4, setup: 4, reader: 2 },
  // A `reindex` leads, reads, and writes how far it is.
  admin: 3,
};

/** How many connections an engine in this role opens to a database that it shares with others, at most. */
export const connectionsOf = (role: EngineRole): number => CONNECTIONS[role];
