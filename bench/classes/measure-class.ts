import { table, toReach } from "../markdown-table.js";
import { median, quantile } from "../measure.js";

/** Times in milliseconds of one kind of query, inside the process. */
export interface Times {
  readonly p50: number;
  readonly p99: number;
}

export interface ClassFigures {
  readonly name: string;
  /** Fewest and most hits of a variant. */
  readonly hits: readonly [number, number];
  /** First use of each variant, before anything of it is in memory. */
  readonly cold: Times;
  readonly warm: Times;
  /** The median of the plainest statement of SQL that answers the same. */
  readonly plain?: number;
  /** The p99 to reach, in milliseconds. */
  readonly reach: number;
  /** What was measured when the plan was made, p50/p99. */
  readonly planned?: string;
  /** Whether the query was read as plain words, because the engine lacks what it asks for. */
  readonly isDegraded: boolean;
}

export interface Measurable {
  readonly variants: number;
  /** @param call of all calls, so that no answer is taken from the memory of an earlier one. @returns hits */
  ask(variant: number, call: number): Promise<number>;
  /** The same by plain SQL. @returns hits */
  plain?(variant: number): number;
}

/** Calls at least: what a p99 means something of. */
const CALLS_MIN = 200;

/** However slow: so long, in multiples of the time for one measurement. */
const PATIENCE = 4;

/** Each variant once, then all in turn for some seconds. @throws where plain SQL finds another number of hits */
export async function measureClass(
  name: string,
  measurable: Measurable,
  seconds: number,
): Promise<Pick<ClassFigures, "hits" | "cold" | "warm" | "plain">> {
  const { variants, ask, plain } = measurable;
  let calls = 0;
  const timed = async (variant: number): Promise<[number, number]> => {
    const begun = performance.now();
    const hits = await ask(variant, calls++);
    return [performance.now() - begun, hits];
  };
  const first: [number, number][] = [];
  for (let variant = 0; variant < variants; variant++) first.push(await timed(variant));
  const times: number[] = [];
  const begun = performance.now();
  for (let n = 0; ; n++) {
    const spent = performance.now() - begun;
    if (spent > seconds * 1000 * PATIENCE || (spent > seconds * 1000 && n >= CALLS_MIN)) break;
    times.push((await timed(n % variants))[0]);
  }
  const hits = first.map(([, found]) => found);
  const plainTimes: number[] = [];
  for (let variant = 0; plain !== undefined && variant < variants; variant++) {
    const start = performance.now();
    const found = plain(variant);
    plainTimes.push(performance.now() - start);
    if (found !== hits[variant]) throw new Error(`${name}: ${hits[variant]} hits, and ${found} by plain SQL.`);
  }
  return {
    hits: [Math.min(...hits), Math.max(...hits)],
    cold: timesOf(first.map(([time]) => time)),
    warm: timesOf(times),
    ...(plain === undefined ? {} : { plain: median(plainTimes) }),
  };
}

function timesOf(times: readonly number[]): Times {
  const ascending = [...times].sort((a, b) => a - b);
  return { p50: quantile(ascending, 0.5), p99: quantile(ascending, 0.99) };
}

const COLUMNS = [
  "Query",
  "Hits",
  "First p50/p99 ms",
  "p50 ms",
  "p99 ms",
  "To reach, p99",
  "Planned p50/p99",
  "Plain SQL p50",
  "Times faster",
];

/** The figures as a table in Markdown. */
export function describeClasses(figures: readonly ClassFigures[]): string {
  return table(COLUMNS, figures.map(cellsOf));
}

/** Figures of one size, for comparison with others. */
export interface SizedFigures {
  readonly size: number;
  readonly figures: readonly ClassFigures[];
}

/** The same classes at several sizes, side by side, as a table in Markdown. */
export function describeGrowth(runs: readonly SizedFigures[]): string {
  const names = [...new Set(runs.flatMap(({ figures }) => figures.map(({ name }) => name)))];
  const rows = names.map((name) => {
    const cells = runs.map(({ figures }) => {
      const found = figures.find((each) => each.name === name);
      return found === undefined ? "" : `${short(found.warm.p50)}/${short(found.warm.p99)}`;
    });
    return [name, ...cells];
  });
  const columns = ["Query, p50/p99 ms", ...runs.map(({ size }) => size.toLocaleString("en"))];
  return `### The same queries at each size\n\n${table(columns, rows)}`;
}

function cellsOf({ name, hits, cold, warm, plain, reach, planned, isDegraded }: ClassFigures): string[] {
  const [least, most] = hits.map((value) => value.toLocaleString("en"));
  return [
    isDegraded ? `${name} (read as plain words)` : name,
    least === most ? least! : `${least} to ${most}`,
    `${short(cold.p50)}/${short(cold.p99)}`,
    short(warm.p50),
    short(warm.p99),
    toReach(reach, warm.p99 <= reach),
    planned ?? "",
    plain === undefined ? "" : short(plain),
    plain === undefined ? "" : short(plain / warm.p50),
  ];
}

/** Two digits that say something. */
const short = (value: number): string => (value < 10 ? value.toPrecision(2) : value.toFixed(0));
