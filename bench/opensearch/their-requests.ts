import type { Client, SearchBody } from "../../test/support/http-client.js";
import { type BenchCase, get, VARIANTS } from "../requests/bench-case.js";
import type { Row } from "./opensearch-rows.js";
import type { OpenSearch } from "./start-opensearch.js";

/** Queries whose hits are counted by both. */
const CHECKED = 8;

/** What OpenSearch is sent. */
export function casesOfTheirs({ name, theirs }: Pick<Row, "name" | "theirs">): BenchCase {
  if ("path" in theirs) return get(name, (n) => theirs.path(n));
  const bodies = Array.from({ length: VARIANTS }, (_, n) => bodyOf(theirs, n));
  return { ...get(name, () => `/${theirs.index}/_search`, { variants: 1 }), method: "POST", bodies };
}

/** With the exact total, as the service always has it. */
function bodyOf({ body }: Extract<Row["theirs"], { body: unknown }>, n: number): string {
  return JSON.stringify({ track_total_hits: true, ...body(n) });
}

/** @throws where both are to count the same, and do not */
export async function checkHits(client: Client, server: OpenSearch, row: Row): Promise<void> {
  const { name, ours, theirs, isAlike } = row;
  if (!("index" in theirs) || isAlike) return;
  for (let n = 0; n < CHECKED; n++) {
    const { body } = await client.get<SearchBody>(ours(n));
    const path = `/${theirs.index}/_search`;
    const found = await server.send<{ hits: { total: { value: number } } }>("POST", path, bodyOf(theirs, n));
    const [own, other] = [body.hits.total, found.hits.total.value];
    if (own !== other) throw new Error(`${name}: ${ours(n)} finds ${own}, OpenSearch ${other}.`);
  }
}
