/**
 * Who opens an engine: a command of the command line, one that also makes the store where there is none ("setup"), one
 * that only reads ("reader"), one that looks after the store as a whole and leaves the rest alone ("upkeep"), or one of
 * the threads of a server: the one that answers HTTP ("here"), the one that writes, the one that searches, the one that
 * does what takes long, and the one that delivers to webhooks.
 */
export type Place = "command" | "setup" | "reader" | "upkeep" | "here" | "writer" | "search" | "slow" | "relay";

/** Only one engine of a server writes; a command writes beside it. */
export const mayWrite = (place: Place): boolean => ["command", "setup", "writer"].includes(place);

/**
 * Who makes a store where there is none: the service, and commands that fill one. Any other command in a folder without
 * a store was started in the wrong place, and what it would make there would be taken for the data.
 */
export const createsStore = (place: Place): boolean => place === "setup" || place === "writer";

/** Who writes the log of the database back into its file: of a server the thread that nobody waits for. */
export const tendsLog = (place: Place): boolean => ["command", "setup", "slow"].includes(place);

/** Who makes the index anew after a change of the catalog: a command may have been started with another one. */
export const tendsIndex = (place: Place): boolean => place === "writer";

const MEGABYTE = 2 ** 20;

/** The thread that answers HTTP keeps little: it reads by id, and small pages. */
const HERE_SHARE = 1 / 16;
const HERE_BYTES_MAX = 16 * MEGABYTE;

/**
 * How much of what a server may keep in memory its engine at this place may keep; all of them together never more than
 * the whole. @param cacheMb the whole, in megabytes
 */
export function cacheBytesOf(place: Place, cacheMb: number): number {
  const all = cacheMb * MEGABYTE;
  const here = Math.min(Math.floor(all * HERE_SHARE), HERE_BYTES_MAX);
  if (place === "here") return here;
  return place === "search" ? all - here : 0;
}
