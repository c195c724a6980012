/** Services that all processes of a test run share: the first one that needs one starts it. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SHARED_FOLDER } from "../make-temporary-folder.js";

/** Starting takes seconds, on a busy machine many. */
const START_MS = 120_000;
const POLL_MS = 50;

/** The folder of the run; a process outside of one has none. */
export function runFolder(): string {
  const folder = process.env[SHARED_FOLDER];
  if (folder === undefined) throw new Error(`${SHARED_FOLDER} is not set: services are started by a test run.`);
  return folder;
}

/**
 * Starts what the run does not have yet, or waits for whoever starts it.
 * @param start is given an empty folder; what it returns (a URL) all others get
 */
export async function startOnce(name: string, start: (folder: string) => Promise<string>): Promise<string> {
  const folder = join(runFolder(), name);
  const address = join(folder, "address");
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return waitFor(address);
  }
  const place = join(folder, "data");
  mkdirSync(place);
  const url = await start(place);
  // It is there whole, or not yet.
  writeFileSync(`${address}.new`, url);
  renameSync(`${address}.new`, address);
  return url;
}

async function waitFor(file: string): Promise<string> {
  for (const until = Date.now() + START_MS; !existsSync(file); await sleep(POLL_MS)) {
    if (Date.now() > until) throw new Error(`${file} did not appear: the service was not started.`);
  }
  return readFileSync(file, "utf8");
}
