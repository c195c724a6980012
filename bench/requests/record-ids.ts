import type { Client, SearchBody } from "../../test/support/http-client.js";
import { VARIANTS } from "./bench-case.js";

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

/** Those of the first pages of all records. */
export async function cursorsOf(client: Client): Promise<readonly string[]> {
  const cursors: string[] = [];
  for (let next: string | null = "*"; next !== null && cursors.length < VARIANTS; ) {
    cursors.push(encodeURIComponent(next));
    const path: string = `/api/search/?facets=none&q=&cursor=${cursors.at(-1)}`;
    const { body } = await client.get<SearchBody>(path);
    next = body.links.next === undefined ? null : new URL(body.links.next).searchParams.get("cursor");
  }
  return cursors;
}
