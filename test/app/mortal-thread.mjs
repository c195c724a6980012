/** A thread of the service, for tests: it freezes, and dies of it, when it is told to by shared memory. */
import { workerData } from "node:worker_threads";

const state = new Int32Array(workerData.state);
setInterval(() => {
  if (Atomics.load(state, 0) !== 1) return;
  Atomics.store(state, 0, 2);
  Atomics.notify(state, 0);
  Atomics.wait(state, 0, 2);
  process.exit(3);
}, 1).unref();

await import(`../../dist/app/${workerData.entry}`);
