import type { Json, JsonObject } from "../../src/core/json.js";
import { makeOrganism, organismId } from "../../test/support/items.js";
import { wordOfRank } from "../../test/support/random.js";
import { COMMON, MIDDLE, RARE } from "../requests/bench-case.js";
import { ITEMS, RECORDS } from "./fill-index.js";

/** The same request to both. */
export interface Row {
  readonly name: string;
  ours(n: number): string;
  /** Of the resource itself, or of a search. */
  readonly theirs: { path(n: number): string } | { readonly index: string; body(n: number): JsonObject };
  /** Do not both count the same? Their words of a suggestion may be anywhere in a name, and ours have typos. */
  readonly isAlike?: true;
}

const ORGANISMS = "/api/vocabularies/organisms";

const common = (n: number): string => wordOfRank(COMMON + (n % 8));
const middle = (n: number): string => wordOfRank(MIDDLE + n);
const rare = (n: number): string => wordOfRank(RARE + n);
const typed = (n: number): string => wordOfRank(n * 7).slice(0, 1 + (n % 4));
/** A name as it is typed, near its end. */
const longText = (n: number, size: number): string => {
  const { title } = makeOrganism((n * 37) % size) as { title: { en: string } };
  return title.en.slice(0, -2);
};
const phrase = (n: number): string => `${wordOfRank(COMMON + (n % 4))} ${wordOfRank(COMMON + (n % 5))}`;

const wildcard = (n: number): string => `${middle(n).slice(0, 2)}?${middle(n).slice(-1)}*`;
/** Two neighbouring letters change places. */
const typo = (n: number): string => middle(n).replace(/^(..?)(.)(.)/, "$1$3$2");

const NAMES = ["title.en^4", "synonyms.name"];
const TYPED = ["typed", "typed._2gram", "typed._3gram"];
const RANKS = { rank: { terms: { field: "props.rank", size: 20 } } };

const named = (query: string): JsonObject => ({ multi_match: { query, fields: NAMES, operator: "and" } });
const inText = (query: string): JsonObject => ({ match: { text: { query, operator: "and" } } });
const facetsOf = (...fields: string[]): JsonObject =>
  Object.fromEntries(fields.map((field) => [field, { terms: { field, size: 20 } }]));

const EVERYTHING: JsonObject = { match_all: {} };
const BY_TITLE: Json = [{ "title.en.order": "asc" }];
const NEWEST: Json = [{ created: "desc" }];

/** @param size items @param ids of records */
export function openSearchRows(size: number, ids: readonly string[]): readonly Row[] {
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
    {
      name: "record by id",
      ours: (n) => `/api/records/mst/${ids[n % ids.length]}`,
      theirs: { path: (n) => `/${RECORDS}/_doc/${ids[n % ids.length]}` },
    },
    ...recordRows(),
  ];
}

function recordRows(): readonly Row[] {
  const records = (name: string, query: (n: number) => string, body: (n: number) => JsonObject): Row => ({
    name: `records, ${name}`,
    ours: (n) => `/api/search?${query(n)}`,
    theirs: { index: RECORDS, body },
  });
  const plain = (name: string, q: (n: number) => string, body: (n: number) => JsonObject, more = ""): Row =>
    records(name, (n) => `q=${encodeURIComponent(q(n))}&facets=none${more}`, body);
  return [
    plain(
      "everything, newest",
      () => "",
      (n) => ({ query: EVERYTHING, sort: NEWEST, from: 10 * (n % 10) }),
    ),
    plain("rare word, best match", rare, (n) => ({ query: inText(rare(n)) })),
    plain("common word, best match", common, (n) => ({ query: inText(common(n)) })),
    plain("common word, newest", common, (n) => ({ query: inText(common(n)), sort: NEWEST }), "&sort=newest"),
    plain(
      "two words, best match",
      (n) => `${common(n)} ${middle(n)}`,
      (n) => ({ query: inText(`${common(n)} ${middle(n)}`) }),
    ),
    plain(
      "phrase of common words",
      (n) => `"${phrase(n)}"`,
      (n) => ({ query: { match_phrase: { text: phrase(n) } } }),
    ),
    plain(
      "word in a field",
      (n) => `title:${middle(n)}`,
      (n) => ({ query: { match: { title: middle(n) } } }),
    ),
    plain(
      "prefix in a field",
      (n) => `title:${middle(n).slice(0, 3)}*`,
      (n) => ({ query: { prefix: { title: middle(n).slice(0, 3) } } }),
    ),
    plain(
      "wildcard in a field",
      (n) => `title:${wildcard(n)}`,
      (n) => ({ query: { wildcard: { title: wildcard(n) } } }),
    ),
    plain(
      "fuzzy word in a field",
      (n) => `title:${typo(n)}~1`,
      // By default it finds only what the fifty most similar words do.
      (n) => ({ query: { fuzzy: { title: { value: typo(n), fuzziness: 1, rewrite: "constant_score" } } } }),
    ),
    records(
      "common word, three facets",
      (n) => `q=${common(n)}&s=1&facets=instrument&facets=result_type&facets=grant`,
      (n) => ({ query: inText(common(n)), size: 1, aggs: facetsOf("instrument", "result_type", "grant") }),
    ),
  ];
}
