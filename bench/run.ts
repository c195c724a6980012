/** `npm run bench`: see bench/README.md. */
import { writeFileSync } from "node:fs";
import { reportRecordClasses } from "./classes/report-records.js";
import { reportTermClasses } from "./classes/report-terms.js";
import { compareAll } from "./compare.js";
import { reportCompression } from "./compression.js";
import { reportDeposits } from "./deposits.js";
import { reportIsolation } from "./isolation.js";
import { describeLife, measureLife } from "./life.js";
import { loadService, megabytesOf } from "./load.js";
import { type BenchOptions, HELP, type Part, readOptions } from "./options.js";
import { describeMachine, describeRun } from "./report.js";
import { reportValidation } from "./validation.js";
import { reportWrites } from "./writes.js";

/** Measures one size. @returns the report, in Markdown */
const RUN: Readonly<Record<Part, (size: number, options: BenchOptions) => Promise<string>>> = {
  requests: reportRequests,
  classes: reportRecordClasses,
  terms: reportTermClasses,
  compression: reportCompression,
  validation: (_size, options) => reportValidation(options),
  writes: (_size, options) => reportWrites(options),
  isolation: reportIsolation,
  deposits: (_size, options) => reportDeposits(options),
};

const options = readOptions(process.argv.slice(2));
if (options === undefined) process.stdout.write(HELP);
else {
  const { part, sizes, seconds, rounds, out } = options;
  const parts = [`${describeMachine(new Date())}; ${rounds} rounds of ${seconds} s.\n`];
  process.stdout.write(`${parts[0]}\n`);
  for (const size of sizes) {
    const report = await RUN[part](size, options);
    process.stdout.write(`${report}\n`);
    parts.push(report);
    if (out !== undefined) writeFileSync(out, parts.join("\n"));
  }
}

async function reportRequests(size: number, options: BenchOptions): Promise<string> {
  const loaded = await loadService(size);
  try {
    const comparisons = await compareAll(loaded, size, options);
    const run = describeRun(size, loaded.figures, megabytesOf(loaded.bindery.pid), comparisons);
    return options.only === undefined ? `${run}\n${describeLife(await measureLife(loaded))}` : run;
  } catch (error) {
    process.stderr.write(loaded.bindery.output());
    throw error;
  } finally {
    await loaded.dispose();
  }
}
