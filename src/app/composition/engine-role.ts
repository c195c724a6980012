/**
 * Who opens an engine: a command of the command line, one that also makes the store where there is none ("setup"), one
 * that only reads ("reader"), one that looks after the store as a whole and leaves the rest alone ("admin"), or one of
 * the threads of a server: the one that answers HTTP ("http"), the one that writes, the one that searches, the one that
 * does what takes long, and the one that delivers to webhooks.
 */
export type EngineRole = "command" | "setup" | "reader" | "admin" | "http" | "writer" | "search" | "loader" | "relay";

/** Only one engine of a server writes; a command writes beside it. */
export const mayWrite = (role: EngineRole): boolean => ["command", "setup", "writer"].includes(role);

/**
 * Who makes a store where there is none: the service, and commands that fill one. Any other command in a folder without
 * a store was started in the wrong place, and what it would make there would be taken for the data.
 */
export const createsStore = (role: EngineRole): boolean => role === "setup" || role === "writer";

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
export const asksAuthorities = (role: EngineRole): boolean => ["writer", "search", "loader"].includes(role);

const MEGABYTE = 2 ** 20;

/** The thread that answers HTTP keeps little: it reads by id, and small pages. */
const HTTP_SHARE = 1 / 16;
const HTTP_BYTES_MAX = 16 * MEGABYTE;

/** The one that writes keeps terms that records cite again and again. */
const WRITER_SHARE = 1 / 64;
const WRITER_BYTES_MAX = 8 * MEGABYTE;

/** A command that only reads may search as often as a server does (`bindery match`), beside one. */
const READER_SHARE = 1 / 8;
const READER_BYTES_MAX = 64 * MEGABYTE;

/** Finished answers. What a search needs to make others is worth more. */
const ANSWERS_SHARE = 1 / 8;
const ANSWERS_BYTES_MAX = 64 * MEGABYTE;

/**
 * How much of what a server may keep in memory its engine in this role may keep; all of them, and the answers, together
 * never more than the whole. @param cacheMb the whole, in megabytes
 */
export function cacheBytesOf(role: EngineRole, cacheMb: number): number {
  const all = cacheMb * MEGABYTE;
  const http = Math.min(Math.floor(all * HTTP_SHARE), HTTP_BYTES_MAX);
  const writer = Math.min(Math.floor(all * WRITER_SHARE), WRITER_BYTES_MAX);
  if (role === "http") return http;
  if (role === "writer") return writer;
  if (role === "reader") return Math.min(Math.floor(all * READER_SHARE), READER_BYTES_MAX);
  return role === "search" ? all - http - writer - answerBytesOf(cacheMb) : 0;
}

/** How much of it the answers may take that are kept as a whole. @param cacheMb the whole, in megabytes */
export function answerBytesOf(cacheMb: number): number {
  return Math.min(Math.floor(cacheMb * MEGABYTE * ANSWERS_SHARE), ANSWERS_BYTES_MAX);
}

/** Connections to a shared database; together with one that leads no more than 18 for a service. */
const CONNECTIONS: Readonly<Record<EngineRole, number>> = {
  writer: 8,
  http: 4,
  search: 2,
  loader: 2,
  // One reads, one leads.
  relay: 2,
  ...{ command: 4, setup: 4, reader: 2, admin: 2 },
};

/** How many connections an engine in this role opens to a database that it shares with others, at most. */
export const connectionsOf = (role: EngineRole): number => CONNECTIONS[role];
