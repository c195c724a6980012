/** The embedded engine, one node, two nodes and OpenSearch itself on the same data, in one run. */
import { count } from "../markdown-table.js";
import type { BenchOptions } from "../options.js";
import { measureLag } from "./measure-lag.js";
import { measureReindex } from "./measure-reindex.js";
import { measureSearches } from "./measure-searches.js";
import { reportTaxa } from "./measure-taxa.js";
import { measureWrites } from "./measure-writes.js";
import { type Sides, startSides } from "./start-sides.js";

/** Records are ten times as large as items, and load that much more slowly. */
const ITEMS_PER_RECORD = 4;

/** Shorter ones say little of a p99 of writes. */
const WRITE_SECONDS_MIN = 1;

/** In this order: writes change what searches are compared over. */
const PARTS: Readonly<
  Record<string, { readonly title: string; run(sides: Sides, size: number, options: BenchOptions): Promise<string> }>
> = {
  searches: { title: "Reads and searches", run: (sides, _, options) => measureSearches(sides, options) },
  reindex: { title: "Imports, moving and reindexing", run: measureReindex },
  deposits: {
    title: "Deposits",
    run: (sides, _, { seconds, rounds }) =>
      measureWrites(sides, { rounds, seconds: Math.max(seconds, WRITE_SECONDS_MIN) }),
  },
  lag: { title: "Lag of the index, and searches beside writers", run: (sides) => measureLag(sides) },
};

/** @param size items; a quarter as many records. All parts but that of all taxa, or the one that is asked for */
export async function reportCluster(size: number, { only: asked = "", ...options }: BenchOptions): Promise<string> {
  const [name = "", ...rest] = asked.split(":");
  if (name === "taxa") return reportTaxa(options.taxdump);
  const parts = Object.entries(PARTS).filter(([each]) => name === "" || each === name);
  if (parts.length === 0) {
    throw new Error(`--only cluster has ${Object.keys(PARTS).join(", ")} and taxa, and no ${name}.`);
  }
  const records = Math.ceil(size / ITEMS_PER_RECORD);
  const sides = await startSides(size, records);
  try {
    const texts = [`### Beside the embedded engine and OpenSearch, ${count(size)} items and ${count(records)} records`];
    for (const [, { title, run }] of parts) {
      process.stderr.write(`${title}\n`);
      texts.push(`#### ${title}\n\n${await run(sides, size, { ...options, only: rest.join(":") })}`);
    }
    return texts.join("\n\n");
  } catch (error) {
    for (const { output } of [sides.embedded.bindery, ...sides.nodes]) process.stderr.write(output());
    throw error;
  } finally {
    await sides.stop();
  }
}
