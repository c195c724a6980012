/** Measures the engine without HTTP and tantivy, each inside one process and on one thread. */
import { execFileSync } from "node:child_process";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { readCatalog } from "../../src/app/composition/read-catalog.js";
import { makeCaches } from "../../src/core/caches.js";
import { LIMITS } from "../../src/core/limits.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import { termFields } from "../../src/query/fields/field-lookup.js";
import { parseQuery } from "../../src/query/parse/parse.js";
import { resolveQuery } from "../../src/query/resolve/resolve.js";
import { ROOT } from "../../test/support/bindery.js";
import type { ItemShape } from "../../test/support/http-client.js";
import { CATALOG_FOLDER, clock } from "../classes/build-records.js";
import { VOCABULARY } from "../classes/build-terms.js";
import type { Loaded } from "../load.js";
import { count, table } from "../markdown-table.js";
import { quantile } from "../measure.js";
import { linesOf, type SampledItem } from "./fill-index.js";

/** Number of queries of each kind; each is different, and asked once. */
const QUERIES = 4_000;

const CACHE_BYTES = 256 * 2 ** 20;

interface Query {
  readonly name: string;
  readonly q: string;
}

/** Milliseconds of each query by its name. */
type Times = ReadonlyMap<string, readonly number[]>;

/** Measures searches for one and for two words with an exact total; the engine also counts a facet. */
export async function measureInProcess({ bindery }: Loaded, items: readonly SampledItem[]): Promise<string> {
  const words = items.slice(0, QUERIES).map(({ title }) => title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const queries: readonly Query[] = [
    ...words.map(([first = "a"]) => ({ name: "one word", q: first })),
    ...words.map(([first = "a", second = ""]) => ({ name: "two words of a title", q: `${first} ${second}`.trim() })),
  ];
  const engine = await searchEngine(bindery.data, queries);
  const { seconds, times: tantivy } = await searchTantivy(bindery.url, queries);
  const cells = [...engine].map(([name, times]) => [
    name,
    ...timesCells(times),
    ...timesCells(tantivy.get(name) ?? []),
  ]);
  const columns = ["In the process", "p50 ms", "p99 ms", "tantivy p50 ms", "p99 ms"];
  return [
    `#### In the process, ${count(QUERIES)} queries of each kind: exact total, ten hits, the engine with a facet`,
    "",
    table(columns, cells),
    `tantivy indexes the items in ${seconds.toFixed(1)} s.`,
  ].join("\n");
}

function timesCells(times: readonly number[]): string[] {
  const ascending = [...times].sort((a, b) => a - b);
  return [quantile(ascending, 0.5).toFixed(3), quantile(ascending, 0.99).toFixed(2)];
}

async function searchEngine(folder: string, queries: readonly Query[]): Promise<Times> {
  const catalog = readCatalog([CATALOG_FOLDER]);
  const caches = makeCaches(() => CACHE_BYTES);
  const { index, close } = openSqlite({ folder, catalog, clock, role: "reader", searchTimeoutMs: 60_000, caches });
  const fields = termFields(catalog.vocabularies.get(VOCABULARY)!);
  const facets = [{ name: "rank", size: LIMITS.facetBucketsDefault, selected: [] }];
  const times = new Map(queries.map(({ name }) => [name, [] as number[]]));
  try {
    for (const { name, q } of queries) {
      const { clause, plain = [] } = resolveQuery(parseQuery(q, fields).tree, fields, clock.nowMicros());
      const page = { offset: 0, limit: 10 };
      const begun = performance.now();
      await index.searchTerms({ vocabulary: VOCABULARY, clause, plain, sort: "bestmatch", lang: "en", page, facets });
      times.get(name)!.push(performance.now() - begun);
    }
  } finally {
    await close();
  }
  return times;
}

/** @throws if Python or its package index is not there */
async function searchTantivy(
  service: string,
  queries: readonly Query[],
): Promise<{ readonly seconds: number; readonly times: Times }> {
  const folder = mkdtempSync(join(tmpdir(), "bindery-bench-tantivy-"));
  try {
    const packages = join(folder, "packages");
    execFileSync("python3", ["-m", "pip", "install", "--quiet", "--target", packages, "tantivy==0.27.0"]);
    const [indexFolder, itemsFile, queriesFile] = ["index", "items", "queries"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(indexFolder);
    await pipeline(textsOf(service), createWriteStream(itemsFile));
    writeFileSync(queriesFile, queries.map((query) => `${JSON.stringify(query)}\n`).join(""));
    const script = join(ROOT, "bench/first/search-tantivy.py");
    const env = { ...process.env, PYTHONPATH: packages };
    const output = execFileSync("python3", [script, indexFolder, itemsFile, queriesFile], { env, encoding: "utf8" });
    const { seconds, times } = JSON.parse(output) as { seconds: number; times: Record<string, number[]> };
    return { seconds, times: new Map(Object.entries(times)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* textsOf(service: string): AsyncGenerator<string> {
  for await (const line of linesOf(`${service}/api/vocabularies/${VOCABULARY}?format=ndjson`)) {
    const { id, title, synonyms = [] } = JSON.parse(line) as ItemShape;
    const text = [...Object.values(title), ...synonyms.map(({ name }) => name)].join(" ");
    yield `${JSON.stringify({ id, text })}\n`;
  }
}
