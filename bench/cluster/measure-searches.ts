/** The same requests over the same data to the embedded engine, to one node, to two, and to OpenSearch itself. */
import type { Client, SearchBody } from "../../test/support/http-client.js";
import { fillIndexes } from "../first/fill-index.js";
import { openSearchRows, type Row } from "../first/item-rows.js";
import { findDifference, openSearchCase } from "../first/opensearch-requests.js";
import { count, table } from "../markdown-table.js";
import { type Figures, measure, median, medianFigures } from "../measure.js";
import type { BenchOptions } from "../options.js";
import { type BenchCase, distinctPaths, get } from "../requests/bench-case.js";
import type { Sides } from "./start-sides.js";

/** Seconds of requests before a measurement, in which both sides compile what they run; more before the first row. */
const WARM_UP_SECONDS = 2;
const FIRST_WARM_UP_SECONDS = 10;

/** Requests whose answers are compared. */
const CHECKED = 8;

const COLUMNS = [
  "Request, varied",
  "Embedded/s",
  "p50 ms",
  "p99 ms",
  "One node/s",
  "p50 ms",
  "p99 ms",
  "Two nodes/s",
  "p50 ms",
  "p99 ms",
  "OpenSearch/s",
  "p50 ms",
  "p99 ms",
  "Alone p50 ms, embedded",
  "one node",
  "Times quicker alone",
  "Embedded / node",
  "Node / OpenSearch",
  "Two / one",
];

export async function measureSearches(
  sides: Sides,
  { only = "", seconds, rounds }: Pick<BenchOptions, "only" | "seconds" | "rounds">,
): Promise<string> {
  const { bindery } = sides.embedded;
  const items = await fillIndexes(sides.stores.search, bindery.url);
  const rows = (await openSearchRows(bindery.client, items)).filter(({ name }) => name.includes(only));
  const cells: string[][] = [];
  for (const row of rows) {
    await checkNode(bindery.client, sides.nodes[0].client, row);
    const difference = await findDifference(bindery.client, sides.stores.search, row);
    if (difference !== undefined) throw new Error(difference);
    const warmUp = cells.length === 0 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
    cells.push(cellsOf(row.name, await measureRow(sides, row, warmUp, { seconds, rounds })));
    process.stderr.write(`${cells.length} of ${rows.length}: ${row.name}\n`);
  }
  return table(COLUMNS, cells);
}

/** One round: each side with eight connections, and both engines with one request after the other. */
type Round = Readonly<Record<"embedded" | "node" | "nodes" | "raw" | "aloneEmbedded" | "aloneNode", Figures>>;

async function measureRow(
  sides: Sides,
  row: Row,
  warmUp: number,
  { seconds, rounds }: Pick<BenchOptions, "seconds" | "rounds">,
): Promise<readonly Round[]> {
  const { embedded, stores } = sides;
  const [node, nodes] = [sides.nodes[0].url, sides.nodes.map(({ url }) => url)];
  const own: BenchCase = { ...get(row.name, row.path), nextPath: distinctPaths(row.path) };
  const alone: BenchCase = { ...own, connections: 1 };
  const raw = openSearchCase(row);
  for (const url of [embedded.bindery.url, nodes]) await measure(url, own, warmUp);
  await measure(stores.search.url, raw, warmUp);
  const taken: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    taken.push({
      embedded: await measure(embedded.bindery.url, own, seconds),
      node: await measure(node, own, seconds),
      nodes: await measure(nodes, own, seconds),
      raw: await measure(stores.search.url, raw, seconds),
      aloneEmbedded: await measure(embedded.bindery.url, alone, seconds),
      aloneNode: await measure(node, alone, seconds),
    });
  }
  return taken;
}

function cellsOf(name: string, rounds: readonly Round[]): string[] {
  const of = (who: keyof Round): Figures => medianFigures(rounds.map((round) => round[who]));
  const cells = (who: keyof Round): string[] => {
    const { perSecond, p50, p99 } = of(who);
    return [count(perSecond), p50.toFixed(2), p99.toFixed(2)];
  };
  const ratio = (who: keyof Round, to: keyof Round, figure: keyof Figures = "perSecond"): string =>
    median(rounds.map((round) => round[who][figure] / round[to][figure])).toFixed(2);
  const alone = (who: keyof Round): string => of(who).p50.toFixed(2);
  return [
    name,
    ...cells("embedded"),
    ...cells("node"),
    ...cells("nodes"),
    ...cells("raw"),
    alone("aloneEmbedded"),
    alone("aloneNode"),
    ratio("aloneNode", "aloneEmbedded", "p50"),
    ratio("embedded", "node"),
    ratio("node", "raw"),
    ratio("nodes", "node"),
  ];
}

/** @throws where both do not find the same, in the same order */
async function checkNode(embedded: Client, node: Client, { name, path }: Row): Promise<void> {
  for (let n = 0; n < CHECKED; n++) {
    const [own, other] = [await found(embedded, path(n)), await found(node, path(n))];
    if (own !== other) throw new Error(`${name}: ${path(n)} finds ${own} in the data folder, and ${other} by a node.`);
  }
}

async function found(client: Client, path: string): Promise<string> {
  const { status, text, body } = await client.get<Partial<SearchBody<{ id: string }>> & { id?: string }>(path);
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text.slice(0, 2_000)}`);
  const { hits, id } = body;
  return hits === undefined ? `${id}` : `${hits.total}: ${hits.hits.map((hit) => hit.id).join(", ")}`;
}
