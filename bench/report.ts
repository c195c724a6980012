import { cpus, totalmem } from "node:os";
import type { Comparison } from "./compare.js";
import type { ImportFigures, LoadFigures } from "./load.js";

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
    "| Request | Answer | Requests/s | p50 ms | p99 ms | Bare/s | Bare p99 ms | Ratio | Others |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ...comparisons.map(describeRow),
    "",
  ].join("\n");
}

function describeImport({ perSecond, ofParse }: ImportFigures, what: string): string {
  return `${count(perSecond)} ${what}/s (${ofParse.toFixed(3)} of JSON.parse)`;
}

function describeRow({ name, bytes, ours, bare, ratio, helloRatio, insertRatio }: Comparison): string {
  const others = [
    ...(helloRatio === undefined ? [] : [`${helloRatio.toFixed(2)} of hello`]),
    ...(insertRatio === undefined ? [] : [`${insertRatio.toFixed(3)} of one INSERT`]),
  ];
  const cells = [
    name,
    `${(bytes / 1000).toFixed(1)} kB`,
    count(ours.perSecond),
    ours.p50.toFixed(2),
    ours.p99.toFixed(2),
    count(bare.perSecond),
    bare.p99.toFixed(2),
    ratio.toFixed(3),
    others.join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
}

function count(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });
}
