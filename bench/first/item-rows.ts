import type { Json, JsonObject } from "../../src/core/json.js";
import type { Client } from "../../test/support/http-client.js";
import { newestIds, newestPages } from "../requests/record-ids.js";
import { ITEMS, RECORDS, type SampledItem } from "./fill-index.js";
import { recordRows } from "./record-rows.js";

/** A request to the service, and the same one to OpenSearch. */
export interface Row {
  readonly name: string;
  /** Returns the path of request number `n`. */
  path(n: number): string;
  /** A read of one document, or a search. */
  readonly openSearch: { path(n: number): string } | { readonly index: string; body(n: number): JsonObject };
  /** Whether the answers differ: OpenSearch finds the words of a suggestion anywhere in a name. */
  readonly isAlike?: true;
}

/** Number of records that are read by id. */
const IDS = 3_000;

const ORGANISMS = "/api/vocabularies/organisms";

const TYPED = ["typed", "typed._2gram", "typed._3gram"];
const RANKS = { rank: { terms: { field: "props.rank", size: 20 } } };

const EVERYTHING: JsonObject = { match_all: {} };
const BY_TITLE: Json = [{ "title.en.order": "asc" }];
const NEWEST: Json = [{ created: "desc" }];

const named = (query: string): JsonObject => ({ match: { words: { query, operator: "and" } } });
const typed = (query: string): JsonObject => ({
  multi_match: { query, type: "bool_prefix", operator: "and", fields: TYPED },
});
/** A filter by a facet does not change the counts of that facet. */
const ofRank = (rank: string, query: JsonObject): JsonObject => ({
  query,
  post_filter: { term: { "props.rank": rank } },
});

/** @param client of the service @param items a sample of its organisms */
export async function openSearchRows(client: Client, items: readonly SampledItem[]): Promise<readonly Row[]> {
  const ids = await newestIds(client, IDS);
  const recordById: Row = {
    name: "record by id",
    path: (n) => `/api/records/mst/${ids[n % ids.length]}`,
    openSearch: { path: (n) => `/${RECORDS}/_doc/${ids[n % ids.length]}` },
  };
  return [...itemRows(items), recordById, ...recordRows(await newestPages(client))];
}

/** Distance in the sample between the items of two requests; a prime, so that all items take part. */
const STRIDE = 7_919;

/** Texts of requests, made from the titles of a sample. */
interface Texts {
  /** Number of sampled items. */
  readonly size: number;
  itemAt(n: number): SampledItem;
  word(n: number): string;
  twoWords(n: number): string;
  /** Returns a word that many titles have, see `frequentWords`. */
  frequentWord(n: number): string;
  /** Returns the first letters of a title. */
  start(n: number, length: number): string;
}

function makeTexts(sample: readonly SampledItem[]): Texts {
  const itemAt = (n: number): SampledItem => sample[(n * STRIDE) % sample.length]!;
  const words = (n: number): string[] => wordsOfTitle(itemAt(n));
  const frequent = frequentWords(sample);
  return {
    size: sample.length,
    itemAt,
    word: (n) => words(n)[0]!,
    twoWords: (n) => words(n).slice(0, 2).join(" "),
    frequentWord: (n) => frequent[n % frequent.length]!,
    start: (n, length) => itemAt(n).title.slice(0, length),
  };
}

const wordsOfTitle = ({ title }: SampledItem): string[] => title.toLowerCase().split(/\s+/u);

/** Number of frequent words; the most frequent ones are left out, because few people search for *sp*. */
const FREQUENT = { from: 20, to: 520 };

/** Returns the words that most titles of the sample have, the most frequent first. */
function frequentWords(sample: readonly SampledItem[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const item of sample)
    for (const word of new Set(wordsOfTitle(item))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].filter(([word]) => /^[a-z]{3,}$/.test(word)).sort((a, b) => b[1] - a[1]);
  return words.slice(FREQUENT.from, FREQUENT.to).map(([word]) => word);
}

const items = (name: string, query: (n: number) => string, body: (n: number) => JsonObject): Row => ({
  name: `items, ${name}`,
  path: (n) => `${ORGANISMS}?${query(n)}`,
  openSearch: { index: ITEMS, body },
});

