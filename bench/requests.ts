import { organismId } from "../test/support/items.js";
import { wordOfRank } from "../test/support/random.js";
import { makeRecord } from "../test/support/records.js";

/** One kind of request, in many variants: no two in a row are the same, so that nothing is answered from memory. */
export interface BenchCase {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly paths: readonly string[];
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

/** Ranks of words among all, see `zipfText`: in nearly every record, and in one of some hundred. */
const COMMON = 0;
const MIDDLE = 60;
const RARE = 3_000;

const ORGANISMS = "/api/vocabularies/organisms";

/** @param recordIds of published records; `size`: how many items there are */
export function benchCases(size: number, recordIds: readonly string[]): readonly BenchCase[] {
  return [
    { ...get("item by id", (n) => `${ORGANISMS}/${organismId((n * 131) % size)}`), hello: true },
    { ...get("record by id", (n) => `/api/records/mst/${recordIds[n % recordIds.length]}`), hello: true },
    { ...get("vocabulary page of 10", (n) => page(10, 1 + (n % Math.min(100, size / 10)))), hello: true },
    get("vocabulary page of 1,000", (n) => page(1_000, 1 + (n % Math.min(10, size / 1_000)))),
    get("suggest", (n) => `${ORGANISMS}?suggest=${wordOfRank(n * 7).slice(0, 1 + (n % 4))}&facets=none`),
    search("everything, newest", () => ""),
    search("rare word, best match", (n) => wordOfRank(RARE + n)),
    search("common word, newest", (n) => wordOfRank(COMMON + (n % 8)), "&sort=newest"),
    search("common word, best match", (n) => wordOfRank(COMMON + (n % 8))),
    search("phrase of common words, newest", commonPhrase, "&sort=newest"),
    search("phrase of common words, best match", commonPhrase),
    search("word in a field, best match", (n) => `title:${wordOfRank(MIDDLE + n)}`),
    get("search, common word, with facets", (n) => `/api/search/?q=${wordOfRank(COMMON + (n % 8))}`),
    deposits(),
  ];
}

function get(name: string, path: (n: number) => string): BenchCase {
  return { name, method: "GET", paths: Array.from({ length: VARIANTS }, (_, n) => path(n)), connections: READERS };
}

function page(size: number, number: number): string {
  return `${ORGANISMS}?s=${size}&p=${number}&facets=none`;
}

function search(name: string, q: (n: number) => string, more = ""): BenchCase {
  return get(`search, ${name}`, (n) => `/api/search/?q=${encodeURIComponent(q(n))}&facets=none${more}`);
}

function commonPhrase(n: number): string {
  return `"${wordOfRank(COMMON + (n % 4))} ${wordOfRank(COMMON + (n % 5))}"`;
}

/** One after the other: what p99 says is then the time of a deposit, not of a queue. */
function deposits(): BenchCase {
  const bodies = Array.from({ length: VARIANTS }, (_, n) => JSON.stringify(makeRecord(n, { seed: 2 })));
  return { name: "deposit", method: "POST", paths: ["/api/records/mst/"], bodies, connections: 1 };
}
