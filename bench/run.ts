/** `npm run bench`: see bench/README.md. */
import { writeFileSync } from "node:fs";
import { compareAll } from "./compare.js";
import { loadService, megabytesOf } from "./load.js";
import { HELP, readOptions } from "./options.js";
import { describeMachine, describeRun } from "./report.js";

const options = readOptions(process.argv.slice(2));
if (options === undefined) process.stdout.write(HELP);
else {
  const { sizes, seconds, rounds, out } = options;
  const parts = [`${describeMachine(new Date())}; ${rounds} rounds of ${seconds} s.\n`];
  process.stdout.write(`${parts[0]}\n`);
  for (const size of sizes) {
    const loaded = await loadService(size);
    try {
      const comparisons = await compareAll(loaded, size, options);
      const part = describeRun(size, loaded.figures, megabytesOf(loaded.bindery.pid), comparisons);
      process.stdout.write(`${part}\n`);
      parts.push(part);
    } catch (error) {
      process.stderr.write(loaded.bindery.output());
      throw error;
    } finally {
      await loaded.dispose();
    }
    if (out !== undefined) writeFileSync(out, parts.join("\n"));
  }
}
