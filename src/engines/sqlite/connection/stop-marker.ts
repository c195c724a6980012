import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FILE_MODE, giveToOwnerOf } from "../../files/publish-file.js";
import { mapError } from "./map-error.js";
import { isRunning, PROCESS_NAME } from "./process-name.js";

/** Is there while a server runs, and after one that did not end as it has to. Its lines are those of `Marked`. */
const MARKER = "server.running";

export interface StopMarker {
  /** Did the last server end as it has to? Then nothing of what it wrote can be half done on the disk. */
  readonly wasClean: boolean;
  /** Notes where this server answers. */
  noteAddress(url: string): void;
  /** Notes that this server ends as it has to. */
  noteCleanStop(): void;
}

/** What a server wrote of itself; of one of an earlier version only the time is there. */
interface Marked {
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly process?: string;
  readonly url?: string;
}

/** Marks a data folder, whose lock is held, as one that a server works on. @throws STORE_UNAVAILABLE */
export function markRunning(folder: string): StopMarker {
  const marker = join(folder, MARKER);
  const wasClean = readMark(folder) === undefined;
  const since = new Date().toISOString();
  const write = (...more: readonly string[]): void =>
    writeUnlessFull(marker, [since, PROCESS_NAME, ...more].map((line) => `${line}\n`).join(""));
  write();
  return { wasClean, noteAddress: (url) => write(url), noteCleanStop: () => rmSync(marker, { force: true }) };
}

/** On a disk that cannot be written the marker stays as it is, like everything else. */
function writeUnlessFull(marker: string, text: string): void {
  try {
    writeFileSync(marker, text, { mode: FILE_MODE });
    giveToOwnerOf(dirname(marker), marker);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EROFS" && code !== "ENOSPC") throw mapError(error);
  }
}

function readMark(folder: string): Marked | undefined {
  try {
    const [since = "", process, url] = readFileSync(join(folder, MARKER), "utf8").split("\n").filter(Boolean);
    return { since, ...(process === undefined ? {} : { process }), ...(url === undefined ? {} : { url }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Has a service answered on this data folder and not shut down cleanly? Then the folder had a store. */
export const hasServed = (folder: string): boolean => readMark(folder)?.url !== undefined;

/**
 * What is known of a server on a data folder: none runs; one runs; the last one did not end as it has to; or it cannot
 * be said, for it runs on another machine or in another container, or is of an earlier version.
 */
export type FoundServer =
  | { readonly state: "none" }
  | ({ readonly state: "runs" | "ended early" | "unknown" } & ServerProcess);

interface ServerProcess extends Pick<Marked, "since" | "url"> {
  readonly host?: string;
  readonly pid?: number;
}

/** Looks for a server on a data folder, and takes nothing from it. */
export function findServer(folder: string): FoundServer {
  const mark = readMark(folder);
  if (mark === undefined) return { state: "none" };
  const { process, ...known } = mark;
  if (process === undefined) return { state: "unknown", ...known };
  const [host, pid] = process.split(" ");
  const runs = isRunning(process);
  const state = runs === undefined ? "unknown" : runs ? "runs" : "ended early";
  return { state, ...known, ...(host === undefined ? {} : { host }), pid: Number(pid) };
}
