import { megabytesOf } from "../load.js";
import type { BenchOptions } from "../options.js";
import type { Report } from "../report.js";
import { buildRecords } from "./build-records.js";
import { describeClasses } from "./measure-class.js";
import { measureRecordClasses } from "./measure-records.js";

/** Builds so many records, unless they are there, and measures the classes of queries over them. */
export async function reportRecordClasses(
  size: number,
  { data, seconds, only = "" }: Pick<BenchOptions, "data" | "seconds" | "only">,
): Promise<Report> {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const built = await buildRecords(size, data, say);
  const figures = await measureRecordClasses({ ...built, size }, seconds, only, say);
  const count = size.toLocaleString("en");
  const rate = built.recordsPerSecond;
  const text = [
    `### Queries inside the process, ${count} records`,
    "",
    ...(rate === undefined ? [] : [`- Built at ${rate.toFixed(0)} records/s.`]),
    `- Memory (RSS) after all of it: ${megabytesOf(process.pid).toFixed(0)} MB.`,
    "",
    describeClasses(figures),
  ].join("\n");
  return { text, classes: { size, figures } };
}
