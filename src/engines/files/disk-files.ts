import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * Mode of Bindery's files, which only the user that runs the service may read: they hold drafts, digests of tokens,
 * addresses, keys.
 */
export const FILE_MODE = 0o600;

/**
 * Renames a finished file in one step: no process sees a partial file, and nothing is overwritten.
 * @returns false if the name is in use; the finished file is removed then
 */
export function publishFile(finished: string, file: string): boolean {
  giveToOwnerOf(dirname(file), finished);
  syncToDisk(finished);
  const isPublished = moveToFreeName(finished, file);
  rmSync(finished, { force: true });
  if (isPublished) syncToDisk(dirname(file));
  return isPublished;
}

/**
 * Gives a file made by root (a command run next to the service) to the owner of its folder, as SQLite does with its
 * log.
 */
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
    // The disk has no hard links.
    renameSync(from, to);
    return true;
  }
}

/** Waits until the disk has all of a file, or of a folder's names. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Returns the free bytes for this user on the disk of a folder; undefined if the system does not report them. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

const unfinished = new Set<string>();

/** Removes `files` if the process ends before the returned function is called. */
export function noteUnfinished(files: readonly string[]): () => void {
  if (unfinished.size === 0) process.on("exit", removeAll);
  for (const file of files) unfinished.add(file);
  return () => {
    for (const file of files) unfinished.delete(file);
    if (unfinished.size === 0) process.off("exit", removeAll);
  };
}

function removeAll(): void {
  for (const file of unfinished) rmSync(file, { force: true });
}
