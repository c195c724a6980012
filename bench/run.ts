/** `npm run bench`: see bench/README.md. */
import { writeFileSync } from "node:fs";
import { reportAgainst } from "./against.js";
import { reportAttacks } from "./attacks.js";
import { describeGrowth, type SizedFigures } from "./classes/measure-class.js";
import { reportRecordClasses } from "./classes/report-records.js";
import { reportTermClasses } from "./classes/report-terms.js";
import { reportCluster } from "./cluster/report-cluster.js";
import { compareAll } from "./compare.js";
import { reportCompression } from "./compression.js";
import { reportDeposits } from "./deposits.js";
import { reportFirst } from "./first/report-first.js";
import { reportIsolation } from "./isolation.js";
import { describeLife, measureLife } from "./life.js";
import { type Loaded, loadService, megabytesOf } from "./load.js";
import { count } from "./markdown-table.js";
import { type BenchOptions, HELP, type Part, readOptions } from "./options.js";
import { reportPages } from "./pages/report-pages.js";
import { reportStreams } from "./pages/report-streams.js";
import { describeMachine, describeRun, type Report } from "./report.js";
import { reportValidation } from "./validation.js";
import { reportWrites } from "./writes.js";

/** Measures one size. */
const RUN: Readonly<Record<Part, (size: number, options: BenchOptions) => Promise<Report | string>>> = {
  requests: reportRequests,
  classes: reportRecordClasses,
  terms: reportTermClasses,
  pages: reportPages,
  streams: reportStreams,
  first: reportFirst,
  compression: reportCompression,
  validation: (_size, options) => reportValidation(options),
  writes: (_size, options) => reportWrites(options),
  isolation: reportIsolation,
  attacks: (_size, options) => reportAttacks(options),
  deposits: (_size, options) => reportDeposits(options),
  life: (size) => reportLife(size),
  cluster: reportCluster,
  against: reportAgainst,
};

const options = readOptions(process.argv.slice(2));
if (options === undefined) process.stdout.write(HELP);
else {
  const { part, sizes, seconds, rounds, out } = options;
  const parts: string[] = [];
  const say = (text: string): void => {
    process.stdout.write(`${text}\n`);
    parts.push(text);
    if (out !== undefined) writeFileSync(out, parts.join("\n"));
  };
  say(`${describeMachine(new Date())}; ${rounds} rounds of ${seconds} s.\n`);
  const classes: SizedFigures[] = [];
  for (const size of sizes) {
    const made = await RUN[part](size, options);
    const report = typeof made === "string" ? { text: made } : made;
    say(report.text);
    if (report.classes !== undefined) classes.push(report.classes);
  }
  if (classes.length > 1) say(describeGrowth(classes));
}

function reportRequests(size: number, options: BenchOptions): Promise<string> {
  return onService(size, async (loaded) => {
    const comparisons = await compareAll(loaded, size, options);
    const run = describeRun(size, loaded.figures, megabytesOf(loaded.bindery.pid), comparisons);
    return options.only === undefined ? `${run}\n${describeLife(await measureLife(loaded))}` : run;
  });
}

function reportLife(size: number): Promise<string> {
  const heading = `### The life of a record beside ${count(size)} others`;
  return onService(size, async (loaded) => `${heading}\n\n${describeLife(await measureLife(loaded))}`);
}

/** Does something with a service that has so many items and records. */
async function onService(size: number, work: (loaded: Loaded) => Promise<string>): Promise<string> {
  const loaded = await loadService(size);
  try {
    return await work(loaded);
  } catch (error) {
    process.stderr.write(loaded.bindery.output());
    throw error;
  } finally {
    await loaded.dispose();
  }
}
