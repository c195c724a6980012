import { organismId } from "../test/support/items.js";
import { wordOfRank } from "../test/support/random.js";
import { makeRecord } from "../test/support/records.js";

/** One kind of request, in many variants that are sent in turn. */
export interface BenchCase {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly paths: readonly string[];
  /** Makes of each path another one each time it is sent, so that no kept answer is sent back. */
  readonly anew?: ((path: string) => string) | undefined;
  /** Sent in turn by a POST. */
  readonly bodies?: readonly string[];
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests under way at once. */
  readonly connections: number;
  /** Compared with a bare "hello world" too. */
  readonly hello?: boolean;
}

/** Enough readers to keep the service busy, few enough that waiting in line is not all that p99 says. */
const READERS = 8;
const VARIANTS = 64;

/** Ids that are read by turns: after the first time, each answer is kept. */
const IDS = 3_000;

/** Ranks of words among all, see `zipfText`: in nearly every record, and in one of some hundred. */
const COMMON = 0;
const MIDDLE = 60;
const RARE = 3_000;

const ORGANISMS = "/api/vocabularies/organisms";

/** @param recordIds of published records; `size`: how many items there are */
export function benchCases(size: number, recordIds: readonly string[]): readonly BenchCase[] {
  return [
    { ...get("item by id", (n) => `${ORGANISMS}/${organismId((n * 131) % size)}`), hello: true },
    { ...get("item by id, 3,000 ids", (n) => `${ORGANISMS}/${organismId((n * 131) % size)}`, IDS), hello: true },
    { ...get("record by id", (n) => `/api/records/mst/${recordIds[n % recordIds.length]}`), hello: true },
    ...both("vocabulary page of 10", (n) => page(10, 1 + (n % Math.min(100, size / 10)))),
    ...both("vocabulary page of 1,000", (n) => page(1_000, 1 + (n % Math.min(10, size / 1_000)))),
    ...both("vocabulary, query", (n) => `${ORGANISMS}?q=${wordOfRank(MIDDLE + n)}`),
    ...both("suggest", (n) => `${ORGANISMS}?suggest=${wordOfRank(n * 7).slice(0, 1 + (n % 4))}&facets=none`),
    ...search("everything, newest", () => ""),
    ...search("rare word, best match", (n) => wordOfRank(RARE + n)),
    ...search(
      "common word, newest",
      (n) => wordOfRank(COMMON + (n % 8)),
      () => "&sort=newest",
    ),
    ...search("common word, best match", (n) => wordOfRank(COMMON + (n % 8))),
    ...search("phrase of common words, newest", commonPhrase, () => "&sort=newest"),
    ...search("phrase of common words, best match", commonPhrase),
    ...search("word in a field, best match", (n) => `title:${wordOfRank(MIDDLE + n)}`),
    ...both("search, common word, with facets", (n) => `/api/search/?q=${wordOfRank(COMMON + (n % 8))}`),
    ...search(
      "range of a quantity",
      () => "",
      (n) => `&kd=${n + 1}nM..${(n + 1) * 3}nM`,
    ),
    ...search(
      "by a quantity",
      (n) => wordOfRank(COMMON + (n % 8)),
      (n) => `&sort=${n % 2 === 0 ? "" : "-"}kd`,
    ),
    ...both("one facet by text", (n) => `/api/search/?facets=organism&facet_text=${wordOfRank(n).slice(0, 2)}&size=1`),
    ...both(
      "one facet in steps",
      (n) => `/api/search/?facets=kd&facet_bins=kd:${n + 1}&q=${wordOfRank(COMMON)}&size=1`,
    ),
    ...both("10 records by id", (n) => `/api/search/?${idsFrom(recordIds, n * 10)}`),
    // As a browser gets them: the pages of requests above.
    get("page of a record", (n) => `/records/${recordIds[n % recordIds.length]}`),
    ...both("page of a search, common word", (n) => `/search?q=${wordOfRank(COMMON + (n % 8))}`),
    deposits(),
  ];
}

function get(name: string, path: (n: number) => string, variants = VARIANTS): BenchCase {
  return { name, method: "GET", paths: Array.from({ length: variants }, (_, n) => path(n)), connections: READERS };
}

/** The same few requests again and again, whose answers are kept, and the same such that each is answered anew. */
function both(name: string, path: (n: number) => string): readonly BenchCase[] {
  let sent = 0;
  // A language that no title has: the answer is the same, but for its links.
  const anew = (asked: string): string => `${asked}&lang=qaa-${(sent++).toString(36)}`;
  return [
    { ...get(`${name}, repeated`, path), hello: true },
    { ...get(`${name}, varied`, path), hello: true, anew },
  ];
}

function page(size: number, number: number): string {
  return `${ORGANISMS}?s=${size}&p=${number}&facets=none`;
}

function search(name: string, q: (n: number) => string, more = (_: number): string => ""): readonly BenchCase[] {
  return both(`search, ${name}`, (n) => `/api/search/?q=${encodeURIComponent(q(n))}&facets=none${more(n)}`);
}

function idsFrom(ids: readonly string[], start: number): string {
  return Array.from({ length: 10 }, (_, i) => `ids=${ids[(start + i) % ids.length]}`).join("&");
}

function commonPhrase(n: number): string {
  return `"${wordOfRank(COMMON + (n % 4))} ${wordOfRank(COMMON + (n % 5))}"`;
}

/** One after the other: what p99 says is then the time of a deposit, not of a queue. */
function deposits(): BenchCase {
  const bodies = Array.from({ length: VARIANTS }, (_, n) => JSON.stringify(makeRecord(n, { seed: 2 })));
  return { name: "deposit", method: "POST", paths: ["/api/records/mst/"], bodies, connections: 1 };
}
