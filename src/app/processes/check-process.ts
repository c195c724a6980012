/**
 * Entry of the process that checks the whole database once and ends. No thread: what blocks in SQLite cannot be ended
 * there, and a stop of the service must not wait for it.
 */
import type { Config } from "../../config/schema.js";
import type { FileCheck } from "../../engines/sqlite/admin/check-files.js";
import { checkData } from "../composition/data-folder.js";
import { type PackedError, packError } from "../rpc/rpc.js";
import { ignoreEndSignals } from "./signals.js";

// Signals go to the first process, which ends this one.
ignoreEndSignals();

/** What it sends when it is done. */
export type CheckOutcome = { readonly result: FileCheck } | { readonly error: PackedError };

process.once("message", async (config: Config) => {
  const send = (outcome: CheckOutcome): void => void process.send?.(outcome, undefined, {}, () => process.disconnect());
  try {
    send({ result: await checkData(config) });
  } catch (error) {
    send({ error: packError(error) });
  }
});
