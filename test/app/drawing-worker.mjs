/** A thread that draws, for tests: it fills its memory, or takes as many milliseconds as the structure says. */
import { serveThread } from "../../build/app/threads/serve-thread.js";

await serveThread(async () => ({
  handlers: {
    drawStructure: async (smiles) => {
      if (smiles === "memory") for (const all = []; ; ) all.push(new Array(1_000).fill(all.length));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(smiles));
      return { svg: smiles };
    },
  },
  close: async () => undefined,
}));
