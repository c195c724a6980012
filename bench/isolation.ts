/** How long light searches take beside costly ones of another caller: one thread answers both. */
import { setTimeout as sleep } from "node:timers/promises";
import { wordOfRank } from "../test/support/random.js";
import { loadService } from "./load.js";
import { type Figures, measure, median, medianFigures } from "./measure.js";
import type { BenchOptions } from "./options.js";
import type { BenchCase } from "./requests/bench-case.js";

/** What the p99 of a light search may be beside any of these, in milliseconds. */
const TO_REACH_MS = 20;

const VARIANTS = 64;
const LIGHT_CONNECTIONS = 2;
const COSTLY_CONNECTIONS = 2;

const ORGANISMS = "/api/vocabularies/organisms";

/** Ranks of words among all: in nearly every record, in one of some hundred, in a few. */
const COMMON = 0;
const MIDDLE = 60;

const LIGHT = [
  ["items", (n: number) => `${ORGANISMS}?q=${wordOfRank(MIDDLE + n)}&facets=none`],
  ["records", (n: number) => `/api/search/?q=title:${wordOfRank(MIDDLE + n)}&facets=none&s=5`],
] as const;

const RANKS = ["species", "genus", "strain", "subspecies"];

const COSTLY: readonly (readonly [string, (n: number) => string])[] = [
  ["facets of two words in records", (n) => `/api/search/?q=${wordOfRank(COMMON + (n % 9))}+${wordOfRank(MIDDLE + n)}`],
  ["fuzzy word in all text of records", (n) => `/api/search/?q=${mistyped(MIDDLE + n)}~2&facets=none`],
  [
    "no hits, so that similar words are looked for",
    (n) => `/api/search/?q=${mistyped(n)}+${mistyped(n + 7)}&facets=none`,
  ],
  [
    "matches marked in 100 records",
    (n) => `/api/search/?q=${wordOfRank(COMMON + (n % 9))}&facets=none&highlight=true&s=100`,
  ],
  ["facet filter of items, title order", (n) => `${ORGANISMS}?rank=${RANKS[n % 4]}&sort=title&p=${1 + n}`],
  ["suggestions with two typos", (n) => `${ORGANISMS}?suggest=${mistyped(MIDDLE + n)}+${mistyped(n)}`],
  ["pages of 1,000 items", (n) => `${ORGANISMS}?s=1000&p=${1 + (n % 5)}&facets=none`],
];

/** Two letters change places. */
function mistyped(rank: number): string {
  const word = wordOfRank(rank);
  return `${word[0]}${word[2] ?? "x"}${word[1]}${word.slice(3)}`;
}

export async function reportIsolation(
  size: number,
  { seconds, rounds, only = "" }: Pick<BenchOptions, "seconds" | "rounds" | "only">,
): Promise<string> {
  const { bindery, token, dispose } = await loadService(size);
  const headers = { authorization: `Bearer ${token}` };
  const light = LIGHT.map(([name, path]): BenchCase => ({ ...get(name, path, LIGHT_CONNECTIONS), headers }));
  const ask = (one: BenchCase): Promise<Figures> => measure(bindery.url, one, seconds);
  try {
    const rows: string[] = [];
    for (const one of light) await ask(one);
    const measured = async (beside: string, times: () => readonly number[]): Promise<void> => {
      for (const one of light) {
        const taken: Figures[] = [];
        for (let round = 0; round < rounds; round++) taken.push(await ask(one));
        rows.push(row(beside, one.name, medianFigures(taken), times()));
      }
    };
    await measured("nothing", () => []);
    for (const [name, path] of COSTLY.filter(([name]) => name.includes(only))) {
      const stream = startStream(bindery.url, path);
      // First uses are not what this is about.
      await sleep(seconds * 1_000);
      await measured(name, stream.times);
      await stream.end();
    }
    return describe(size, rows);
  } finally {
    await dispose();
  }
}

/** Sends costly requests of a caller without a token, one after the other on each connection. */
function startStream(url: string, path: (n: number) => string): { times(): readonly number[]; end(): Promise<void> } {
  const times: number[] = [];
  let n = 0;
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      const start = performance.now();
      const asked = path(n++ % VARIANTS);
      const answer = await fetch(url + asked);
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${asked} was answered ${answer.status}.`);
      times.push(performance.now() - start);
    }
  };
  const running = Promise.all(Array.from({ length: COSTLY_CONNECTIONS }, run));
  return {
    times: () => times,
    end: async () => {
      isOver = true;
      await running;
    },
  };
}

function get(name: string, path: (n: number) => string, connections: number): BenchCase {
  return { name, method: "GET", paths: Array.from({ length: VARIANTS }, (_, n) => path(n)), connections };
}

function row(beside: string, light: string, { perSecond, p50, p99 }: Figures, times: readonly number[]): string {
  const cells = [
    beside,
    light,
    perSecond.toFixed(0),
    p50.toFixed(1),
    p99 <= TO_REACH_MS ? p99.toFixed(1) : `**${p99.toFixed(1)}**`,
    times.length === 0 ? "" : median(times).toFixed(1),
  ];
  return `| ${cells.join(" | ")} |`;
}

function describe(size: number, rows: readonly string[]): string {
  return [
    `### Light searches beside costly ones, ${size.toLocaleString("en")} items and records`,
    "",
    `p99 to reach: ${TO_REACH_MS} ms.`,
    "",
    "| Beside | Light search of | per second | p50 in ms | p99 in ms | Costly p50 in ms |",
    "| --- | --- | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
  ].join("\n");
}
