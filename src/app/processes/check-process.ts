/**
 * Entry of the process that checks the whole database once and ends. It is not a thread, because a thread cannot be
 * ended while SQLite blocks it, and a stop of the service must not wait for the check.
 */
import type { Config } from "../../config/schema.js";
import { checkData } from "../composition/store-files.js";
import { packError } from "../rpc/rpc.js";
import type { CheckOutcome } from "./check-after-crash.js";
import { ignoreEndSignals } from "./signals.js";

// The first process handles signals, and ends this process.
ignoreEndSignals();

process.once("message", async (config: Config) => {
  const send = (outcome: CheckOutcome): void => void process.send?.(outcome, undefined, {}, () => process.disconnect());
  try {
    send({ result: await checkData(config) });
  } catch (error) {
    send({ error: packError(error) });
  }
});
