/** A thread for the tests of workers: it answers, fails, dies, or refuses to start while a file is there. */
import { existsSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { serveThread } from "../../build/app/threads/serve-thread.js";
import { fail } from "../../build/core/errors.js";

function nest(depth) {
  let value = "x";
  for (let i = 0; i < depth; i++) value = { value };
  return value;
}

await serveThread(async (background) => {
  if (existsSync(workerData.block)) throw fail("STORE_UNAVAILABLE", { reason: "the disk is full" });
  return {
    handlers: {
      echo: async (text) => text,
      refuse: async () => {
        throw fail("RECORD_NOT_FOUND", { id: "abc" });
      },
      fail: async () =>
        background.onBackgroundError("index-merge", fail("STORE_UNAVAILABLE", { reason: "the disk is full" })),
      work: async () => background.onBackgroundSuccess("index-merge"),
      die: async () => process.exit(3),
      crash: () =>
        new Promise(() => {
          setImmediate(() => {
            throw new Error("out of the blue");
          });
        }),
      never: () => new Promise(() => undefined),
      nest: async (depth) => nest(depth),
      block: async () => {
        for (;;);
      },
      fillMemory: async () => {
        for (const all = []; ; ) all.push({ all: new Array(1_000).fill(all.length) });
      },
    },
    close: async () => undefined,
  };
});