/** A search with the facet of ranks. */
const search = (name: string, q: (n: number) => string, body: (n: number) => JsonObject, more = ""): Row =>
  items(
    name,
    (n) => `q=${encodeURIComponent(q(n))}&facets=rank${more}`,
    (n) => ({ ...body(n), aggs: RANKS }),
  );

function itemRows(sample: readonly SampledItem[]): readonly Row[] {
  const texts = makeTexts(sample);
  const { itemAt } = texts;
  const itemById: Row = {
    name: "item by id",
    path: (n) => `${ORGANISMS}/${encodeURIComponent(itemAt(n).id)}`,
    openSearch: { path: (n) => `/${ITEMS}/_doc/${encodeURIComponent(itemAt(n).id)}` },
  };
  return [itemById, ...searchRows(texts), ...suggestionRows(texts), ...pageRows(texts)];
}

function searchRows({ word, twoWords, frequentWord, start, itemAt }: Texts): readonly Row[] {
  const beginning = (n: number): string => start(n, 4).trim().toLowerCase();
  const twoNamed = (n: number): JsonObject => named(twoWords(n));
  return [
    search("one word", word, (n) => ({ query: named(word(n)) })),
    search("two words of a title", twoWords, (n) => ({ query: twoNamed(n) })),
    search("two words, sort=title", twoWords, (n) => ({ query: twoNamed(n), sort: BY_TITLE }), "&sort=title"),
    search("two words, sort=newest", twoWords, (n) => ({ query: twoNamed(n), sort: NEWEST }), "&sort=newest"),
    search("two words, rank=strain", twoWords, (n) => ofRank("strain", twoNamed(n)), "&rank=strain"),
    search(
      "beginning of a word",
      (n) => `${beginning(n)}*`,
      (n) => ({ query: { match_bool_prefix: { words: { query: beginning(n), operator: "and" } } } }),
    ),
    items(
      "a frequent word",
      (n) => `q=${frequentWord(n)}&facets=none`,
      (n) => ({ query: named(frequentWord(n)) }),
    ),
    items(
      "matches marked",
      (n) => `q=${encodeURIComponent(word(n))}&facets=none&highlight=true`,
      (n) => ({
        query: named(word(n)),
        highlight: { require_field_match: false, fields: { "title.en": {}, "synonyms.name": {} } },
      }),
    ),
    items(
      "children of an item",
      (n) => `parent=${encodeURIComponent(itemAt(n).id)}&facets=none`,
      (n) => ({ query: { term: { "parent.id": itemAt(n).id } }, sort: BY_TITLE }),
    ),
  ];
}

function suggestionRows({ start }: Texts): readonly Row[] {
  return [2, 5, 12, 20].map((letters) => ({
    ...items(
      `suggest, ${letters} letters`,
      (n) => `suggest=${encodeURIComponent(start(n, letters))}&facets=rank`,
      (n) => ({ query: typed(start(n, letters)), aggs: RANKS }),
    ),
    isAlike: true,
  }));
}

function pageRows({ size }: Texts): readonly Row[] {
  const pages = (pageSize: number): number =>
    Math.max(1, Math.min(100, Math.floor(size / pageSize), 10_000 / pageSize));
  const page = (pageSize: number): Row =>
    items(
      `page of ${pageSize.toLocaleString("en")}, by title`,
      (n) => `s=${pageSize}&p=${1 + (n % pages(pageSize))}&facets=none`,
      (n) => ({ query: EVERYTHING, sort: BY_TITLE, size: pageSize, from: (n % pages(pageSize)) * pageSize }),
    );
  return [
    items(
      "one rank, by title",
      (n) => `rank=species&facets=none&s=10&p=${1 + (n % pages(10))}`,
      (n) => ({ query: { term: { "props.rank": "species" } }, sort: BY_TITLE, from: 10 * (n % pages(10)) }),
    ),
    items(
      "everything, deep pages",
      (n) => `q=&facets=rank&s=10&p=${1 + (n % deepPages(size))}`,
      (n) => ({ query: EVERYTHING, sort: BY_TITLE, from: 10 * (n % deepPages(size)), aggs: RANKS }),
    ),
    page(10),
    page(1_000),
  ];
}

/** Page numbers reach to 10,000 hits. */
const deepPages = (items: number): number => Math.min(1_000, Math.max(1, Math.floor(items / 10)));
