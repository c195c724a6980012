import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { FILE_MODE, giveToOwnerOf } from "../../files/disk-files.js";
import { explainAccess, explainFileError, explainOpen } from "../../files/explain-access.js";
import { makeDataFolder } from "./data-folder.js";
import { Sqlite } from "./database.js";
import { isBusy, mapError } from "./map-error.js";
import { isRunning, PROCESS_NAME } from "./process-name.js";

/**
 * File that exists while a server runs, and after a server that did not shut down cleanly. Its lines are those of
 * `ServerMark`.
 */
const MARKER = "server.running";

/** The marker of a data folder that a server uses. */
export interface StopMarker {
  /** Whether the last server shut down cleanly, so that none of its writes can be half done on the disk. */
  readonly wasClean: boolean;
  /** Writes the address of this server into the marker. */
  noteAddress(url: string): void;
  /** Removes the marker, because this server shuts down cleanly. */
  noteCleanStop(): void;
}

/** Content of the marker. Markers of an earlier version only have the time. */
interface ServerMark {
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly process?: string | undefined;
  readonly url?: string | undefined;
}

/** Marks a data folder, whose lock is held, as in use by a server. @throws STORE_UNAVAILABLE */
export function markRunning(folder: string): StopMarker {
  const marker = join(folder, MARKER);
  const wasClean = readMarker(folder) === undefined;
  const since = new Date().toISOString();
  const write = (...optionalLines: readonly string[]): void =>
    writeUnlessFull(marker, [since, PROCESS_NAME, ...optionalLines].map((line) => `${line}\n`).join(""));
  write();
  return { wasClean, noteAddress: (url) => write(url), noteCleanStop: () => rmSync(marker, { force: true }) };
}

/** Writes the marker. On a disk that cannot be written it stays unchanged, like everything else. */
function writeUnlessFull(marker: string, text: string): void {
  try {
    writeFileSync(marker, text, { mode: FILE_MODE });
    giveToOwnerOf(dirname(marker), marker);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EROFS" && code !== "ENOSPC") throw mapError(error);
  }
}

function readMarker(folder: string): ServerMark | undefined {
  try {
    const [since = "", process, url] = readFileSync(join(folder, MARKER), "utf8").split("\n").filter(Boolean);
    return { since, process, url };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Returns whether a service answered requests from this data folder and did not shut down cleanly. Such a folder had a
 * store.
 */
export const hasServed = (folder: string): boolean => readMarker(folder)?.url !== undefined;

/**
 * State of the server of a data folder: none runs, one runs, the last one did not shut down cleanly, or the state is
 * unknown because the server runs on another machine or in another container or belongs to an earlier version.
 */
export type FoundServer =
  | { readonly state: "none" }
  | ({ readonly state: "runs" | "ended early" | "unknown" } & ServerProcess);

interface ServerProcess extends Pick<ServerMark, "since" | "url"> {
  readonly host?: string | undefined;
  readonly pid?: number;
}

/** Looks for a server on a data folder without changing it. */
export function findServer(folder: string): FoundServer {
  const mark = readMarker(folder);
  if (mark === undefined) return { state: "none" };
  const { process, ...rest } = mark;
  if (process === undefined) return { state: "unknown", ...rest };
  const [host, pid] = process.split(" ");
  const runs = isRunning(process);
  const state = runs === undefined ? "unknown" : runs ? "runs" : "ended early";
  return { state, ...rest, host, pid: Number(pid) };
}

/**
 * Locks the data folder for one server. The lock is an open transaction on a file of its own, so the system releases it
 * however the process ends. Commands that run next to the server do not take it.
 * @throws Error with a clear message if another server holds the lock
 */
export function lockDataFolder(folder: string): { release(): void } {
  makeDataFolder(folder);
  const file = join(folder, "server.lock");
  try {
    return lockFile(folder, file);
  } catch (error) {
    const path = resolve(file);
    const isDenied = /EACCES|EPERM|EROFS|SQLITE_(CANTOPEN|READONLY)/.test(String((error as { code?: unknown }).code));
    const reason = (isDenied ? (explainAccess(path) ?? explainOpen(path)) : undefined) ?? explainFileError(error, path);
    if (reason === undefined) throw error;
    throw new Error(`The data folder ${folder} cannot be locked: ${reason}`, { cause: error });
  }
}

function lockFile(folder: string, file: string): { release(): void } {
  // SQLite would make the file readable for all users.
  if (!existsSync(file)) {
    closeSync(openSync(file, "a", FILE_MODE));
    giveToOwnerOf(folder, file);
  }
  const lock = new Sqlite(file, { timeout: 0 });
  try {
    // No journal file is needed, because nothing is ever written.
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw new Error(`Another server runs on the data folder ${folder}; stop it first.`);
    throw error;
  }
  return { release: () => void lock.close() };
}
