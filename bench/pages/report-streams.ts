/** Whole results as streams, read as fast as they come. */
import { request } from "node:http";
import type { Bindery } from "../../test/support/bindery.js";
import { megabytesOf } from "../load.js";
import { count, table } from "../markdown-table.js";
import { median } from "../measure.js";
import type { BenchOptions } from "../options.js";
import { processorSeconds, serveRecords } from "./serve-records.js";

const ALL = "/api/records/mst?format=";

/** Of all records. Where an answer has a line for each of its rows, they are counted, without the head of a table. */
const STREAMS: readonly { readonly name: string; readonly path: string; readonly headLines?: number }[] = [
  { name: "NDJSON, whole records", path: `${ALL}ndjson`, headLines: 0 },
  { name: "NDJSON, a line for each result", path: `${ALL}ndjson&rows=results&fields=id,type,value`, headLines: 0 },
  { name: "CSV, columns of the model", path: `${ALL}csv`, headLines: 1 },
  { name: "CSV, a line for each result", path: `${ALL}csv&rows=results&fields=id,type,value`, headLines: 1 },
  { name: "BibTeX", path: `${ALL}bibtex` },
];

interface Stream {
  readonly seconds: number;
  readonly bytes: number;
  readonly lines: number;
  /** Seconds of all threads of the service. */
  readonly processor: number;
  /** Largest memory of the service (RSS), in MB. */
  readonly peak: number;
}

/** Between two looks at the memory of the service. */
const LOOK_MS = 250;

export async function reportStreams(
  size: number,
  { rounds, data, only = "" }: Pick<BenchOptions, "rounds" | "data" | "only">,
): Promise<string> {
  return serveRecords(size, data, async (bindery) => {
    const rows: string[][] = [];
    const idle = megabytesOf(bindery.pid);
    for (const { name, path, headLines } of STREAMS.filter((stream) => stream.name.includes(only))) {
      const taken: Stream[] = [];
      for (let round = 0; round < rounds; round++) taken.push(await read(bindery, path));
      const of = (value: (stream: Stream) => number): number => median(taken.map(value));
      const found = headLines === undefined ? size : taken[0]!.lines - headLines;
      rows.push([
        name,
        `${count(of(({ bytes }) => bytes / 1_000_000))} MB`,
        count(found),
        count(of(({ seconds }) => found / seconds)),
        of(({ bytes, seconds }) => bytes / seconds / 1_000_000).toFixed(1),
        of(({ processor }) => (processor * 1_000_000) / size).toFixed(1),
        Math.max(...taken.map(({ peak }) => peak)).toFixed(0),
      ]);
    }
    const memory = `Memory (RSS) of the service before: ${idle.toFixed(0)} MB.`;
    return `### Whole results, ${count(size)} records\n\n${memory}\n\n${table(COLUMNS, rows)}`;
  });
}

const COLUMNS = ["Stream", "Answer", "Rows", "Rows/s", "MB/s", "Processor ms per 1,000 records", "Peak RSS, MB"];

/** @throws where the answer is an error, or is cut short */
async function read(bindery: Bindery, path: string): Promise<Stream> {
  const before = await processorSeconds(bindery);
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, megabytesOf(bindery.pid));
  }, LOOK_MS);
  const begun = performance.now();
  const read = await readAll(bindery.url + path).finally(() => clearInterval(timer));
  const seconds = (performance.now() - begun) / 1_000;
  const processor = (await processorSeconds(bindery)) - before;
  return { ...read, seconds, processor, peak: Math.max(peak, megabytesOf(bindery.pid)) };
}

const NEWLINE = 10;

function readAll(url: string): Promise<{ bytes: number; lines: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, (answer) => {
      let bytes = 0;
      let lines = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
      });
      answer.on("error", reject);
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve({ bytes, lines });
        else reject(new Error(`${url} was answered ${answer.statusCode}.`));
      });
    });
    sent.on("error", reject).end();
  });
}
