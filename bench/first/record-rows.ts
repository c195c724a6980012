import type { JsonObject } from "../../src/core/json.js";
import { wordOfRank } from "../../test/support/random.js";
import { COMMON, MIDDLE, RARE } from "../requests/bench-case.js";
import type { NewestPage } from "../requests/record-ids.js";
import { RECORDS } from "./fill-index.js";
import type { Row } from "./item-rows.js";
import { FACETS, toMolar } from "./record-documents.js";

const common = (n: number): string => wordOfRank(COMMON + (n % 8));
const middle = (n: number): string => wordOfRank(MIDDLE + (n % 500));
const rare = (n: number): string => wordOfRank(RARE + (n % 2_000));
const phrase = (n: number): string => `${wordOfRank(COMMON + (n % 4))} ${wordOfRank(COMMON + (n % 5))}`;

const wildcard = (n: number): string => `${middle(n).slice(0, 2)}?${middle(n).slice(-1)}*`;
/** Two neighbouring letters change places. */
const typo = (n: number): string => middle(n).replace(/^(..?)(.)(.)/, "$1$3$2");

const all = (): string => "";
const EVERYTHING: JsonObject = { match_all: {} };
/** No two are created in the same microsecond. */
const NEWEST: readonly JsonObject[] = [{ created: "desc" }];

const inText = (query: string): JsonObject => ({ match: { text: { query, operator: "and" } } });
/** By default a fuzzy query finds only what the fifty most similar words do. */
const similar = (field: string, value: string, fuzziness: number | "AUTO"): JsonObject => ({
  fuzzy: { [field]: { value, fuzziness, rewrite: "constant_score" } },
});
const facetsOf = (...names: string[]): JsonObject => Object.fromEntries(names.map((name) => [name, FACETS[name]!]));

type Body = (n: number) => JsonObject;

const records = (name: string, query: (n: number) => string, body: Body): Row => ({
  name: `records, ${name}`,
  path: (n) => `/api/search?${query(n)}`,
  openSearch: { index: RECORDS, body },
});

/** A page of ten without facets. */
const plain = (name: string, q: (n: number) => string, body: Body, more: (n: number) => string = all): Row =>
  records(name, (n) => `q=${encodeURIComponent(q(n))}&facets=none${more(n)}`, body);

/** @param pages of all records */
export function recordRows(pages: readonly NewestPage[]): readonly Row[] {
  return [...orderRows(pages), ...textRows(), ...structureRows(), ...facetRows()];
}

function orderRows(pages: readonly NewestPage[]): readonly Row[] {
  const page = (n: number): NewestPage => pages[n % pages.length]!;
  const descends = (n: number): boolean => n % 2 === 1;
  return [
    plain(
      "everything, newest",
      all,
      (n) => ({ query: EVERYTHING, sort: NEWEST, from: 10 * (n % 10) }),
      (n) => `&p=${1 + (n % 10)}`,
    ),
    plain(
      "everything, by cursor",
      all,
      (n) => ({ query: EVERYTHING, sort: NEWEST, ...searchAfter(page(n)) }),
      (n) => `&cursor=${page(n).cursor}`,
    ),
    plain(
      "common word, newest",
      common,
      (n) => ({ query: inText(common(n)), sort: NEWEST }),
      () => "&sort=newest",
    ),
    plain(
      "common word, by a quantity",
      common,
      (n) => ({ query: inText(common(n)), sort: [{ kd: descends(n) ? "desc" : "asc" }, ...NEWEST] }),
      (n) => `&sort=${descends(n) ? "-" : ""}kd`,
    ),
  ];
}

const searchAfter = ({ after }: NewestPage): JsonObject => (after === undefined ? {} : { search_after: [after] });

function textRows(): readonly Row[] {
  return [
    plain("rare word, best match", rare, (n) => ({ query: inText(rare(n)) })),
    plain("common word, best match", common, (n) => ({ query: inText(common(n)) })),
    plain(
      "two words, best match",
      (n) => `${common(n)} ${middle(n)}`,
      (n) => ({ query: inText(`${common(n)} ${middle(n)}`) }),
    ),
    plain(
      "two words, newest",
      (n) => `${common(n)} ${middle(n)}`,
      (n) => ({ query: inText(`${common(n)} ${middle(n)}`), sort: NEWEST }),
      () => "&sort=newest",
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
      (n) => ({ query: similar("title", typo(n), 1) }),
    ),
    plain(
      "fuzzy word in all text",
      (n) => `${common(n).slice(0, -1)}~`,
      (n) => ({ query: similar("text", common(n).slice(0, -1), "AUTO") }),
    ),
    records(
      "suggest",
      (n) => `suggest=${middle(n).slice(0, 3)}&facets=none`,
      (n) => ({ query: { match_bool_prefix: { text: middle(n).slice(0, 3) } } }),
    ),
  ];
}

/** A list of objects of a record of mst. */
const PROTOCOL = "metadata.general_parameters.entities_of_interest.components.modifications.chemical.protocol";

/** Most results are above some ten and below some thousand. */
const nanomolar = (n: number): number => 10 + (n % 5_000);

function structureRows(): readonly Row[] {
  return [
    plain(
      "range of a quantity",
      (n) => `kd:<${nanomolar(n)}nM`,
      (n) => ({ query: { range: { kd: { lt: toMolar(nanomolar(n), "nM") } } }, sort: NEWEST }),
    ),
    plain(
      "word and range of a quantity",
      (n) => `${middle(n)} AND kd:<${nanomolar(n)}nM`,
      (n) => ({
        query: { bool: { must: inText(middle(n)), filter: { range: { kd: { lt: toMolar(nanomolar(n), "nM") } } } } },
      }),
    ),
    plain(
      "same element",
      (n) => `${PROTOCOL}:(description:${common(n)} AND name:${common(n + 3)})`,
      (n) => ({ query: inOneStep({ description: common(n), name: common(n + 3) }), sort: NEWEST }),
    ),
    plain(
      "cited term or below",
      () => "organism.within:taxid:2",
      () => ({ query: { term: { organism: "taxid:2" } }, sort: NEWEST }),
    ),
  ];
}

function inOneStep(words: Readonly<Record<string, string>>): JsonObject {
  const filter = Object.entries(words).map(([name, word]) => ({ match: { [`protocol.${name}`]: word } }));
  return { nested: { path: "protocol", query: { bool: { filter } } } };
}

function facetRows(): readonly Row[] {
  return [
    records(
      "everything, one facet",
      () => "q=&s=1&facets=instrument",
      () => ({ query: EVERYTHING, sort: NEWEST, size: 1, aggs: facetsOf("instrument") }),
    ),
    records(
      "common word, three facets",
      (n) => `q=${common(n)}&s=1&facets=instrument&facets=result_type&facets=grant`,
      (n) => ({ query: inText(common(n)), size: 1, aggs: facetsOf("instrument", "result_type", "grant") }),
    ),
    records(
      "common word, all facets",
      (n) => `q=${common(n)}`,
      (n) => ({ query: inText(common(n)), aggs: FACETS }),
    ),
  ];
}
