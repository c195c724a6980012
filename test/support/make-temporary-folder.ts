import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Linux has a file system in memory. Tests end processes, not the machine, so files need not reach a disk. */
const MEMORY = "/dev/shm";
/** What all files of a run take at once is far less; the memory of a container often is too small. */
const BYTES_MIN = 4 * 2 ** 30;

/** The variable that names a folder which all processes of a run share; absent outside of runs. */
export const SHARED_FOLDER = "TEST_FOLDER";

/** Vitest's global setup: all temporary files of a run lie in one folder, which is removed at its end. */
export default function makeTemporaryFolder(): () => Promise<void> {
  const folder = mkdtempSync(join(isRoomy(MEMORY) ? MEMORY : tmpdir(), "bindery-tests-"));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  process.env[SHARED_FOLDER] = mkdtempSync(join(folder, "shared-"));
  return async () => {
    await stopServices();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** What tests started in the folder of the run and all of them used. */
async function stopServices(): Promise<void> {
  const shared = process.env[SHARED_FOLDER]!;
  if (existsSync(join(shared, "opensearch"))) (await import("./services/opensearch.js")).stopSharedSearch();
  if (existsSync(join(shared, "postgres"))) await (await import("./services/postgres.js")).stopSharedCluster();
}

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= BYTES_MIN;
  } catch {
    return false;
  }
}
