import { organismId } from "../../test/support/items.js";
import { wordOfRank } from "../../test/support/random.js";
import { type BenchCase, both, distinctPaths, get, MIDDLE, type Reach, VARIANTS } from "./bench-case.js";

const ORGANISMS = "/api/vocabularies/organisms";

/** Ids that are read by turns: after the first time, each answer is kept. */
const IDS = 3_000;

/** Spreads ids over all items: a number without a common divisor with theirs. */
const STRIDE = 131;

const RANKS = ["species", "genus", "strain", "subspecies", "no rank"];

/** Shares of "hello" that a page is to reach. */
const PAGE: Reach = { repeated: 0.45, varied: 0.2 };

/** Reads and searches of `size` generated organisms. */
export function itemRequests(size: number): readonly BenchCase[] {
  const byId = (n: number): string => `${ORGANISMS}/${organismId((n * STRIDE) % size)}`;
  const word = (n: number): string => wordOfRank(MIDDLE + n);
  const page = (pageSize: number, n: number): string =>
    `s=${pageSize}&p=${1 + (n % Math.max(1, Math.min(100, Math.floor(size / pageSize), 10_000 / pageSize)))}`;
  const search = (name: string, query: (n: number) => string, reach = PAGE): readonly BenchCase[] =>
    both(`items, ${name}`, (n) => `${ORGANISMS}?${query(n)}`, reach);
  const plain = (name: string, query: (n: number) => string, reach = PAGE): readonly BenchCase[] =>
    search(name, (n) => `${query(n)}&facets=none`, reach);
  return [
    get("item by id", byId, { reach: 0.4 }),
    get("item by id, 3,000 ids", byId, { reach: 0.36, variants: IDS }),
    get("item by id, all ids in turn", byId, { reach: 0.36, nextPath: distinctPaths(byId) }),
    ...plain("page of 10", (n) => page(10, n)),
    ...search("page of 10, with facets", (n) => page(10, n)),
    ...plain("page of 1,000", (n) => page(1_000, n), { alone: 2 }),
    ...plain("page of 10,000", () => "s=10000", { alone: 25 }),
    ...plain("page by cursor", () => "cursor=*"),
    ...plain("query", (n) => `q=${word(n)}`),
    ...search("query, with facets", (n) => `q=${word(n)}`),
    ...plain("query, by title", (n) => `q=${word(n)}&sort=title`, { ...PAGE, alone: 0.3 }),
    ...plain("query, newest", (n) => `q=${word(n)}&sort=newest`),
    ...plain("query, oldest", (n) => `q=${word(n)}&sort=oldest`),
    ...plain("query, matches marked", (n) => `q=${word(n)}&highlight=true`),
    ...plain("one rank", (n) => `rank=species&${page(10, n)}`),
    ...search(
      "query of one rank, with facets",
      (n) => `q=${word(n)}&rank=${encodeURIComponent(RANKS[n % RANKS.length]!)}`,
    ),
    ...plain("children of an item", (n) => `parent=${organismId(n + 1)}`),
    ...plain("all below an item", (n) => `ancestor=${organismId(n + 1)}`),
    ...plain("suggest", (n) => `suggest=${wordOfRank(n * 7).slice(0, 1 + (n % 4))}`, { ...PAGE, alone: 0.3 }),
    ...both("10 items by id", (n) => `${ORGANISMS}?${tenIds(n, size)}`, PAGE),
  ];
}

function tenIds(n: number, size: number): string {
  return Array.from({ length: 10 }, (_, i) => `ids=${organismId(((n + i * VARIANTS) * STRIDE) % size)}`).join("&");
}
