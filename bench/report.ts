import { cpus, totalmem } from "node:os";
import type { SizedFigures } from "./classes/measure-class.js";
import type { Comparison } from "./compare.js";
import type { ImportFigures, LoadFigures } from "./load.js";
import { count, table, toReach } from "./markdown-table.js";

/** What is said of one size. */
export interface Report {
  /** In Markdown. */
  readonly text: string;
  /** Of classes of queries: they are compared with those of other sizes. */
  readonly classes?: SizedFigures;
}

/** Where and when the figures were taken. */
export function describeMachine(now: Date): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const machine = `${cpus().length} × ${first?.model.trim() ?? "unknown processor"}, ${memory} GB`;
  return `${now.toISOString().slice(0, 10)}, Node ${process.version}, ${machine}`;
}

/** The report of one size, in Markdown. @param endMegabytes memory of the service after all requests */
export function describeRun(
  size: number,
  load: LoadFigures,
  endMegabytes: number,
  comparisons: readonly Comparison[],
): string {
  const memory = [load.emptyMegabytes, load.startedMegabytes, endMegabytes].map((value) => value.toFixed(0));
  return [
    `### ${count(size)} items, ${count(size)} records`,
    "",
    `- Import: ${describeImport(load.items, "items")}, ${describeImport(load.records, "records")} (published).`,
    `- Memory (RSS): ${memory[0]} MB new and empty, ${memory[1]} MB loaded, ${memory[2]} MB after this run.`,
    `- From start to first response: ${load.firstAnswerMillis.toFixed(0)} ms.`,
    "",
    table(COLUMNS, comparisons.map(cellsOf)),
  ].join("\n");
}

function describeImport({ perSecond, ofParse }: ImportFigures, what: string): string {
  return `${count(perSecond)} ${what}/s (${ofParse.toFixed(3)} of JSON.parse)`;
}

const COLUMNS = [
  "Request",
  "Answer",
  "Requests/s",
  "p50 ms",
  "p99 ms",
  "Bare/s",
  "Ratio",
  "of hello",
  "To reach",
  "Alone p50 ms",
  "To reach, ms",
];

function cellsOf({ test, bytes, ours, bare, ratio, helloRatio, aloneMillis }: Comparison): string[] {
  const { name, reach, reachAlone } = test;
  return [
    name,
    `${(bytes / 1000).toFixed(1)} kB`,
    count(ours.perSecond),
    ours.p50.toFixed(2),
    ours.p99.toFixed(2),
    count(bare.perSecond),
    ratio.toFixed(3),
    helloRatio.toFixed(3),
    toReach(reach, reach !== undefined && helloRatio >= reach),
    aloneMillis?.toFixed(2) ?? "",
    toReach(reachAlone, (aloneMillis ?? 0) <= (reachAlone ?? 0)),
  ];
}
