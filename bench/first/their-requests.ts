import type { Client, SearchBody } from "../../test/support/http-client.js";
import { type BenchCase, get } from "../requests/bench-case.js";
import { RECORDS } from "./fill-index.js";
import type { Row } from "./item-rows.js";
import type { OpenSearch } from "./start-opensearch.js";

/** Requests whose answers are compared. */
const CHECKED = 8;

/** Returns the requests to OpenSearch, another one each time. */
export function caseOfTheirs({ name, theirs }: Pick<Row, "name" | "theirs">): BenchCase {
  let sent = 0;
  if ("path" in theirs) return get(name, theirs.path, { variants: 1, anew: () => theirs.path(sent++) });
  const search = get(name, () => `/${theirs.index}/_search`, { variants: 1 });
  return { ...search, method: "POST", bodies: [bodyOf(theirs, 0)], anewBody: () => bodyOf(theirs, sent++) };
}

/** With the exact total, as the service always has it. */
function bodyOf({ body }: Extract<Row["theirs"], { body: unknown }>, n: number): string {
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
 * Compares the answers of both to some of the variants of a search: how many hits there are, and how many of them have
 * each listed value of a facet; of records in an order by age or by a number also which hits are shown.
 *
 * @throws where both are to answer the same, and do not
 */
export async function checkAnswers(client: Client, server: OpenSearch, row: Row): Promise<void> {
  const { name, ours, theirs, isAlike } = row;
  if (!("index" in theirs) || isAlike) return;
  for (let n = 0; n < CHECKED; n++) {
    const { body } = await client.get<SearchBody<{ id: string }>>(ours(n));
    const found = await server.send<Found>("POST", `/${theirs.index}/_search`, bodyOf(theirs, n));
    const isOrdered = theirs.index === RECORDS && theirs.body(n).sort !== undefined;
    const other = new Set(factsOfTheirs(found, isOrdered));
    const missed = factsOfOurs(body, isOrdered).find((fact) => !other.has(fact));
    if (missed === undefined) continue;
    throw new Error(`${name}: ${ours(n)} has the ${missed}, OpenSearch the ${[...other].join("; ").slice(0, 2_000)}.`);
  }
}

/** What an answer says, in sentences that both have in common. */
function factsOfOurs({ hits, aggregations = {} }: SearchBody<{ id: string }>, isOrdered: boolean): string[] {
  const counts = Object.entries(aggregations).flatMap(([facet, { buckets }]) =>
    // A selected value is listed even if no hit has it.
    buckets.flatMap(({ key, doc_count }) => (doc_count === 0 ? [] : [`${facet} ${key} ${doc_count} times`])),
  );
  return [`total ${hits.total}`, ...(isOrdered ? [`page ${hits.hits.map(({ id }) => id)}`] : []), ...counts];
}

function factsOfTheirs({ hits, aggregations = {} }: Found, isOrdered: boolean): string[] {
  const counts = Object.entries(aggregations).flatMap(([facet, { buckets }]) =>
    buckets.map(({ key, key_as_string = key, doc_count }) => `${facet} ${key_as_string} ${doc_count} times`),
  );
  return [`total ${hits.total.value}`, ...(isOrdered ? [`page ${hits.hits.map(({ _id }) => _id)}`] : []), ...counts];
}
