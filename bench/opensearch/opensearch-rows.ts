import type { Json, JsonObject } from "../../src/core/json.js";
import type { Client } from "../../test/support/http-client.js";
import { makeOrganism, organismId } from "../../test/support/items.js";
import { wordOfRank } from "../../test/support/random.js";
import { MIDDLE } from "../requests/bench-case.js";
import { newestIds, newestPages } from "../requests/record-ids.js";
import { ITEMS, RECORDS } from "./fill-index.js";
import { recordRows } from "./record-rows.js";

/** The same request to both. */
export interface Row {
  readonly name: string;
  ours(n: number): string;
  /** Of the resource itself, or of a search. */
  readonly theirs: { path(n: number): string } | { readonly index: string; body(n: number): JsonObject };
  /** Whether both count differently: their words of a suggestion may be anywhere in a name, and ours have typos. */
  readonly isAlike?: true;
}

/** Records that are read by turns. */
const IDS = 3_000;

const ORGANISMS = "/api/vocabularies/organisms";

const middle = (n: number): string => wordOfRank(MIDDLE + n);
const typed = (n: number): string => wordOfRank(n * 7).slice(0, 1 + (n % 4));
/** A name as it is typed, near its end. */
const longText = (n: number, size: number): string => {
  const { title } = makeOrganism((n * 37) % size) as { title: { en: string } };
  return title.en.slice(0, -2);
};

const NAMES = ["title.en^4", "synonyms.name"];
const TYPED = ["typed", "typed._2gram", "typed._3gram"];
const RANKS = { rank: { terms: { field: "props.rank", size: 20 } } };

const named = (query: string): JsonObject => ({ multi_match: { query, fields: NAMES, operator: "and" } });

const EVERYTHING: JsonObject = { match_all: {} };
const BY_TITLE: Json = [{ "title.en.order": "asc" }];

/** @param client of the service @param size how many generated items it has */
export async function openSearchRows(client: Client, size: number): Promise<readonly Row[]> {
  const ids = await newestIds(client, IDS);
  const recordById: Row = {
    name: "record by id",
    ours: (n) => `/api/records/mst/${ids[n % ids.length]}`,
    theirs: { path: (n) => `/${RECORDS}/_doc/${ids[n % ids.length]}` },
  };
  return [...itemRows(size), recordById, ...recordRows(await newestPages(client))];
}

function itemRows(size: number): readonly Row[] {
  const pages = (pageSize: number): number =>
    Math.max(1, Math.min(100, Math.floor(size / pageSize), 10_000 / pageSize));
  const id = (n: number): string => organismId((n * 131) % size);
  const items = (name: string, query: (n: number) => string, body: (n: number) => JsonObject): Row => ({
    name: `items, ${name}`,
    ours: (n) => `${ORGANISMS}?${query(n)}`,
    theirs: { index: ITEMS, body },
  });
  const page = (pageSize: number): Row =>
    items(
      `page of ${pageSize.toLocaleString("en")}, by title`,
      (n) => `s=${pageSize}&p=${1 + (n % pages(pageSize))}&facets=none`,
      (n) => ({ query: EVERYTHING, sort: BY_TITLE, size: pageSize, from: (n % pages(pageSize)) * pageSize }),
    );
  return [
    {
      name: "item by id",
      ours: (n) => `${ORGANISMS}/${id(n)}`,
      theirs: { path: (n) => `/${ITEMS}/_doc/${encodeURIComponent(id(n))}` },
    },
    page(10),
    page(1_000),
    items(
      "query",
      (n) => `q=${middle(n)}&facets=none`,
      (n) => ({ query: named(middle(n)) }),
    ),
    items(
      "query, with facets",
      (n) => `q=${middle(n)}`,
      (n) => ({ query: named(middle(n)), aggs: RANKS }),
    ),
    items(
      "query, by title",
      (n) => `q=${middle(n)}&sort=title&facets=none`,
      (n) => ({ query: named(middle(n)), sort: BY_TITLE }),
    ),
    items(
      "one rank, by title",
      () => "rank=species&facets=none",
      () => ({ query: { term: { "props.rank": "species" } }, sort: BY_TITLE }),
    ),
    {
      ...items(
        "suggest",
        (n) => `suggest=${typed(n)}&facets=none`,
        (n) => ({ query: { multi_match: { query: typed(n), type: "bool_prefix", fields: TYPED } } }),
      ),
      isAlike: true,
    },
    {
      ...items(
        "suggest, long text",
        (n) => `suggest=${encodeURIComponent(longText(n, size))}&facets=none`,
        (n) => ({
          query: { multi_match: { query: longText(n, size), type: "bool_prefix", operator: "and", fields: TYPED } },
        }),
      ),
      isAlike: true,
    },
  ];
}
