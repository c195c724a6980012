/** `bindery authority load ncbi`: all taxa at once, into a data folder, and into PostgreSQL and OpenSearch. */

import { startBindery } from "../../test/support/bindery.js";
import type { SearchBody } from "../../test/support/http-client.js";
import { command, megabytesOf, SERVICE, timed } from "../load.js";
import { count, table } from "../markdown-table.js";
import { startStores } from "./start-sides.js";

const COLUMNS = ["Deployment", "Taxa", "Seconds", "Per second", "Memory of the service afterwards, MB"];

const LOAD = ["authority", "load", "ncbi"];

export async function reportTaxa(taxdump: string | undefined): Promise<string> {
  if (taxdump === undefined) throw new Error("The load of all taxa needs --taxdump.");
  const rows = [await loadEmbedded(taxdump), await loadShared(taxdump)];
  return `### Load of all taxa\n\n${table(COLUMNS, rows)}`;
}

async function loadEmbedded(taxdump: string): Promise<string[]> {
  const bindery = await startBindery(SERVICE);
  try {
    await bindery.end("SIGTERM");
    const seconds = await timed(() => command(bindery, ...LOAD, taxdump));
    await bindery.restart();
    return await rowOf("data folder, without a service", bindery, seconds);
  } finally {
    await bindery.dispose();
  }
}

/** A node runs: it has made the index that the load adds to. */
async function loadShared(taxdump: string): Promise<string[]> {
  const stores = await startStores();
  try {
    const node = await stores.startNode();
    const seconds = await timed(() => command(stores, ...LOAD, taxdump));
    return await rowOf("PostgreSQL and OpenSearch, beside a node", node, seconds);
  } finally {
    await stores.stop();
  }
}

type Asked = Awaited<ReturnType<typeof startBindery>>;

async function rowOf(name: string, { client, pid }: Asked, seconds: number): Promise<string[]> {
  const { body } = await client.get<SearchBody>("/api/vocabularies/organisms?facets=none");
  const { total } = body.hits;
  return [name, count(total), seconds.toFixed(0), count(total / seconds), megabytesOf(pid).toFixed(0)];
}
