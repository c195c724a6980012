import { closeSync, fsyncSync, openSync } from "node:fs";

/** Waits until the disk has all of a file, or of a folder's names. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
