import type { Client, SearchBody } from "../../test/support/http-client.js";
import { type BenchCase, get } from "../requests/bench-case.js";
import { RECORDS } from "./fill-index.js";
import type { Row } from "./item-rows.js";
import type { OpenSearch } from "./start-opensearch.js";

/** Number of requests of a row whose answers are compared. */
const CHECKED = 8;

/** Returns the requests to OpenSearch, another one each time. */
export function openSearchCase({ name, openSearch }: Pick<Row, "name" | "openSearch">): BenchCase {
  let sent = 0;
  if ("path" in openSearch) return get(name, openSearch.path, { variants: 1, nextPath: () => openSearch.path(sent++) });
  const search = get(name, () => `/${openSearch.index}/_search`, { variants: 1 });
  return { ...search, method: "POST", bodies: [bodyOf(openSearch, 0)], nextBody: () => bodyOf(openSearch, sent++) };
}

/** Returns the body of a search with an exact total, which the service always has. */
function bodyOf({ body }: Extract<Row["openSearch"], { body: unknown }>, n: number): string {
  return JSON.stringify({ track_total_hits: true, ...body(n) });
}

interface Found {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly { readonly _id: string }[] };
  readonly aggregations?: Readonly<Record<string, { readonly buckets: readonly Bucket[] }>>;
}

interface Bucket {
  readonly key: string | number;
  readonly key_as_string?: string;
  readonly doc_count: number;
}

/**
 * Compares the answers of both to some variants of a search: the total and the count of each listed value of a facet;
 * if records are sorted by age or by a number, also the hits of the page.
 *
 * @returns the first difference as a sentence; undefined if there is none
 */
export async function findDifference(client: Client, server: OpenSearch, row: Row): Promise<string | undefined> {
  const { name, path, openSearch, isAlike } = row;
  if (!("index" in openSearch) || isAlike) return undefined;
  for (let n = 0; n < CHECKED; n++) {
    const { body } = await client.get<SearchBody<{ id: string }>>(path(n));
    const found = await server.send<Found>("POST", `/${openSearch.index}/_search`, bodyOf(openSearch, n));
    const isOrdered = openSearch.index === RECORDS && openSearch.body(n).sort !== undefined;
    const other = new Set(factsOfOpenSearch(found, isOrdered));
    const missed = factsOfService(body, isOrdered).find((fact) => !other.has(fact));
    if (missed === undefined) continue;
    return `${name}: ${path(n)} has the ${missed}, OpenSearch the ${[...other].join("; ").slice(0, 500)}.`;
  }
  return undefined;
}

/** Returns the totals, counts and hits of an answer as sentences, which are compared. */
function factsOfService({ hits, aggregations = {} }: SearchBody<{ id: string }>, isOrdered: boolean): string[] {
  const counts = Object.entries(aggregations).flatMap(([facet, { buckets }]) =>
    // A selected value is listed even if no hit has it.
    buckets.flatMap(({ key, doc_count }) => (doc_count === 0 ? [] : [`${facet} ${key} ${doc_count} times`])),
  );
  return [`total ${hits.total}`, ...(isOrdered ? [`page ${hits.hits.map(({ id }) => id)}`] : []), ...counts];
}

function factsOfOpenSearch({ hits, aggregations = {} }: Found, isOrdered: boolean): string[] {
  const counts = Object.entries(aggregations).flatMap(([facet, { buckets }]) =>
    buckets.map(({ key, key_as_string = key, doc_count }) => `${facet} ${key_as_string} ${doc_count} times`),
  );
  return [`total ${hits.total.value}`, ...(isOrdered ? [`page ${hits.hits.map(({ _id }) => _id)}`] : []), ...counts];
}
