import { statfsSync } from "node:fs";

/** Room that is left for this user on the disk of a folder; undefined: the system does not say. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
