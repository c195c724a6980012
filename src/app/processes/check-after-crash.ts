import { type ChildProcess, fork } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../../config/schema.js";
import { fail } from "../../core/errors.js";
import type { FileCheck } from "../../engines/sqlite/admin/check-files.js";
import { markData } from "../composition/store-files.js";
import { makeReporter } from "../monitoring/background-reports.js";
import type { StateKeeper } from "../monitoring/keep-state.js";
import { type PackedError, unpackError } from "../rpc/rpc.js";
import type { Setup } from "../threads/start-threads.js";

/**
 * Checks the whole database file in a separate process if the last server did not stop cleanly (a kill, a power
 * failure), while requests are answered. Problems are reported as damage. Until a check has passed, each start checks
 * again.
 *
 * @returns a function that begins the check; call it with the address of the service once it answers
 */
export async function checkAfterCrash(setup: Setup, keeper: StateKeeper): Promise<(url: string) => void> {
  const { config, logger, closers } = setup;
  const marker = await markData(config);
  let isTrusted = marker.wasClean;
  closers.push(() => {
    if (isTrusted && keeper.fileDamage() === undefined) marker.noteCleanStop();
  });
  return (url) => {
    marker.noteAddress(url);
    if (isTrusted) return;
    logger.warn("The last shutdown was not clean; the database is being checked in the background.");
    void checkDatabase(setup, keeper).then((isWhole) => {
      isTrusted = isWhole;
    });
  };
}

/** Runs the check and reports its outcome. Returns whether it passed. */
async function checkDatabase({ config, logger, reports, closers }: Setup, keeper: StateKeeper): Promise<boolean> {
  const background = makeReporter((report) => reports("integrity check", report));
  const start = performance.now();
  const child = fork(fileURLToPath(new URL("./check-process.js", import.meta.url)), { serialization: "advanced" });
  let isStopping = false;
  closers.push(() => {
    isStopping = true;
    child.kill("SIGKILL");
  });
  keeper.noteCheck({ state: "running" });
  try {
    const { kind, problems } = await runCheck(child, config);
    const seconds = Math.round((performance.now() - start) / 100) / 10;
    const isWhole = problems.length === 0;
    keeper.noteCheck({ state: isWhole ? "passed" : "failed", kind, problems: problems.length, seconds });
    background.onBackgroundSuccess("integrity-check");
    if (isWhole) logger.info({ kind, seconds }, "The database is not damaged.");
    else {
      logger.error({ kind, seconds, problems }, "The check of the database found problems.");
      const reason = `${kind} found problems, the first of which is "${problems[0]}"`;
      background.onDamage(fail("STORE_DAMAGED", { part: DATA_FILE, reason }));
    }
    return isWhole;
  } catch (error) {
    if (!isStopping) background.onBackgroundError("integrity-check", error);
    return false;
  }
}

const DATA_FILE = "The data file bindery.sqlite";

/** Message of the process when the check has ended. */
export type CheckOutcome = { readonly result: FileCheck } | { readonly error: PackedError };

/** Maximum duration of a check in milliseconds, for any file and for each GiB of it. A slow disk reads 20 MB/s. */
const CHECK_MS = 10 * 60_000;
const CHECK_MS_PER_GIB = 60_000;

/** Returns the outcome of the check. Kills the process if it is stopped or waits for a disk that does not respond. */
function runCheck(child: ChildProcess, config: Config): Promise<FileCheck> {
  const bytes = statSync(join(config.data, "bindery.sqlite"), { throwIfNoEntry: false })?.size ?? 0;
  const timeLimitMs = CHECK_MS + CHECK_MS_PER_GIB * Math.ceil(bytes / 2 ** 30);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`The check did not end within ${timeLimitMs / 60_000} minutes; the next start checks again.`));
      child.kill("SIGKILL");
    }, timeLimitMs).unref();
    child.once("exit", () => clearTimeout(timer));
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`The check ended with ${signal ?? code}.`)));
    child.once("message", (outcome: CheckOutcome) => {
      if ("error" in outcome) reject(unpackError(outcome.error));
      else resolve(outcome.result);
    });
    child.send(config);
  });
}
