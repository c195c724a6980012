import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Numbers of items and of records that are loaded: one run after the other, each on a new data folder. */
  readonly sizes: readonly number[];
  /** How long one measurement takes. */
  readonly seconds: number;
  /** How often each pair is measured. */
  readonly rounds: number;
  /** Only requests whose name contains this text. */
  readonly only?: string;
  /** File that gets the report too. */
  readonly out?: string;
}

export const HELP = `npm run bench -- [--size 1000,10000] [--seconds 1] [--rounds 3] [--only TEXT] [--out FILE]

  --size     numbers of items and records to load, separated by commas
  --seconds  length of one measurement
  --rounds   measurements of each request, interleaved with those of the bare server; the median counts
  --only     only requests whose name contains the text
  --out      write the report to a file too
`;

const DEFAULTS = { size: "1000,10000,100000", seconds: "1", rounds: "3" };

/** @returns undefined where help is asked for. @throws Error that says what is wrong */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      size: { type: "string", default: DEFAULTS.size },
      seconds: { type: "string", default: DEFAULTS.seconds },
      rounds: { type: "string", default: DEFAULTS.rounds },
      only: { type: "string" },
      out: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    sizes: values.size.split(",").map((size) => positive("--size", size, Number.isInteger)),
    seconds: positive("--seconds", values.seconds, Number.isFinite),
    rounds: positive("--rounds", values.rounds, Number.isInteger),
    ...(values.only === undefined ? {} : { only: values.only }),
    ...(values.out === undefined ? {} : { out: values.out }),
  };
}

function positive(option: string, text: string, isRight: (value: number) => boolean): number {
  const value = Number(text);
  if (!isRight(value) || value <= 0) throw new Error(`${option} cannot be ${text}.`);
  return value;
}
