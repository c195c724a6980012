/**
 * Preloaded into each thread of a service that a test attacks (`NODE_OPTIONS=--import`): a file `<attack>-<thread>` in
 * the folder ATTACK_FOLDER makes the thread block its event loop, or end.
 */
import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { isMainThread } from "node:worker_threads";

/** Blocks for a time. */
const wait = (seconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1_000);

const ATTACKS = {
  pause: () => wait(13),
  block: () => {
    for (;;);
  },
  kill: () => process.exit(1),
};

const folder = process.env.ATTACK_FOLDER;
if (folder !== undefined) {
  const thread = isMainThread ? "main" : basename(process.argv[1], "-thread.js");
  setInterval(() => {
    for (const [name, attack] of Object.entries(ATTACKS)) {
      const file = join(folder, `${name}-${thread}`);
      if (!existsSync(file)) continue;
      rmSync(file);
      attack();
    }
  }, 20).unref();
}
