import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILE_MODE } from "../../files/publish-file.js";
import { mapError } from "./map-error.js";

/** Is there while a server runs, and after one that did not end as it has to. */
const MARKER = "server.running";

export interface StopMarker {
  /** Did the last server end as it has to? Then nothing of what it wrote can be half done on the disk. */
  readonly wasClean: boolean;
  /** Notes that this server ends as it has to. */
  noteCleanStop(): void;
}

/** Marks a data folder, whose lock is held, as one that a server works on. @throws STORE_UNAVAILABLE */
export function markRunning(folder: string): StopMarker {
  const marker = join(folder, MARKER);
  const wasClean = !existsSync(marker);
  try {
    writeFileSync(marker, `${new Date().toISOString()}\n`, { mode: FILE_MODE });
  } catch (error) {
    // A disk that cannot be written: the marker stays as it is, like everything else.
    if ((error as NodeJS.ErrnoException).code !== "EROFS" && (error as NodeJS.ErrnoException).code !== "ENOSPC") {
      throw mapError(error);
    }
  }
  return { wasClean, noteCleanStop: () => rmSync(marker, { force: true }) };
}
