import { chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { syncToDisk } from "./sync-to-disk.js";

/** Our files are for the user that runs the service alone: they hold drafts, digests of tokens, addresses, keys. */
export const FILE_MODE = 0o600;

/**
 * Gives a file that is finished its name, in one step: nobody ever sees half of it, and nothing is overwritten.
 * @returns false where something has the name already; the file is removed then
 */
export function publishFile(finished: string, file: string): boolean {
  giveToOwnerOf(dirname(file), finished);
  syncToDisk(finished);
  const isPublished = moveToFreeName(finished, file);
  rmSync(finished, { force: true });
  if (isPublished) syncToDisk(dirname(file));
  return isPublished;
}

/** Gives what root makes (a command beside the service) to the owner of its folder, as SQLite does with its log. */
export function giveToOwnerOf(folder: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(file, uid, gid);
}

function moveToFreeName(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" || existsSync(to)) return false;
    // A disk without hard links.
    renameSync(from, to);
    return true;
  }
}
