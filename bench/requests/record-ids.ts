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

/** A page of all records, in the order of their age. */
export interface NewestPage {
  /** As it stands in a URL. */
  readonly cursor: string;
  /** When the last record before it was created; absent: none is before it. */
  readonly after?: string;
}

/** The first pages of all records, the newest first. */
export async function newestPages(client: Client): Promise<readonly NewestPage[]> {
  const pages: NewestPage[] = [{ cursor: "*" }];
  for (; pages.length < VARIANTS; ) {
    const path: string = `/api/search/?facets=none&q=&cursor=${pages.at(-1)!.cursor}`;
    const { body } = await client.get<SearchBody<{ created: string }>>(path);
    const { links, hits } = body;
    const cursor = links.next === undefined ? null : new URL(links.next).searchParams.get("cursor");
    if (cursor === null) break;
    pages.push({ cursor: encodeURIComponent(cursor), after: hits.hits.at(-1)!.created });
  }
  return pages;
}
