import type { Client, SearchBody } from "../../test/support/http-client.js";

/** As many as one search returns at once. */
const PAGE = 1_000;

/** The ids of the newest published records of mst: at most so many, and at most 10,000. */
export async function newestIds(client: Client, atMost: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 1; page <= atMost / PAGE; page++) {
    const path = `/api/records/mst/?s=${PAGE}&p=${page}&facets=none`;
    const { body } = await client.get<SearchBody<{ id: string }>>(path);
    ids.push(...body.hits.hits.map(({ id }) => id));
  }
  return ids;
}
