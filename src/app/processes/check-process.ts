/**
 * Entry of the process that checks the whole database once and ends. It is not a thread, because a thread cannot be
 * ended while SQLite blocks it, and a stop of the service must not wait for the check.
 */
import type { Config } from "../../config/schema.js";
import type { FileCheck } from "../../engines/sqlite/admin/check-files.js";
import { checkData } from "../composition/data-folder.js";
import { type PackedError, packError } from "../rpc/rpc.js";
import { ignoreEndSignals } from "./signals.js";

// The first process handles signals, and ends this process.
ignoreEndSignals();

/** Message of the process when the check has ended. */
export type CheckOutcome = { readonly result: FileCheck } | { readonly error: PackedError };

process.once("message", async (config: Config) => {
  const send = (outcome: CheckOutcome): void => void process.send?.(outcome, undefined, {}, () => process.disconnect());
  try {
    send({ result: await checkData(config) });
  } catch (error) {
    send({ error: packError(error) });
  }
});
