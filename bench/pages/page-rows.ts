import { wordOfRank } from "../../test/support/random.js";
import { citedOrganism } from "../classes/class-records.js";
import { COMMON, MIDDLE } from "../requests/bench-case.js";

/** A page for people, and the requests of the API that ask the services for what it shows. */
export interface PageRow {
  readonly name: string;
  page(n: number): string;
  readonly calls: readonly ((n: number) => string)[];
}

const ORGANISMS = "vocabularies/organisms";

const common = (n: number): string => wordOfRank(COMMON + (n % 8));
const middle = (n: number): string => wordOfRank(MIDDLE + n);

/**
 * @param ids of published records of mst
 * @param organism id of a term of the store, by number
 */
export function pageRows(ids: readonly string[], organism = citedOrganism): readonly PageRow[] {
  const id = (n: number): string => ids[n % ids.length]!;
  const record = (n: number): string => `/api/records/mst/${id(n)}`;
  return [
    search("search, everything", "search", (n) => `p=${2 + (n % 10)}`),
    search("search, common word", "search", (n) => `q=${common(n)}`, "&highlight=true"),
    search("search, rarer word", "search", (n) => `q=${middle(n)}`, "&highlight=true"),
    search("search, filtered", "search", (n) => `q=${common(n)}&instrument=ins:${1 + (n % 12)}`, "&highlight=true"),
    {
      ...search("table of records", "records/mst", (n) => `q=${common(n)}`),
      page: (n) => `/records/mst?q=${common(n)}&view=table`,
    },
    {
      ...search("table of results", "records/mst", (n) => `q=${common(n)}`),
      page: (n) => `/records/mst?q=${common(n)}&view=table&rows=results`,
    },
    { name: "record", page: (n) => `/records/${id(n)}`, calls: [record, (n) => `${record(n)}/versions`] },
    {
      name: "comparison of two records",
      page: (n) => `/compare?ids=${id(n)}&ids=${id(n + 1)}`,
      calls: [record, (n) => record(n + 1)],
    },
    search("vocabulary", ORGANISMS, (n) => `q=${middle(n)}`),
    {
      name: "term",
      page: (n) => `/${ORGANISMS}/${organism(n)}`,
      calls: [
        (n) => `/api/${ORGANISMS}/${organism(n)}`,
        (n) => `/api/${ORGANISMS}?parent=${organism(n)}&s=30&facets=none`,
        (n) => `/api/search?q=organism:${organism(n)}&sort=newest&s=5&facets=none`,
        (n) => `/api/search?organism=${organism(n)}&facets=organism&facet_size=1&s=1`,
      ],
    },
  ];
}

/** A page that shows one search. @param more what its call says beside the same parameters */
function search(name: string, path: string, query: (n: number) => string, more = ""): PageRow {
  return { name, page: (n) => `/${path}?${query(n)}`, calls: [(n) => `/api/${path}?${query(n)}${more}`] };
}
