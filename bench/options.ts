import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Numbers of items and of records that are loaded: one run after the other, each on a new data folder. */
  readonly sizes: readonly number[];
  /** Numbers of records for first answers, one for each size. */
  readonly records: readonly number[];
  /** How long one measurement takes. */
  readonly seconds: number;
  /** How often each pair is measured. */
  readonly rounds: number;
  /**
   * What is measured: requests over HTTP; or in process classes of queries of records or terms, or validation; or pages
   * for people beside the requests whose answers they show, or whole results as streams; or first answers beside
   * OpenSearch and tantivy; or pages with and without compression; or light writes beside large ones; or deposits and
   * what follows them; or light searches beside costly ones; or light requests under attack; or services that share a
   * database; or requests and pages beside another build of Bindery.
   */
  readonly part: Part;
  /** Only requests, or classes, whose name contains this text. */
  readonly only?: string;
  /** Folder that built data are kept in, for the classes and the pages. */
  readonly data: string;
  /** The authority's dump of a taxonomy (`taxdump.tar.gz`); absent: generated items. */
  readonly taxdump?: string;
  /** Folder of a copy of the sources, built: what this copy is compared with. */
  readonly base?: string;
  /** File that gets the report too. */
  readonly out?: string;
}

export const PARTS = [
  "requests",
  "classes",
  "terms",
  "pages",
  "streams",
  "first",
  "validation",
  "compression",
  "writes",
  "deposits",
  "isolation",
  "attacks",
  "life",
  "cluster",
  "against",
] as const;
export type Part = (typeof PARTS)[number];

export const HELP = `npm run bench first -- [--only TEXT] [--size 1000,100000] [--records 200,5000] [--taxdump FILE]
                        [--seconds 0.5] [--rounds 3] [--out FILE]
       npm run bench -- [--size 1000,10000] [--seconds 0.5] [--rounds 3] [--only TEXT] [--out FILE]
       npm run bench -- --only classes[:TEXT] [--size 200000] [--seconds 0.5] [--data FOLDER] [--out FILE]
       npm run bench -- --only terms[:TEXT] [--size 1000000 | --taxdump FILE] [--data FOLDER] [--out FILE]
       npm run bench -- --only pages[:TEXT] [--size 200000] [--seconds 0.5] [--rounds 3] [--data FOLDER] [--out FILE]
       npm run bench -- --only streams[:TEXT] [--size 200000] [--rounds 3] [--data FOLDER] [--out FILE]
       npm run bench -- --only validation [--seconds 0.5] [--rounds 3] [--out FILE]
       npm run bench -- --only compression [--size 1000] [--seconds 0.5] [--rounds 3] [--out FILE]
       npm run bench -- --only writes [--seconds 0.5] [--rounds 3] [--out FILE]
       npm run bench -- --only isolation[:TEXT] [--size 5000] [--seconds 0.5] [--rounds 3] [--out FILE]
       npm run bench -- --only attacks[:TEXT] [--seconds 10] [--out FILE]
       npm run bench -- --only deposits [--seconds 0.5] [--rounds 3] [--out FILE]
       npm run bench -- --only life [--size 10000] [--out FILE]
       npm run bench -- --only cluster[:searches[:TEXT]|:reindex|:deposits|:lag] [--size 20000] [--seconds 0.5]
                        [--rounds 3] [--out FILE]
       npm run bench -- --only cluster:taxa --taxdump FILE [--out FILE]
       npm run bench -- --only against[:TEXT] --base FOLDER [--size 10000] [--seconds 0.5] [--rounds 3] [--out FILE]

  --size     numbers of items and records to load, separated by commas; of several sizes, the classes are also shown in
             one table
  --seconds  length of one measurement
  --rounds   measurements of each request, interleaved with those of the bare server; the median counts
  --only     only requests whose name contains the text; or what is measured instead of requests over HTTP: classes of
             record queries, or terms, inside one process, all of them or those whose name contains the text; or pages
             for people; or whole results as streams; or the
             validation of one record; or pages over HTTP with and without compression; or light deposits
             beside a stream of large ones; or deposits, publications and edits by one caller and by eight;
             or light searches beside costly ones; or light requests under attack; or the steps in the life of a record;
             or services on PostgreSQL and OpenSearch beside the embedded engine and OpenSearch itself;
             or requests and pages of this copy of the sources beside those of another one
  first      first answers: every request is sent once, to the service and to OpenSearch (by Maven and a JDK of 21 or
             newer); searches inside the process and by tantivy (by Python and pip)
  --records  for "first": numbers of records, one for each size
  --data     folder in which the data of classes, pages and streams are kept from one run to the next
  --taxdump  the taxonomy as its authority publishes it, for terms and for the load of all taxa
  --base     the other copy of the sources, built
  --out      write the report to a file too
`;

const DEFAULTS = { seconds: "0.5", rounds: "3", records: "200,5000" };
const SIZES: Readonly<Record<Part, string>> = {
  requests: "1000,10000",
  classes: "200000",
  terms: "1000000",
  pages: "200000",
  streams: "200000",
  first: "1000,100000",
  validation: "1",
  compression: "1000",
  writes: "1",
  deposits: "1",
  isolation: "5000",
  attacks: "1",
  life: "10000",
  cluster: "20000",
  against: "10000",
};

/** @returns undefined where help is asked for. @throws Error that says what is wrong */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      size: { type: "string" },
      records: { type: "string", default: DEFAULTS.records },
      seconds: { type: "string", default: DEFAULTS.seconds },
      rounds: { type: "string", default: DEFAULTS.rounds },
      only: { type: "string", default: "" },
      data: { type: "string", default: join(tmpdir(), "bindery-bench-data") },
      taxdump: { type: "string" },
      base: { type: "string" },
      out: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const [first = "", ...rest] = [...positionals, values.only]
    .filter((text) => text !== "")
    .join(":")
    .split(":");
  const named = PARTS.find((name) => name === first);
  if (named === undefined && positionals.length > 0) {
    throw new Error(`There is no part "${first}". The parts are ${PARTS.join(", ")}.`);
  }
  const part = named ?? "requests";
  const only = named === undefined ? values.only : rest.join(":");
  const numbers = (option: string, text: string): readonly number[] =>
    text.split(",").map((number) => positive(option, number, Number.isInteger));
  return {
    part,
    sizes: numbers("--size", values.size ?? SIZES[part]),
    records: numbers("--records", values.records),
    seconds: positive("--seconds", values.seconds, Number.isFinite),
    rounds: positive("--rounds", values.rounds, Number.isInteger),
    ...(only === "" ? {} : { only }),
    data: values.data,
    ...(values.taxdump === undefined ? {} : { taxdump: values.taxdump }),
    ...(values.base === undefined ? {} : { base: values.base }),
    ...(values.out === undefined ? {} : { out: values.out }),
  };
}

function positive(option: string, text: string, isRight: (value: number) => boolean): number {
  const value = Number(text);
  if (!isRight(value) || value <= 0) throw new Error(`${option} cannot be ${text}.`);
  return value;
}
