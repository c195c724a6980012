import { wordOfRank } from "../../test/support/random.js";
import { type BenchCase, both, COMMON, get, MIDDLE, RARE, type Reach } from "./bench-case.js";

const SEARCH = "/api/search/";

/** Shares of "hello" that a page of ten records is to reach. */
const PAGE: Reach = { repeated: 0.4, varied: 0.1 };

/** Of stored records, and of who asks for them. */
export interface RecordsAsked {
  /** Of published records. */
  readonly ids: readonly string[];
  /** Pages of all records, by cursor. */
  readonly cursors: readonly string[];
  /** Of the user whose records they are. */
  readonly token: string;
}

/** Reads and searches of generated records. */
export function recordRequests({ ids, cursors, token }: RecordsAsked): readonly BenchCase[] {
  const byId = (n: number): string => `/api/records/mst/${ids[n % ids.length]}`;
  const exported = (n: number): string => `${byId(n)}?format=bibtex`;
  return [
    get("record by id", byId, { reach: 0.4 }),
    get("record by id, 3,000 ids", byId, { reach: 0.36, variants: Math.min(3_000, ids.length) }),
    get("record by id, as BibTeX", exported),
    ...both("10 records by id", (n) => `${SEARCH}?${tenIds(ids, n * 10)}`, PAGE),
    ...plainSearches(cursors),
    ...facetSearches(),
    ...ownSearches(token),
    ...both("how a query is read", (n) => `/api/query?q=${encodeURIComponent(`${middle(n)} kd:<${1 + n}nM`)}`),
    get("changes, page of 100", () => "/api/changes?size=100", { variants: 1 }),
  ];
}

/** A page of ten without facets. */
function plainSearches(cursors: readonly string[]): readonly BenchCase[] {
  const search = (name: string, q: (n: number) => string, more = (_: number): string => ""): readonly BenchCase[] =>
    both(`search, ${name}`, (n) => `${SEARCH}?q=${encodeURIComponent(q(n))}&facets=none${more(n)}`, PAGE);
  const all = (): string => "";
  return [
    ...search("everything, newest", all, (n) => `&p=${1 + (n % 10)}`),
    ...search("everything, oldest", all, () => "&sort=oldest"),
    ...search("everything, page 100", all, () => "&s=10&p=100"),
    ...search("everything, by cursor", all, (n) => `&cursor=${cursors[n % cursors.length]}`),
    ...search("rare word, best match", rare),
    ...search("common word, newest", common, () => "&sort=newest"),
    ...search("common word, oldest", common, () => "&sort=oldest"),
    ...search("common word, best match", common),
    ...search("common word, by a quantity", common, (n) => `&sort=${n % 2 === 0 ? "" : "-"}kd`),
    ...search("common word, by a date", common, (n) => `&sort=${n % 2 === 0 ? "" : "-"}collected`),
    ...search("common word, older versions too", common, () => "&allversions=true"),
    ...search("phrase of common words, newest", commonPhrase, () => "&sort=newest"),
    ...search("phrase of common words, best match", commonPhrase),
    ...search("word in a field, best match", (n) => `title:${middle(n)}`),
    ...search("kd:<10nM", (n) => `kd:<${10 + n}nM`),
    ...search("cited term or below", () => "organism.within:taxid:2"),
    ...search("matches marked", middle, () => "&highlight=true"),
    ...search("filter by a term", middle, (n) => `&instrument=ins:${1 + (n % 12)}`),
    ...search("filter by a tree", middle, () => "&organism=taxid:2"),
    ...search("filter by a year", middle, (n) => `&year=${2015 + (n % 10)}`),
    ...search("filter by a quantity", all, (n) => `&kd=${n + 1}nM..${(n + 1) * 3}nM`),
    ...both("search of one model, common word", (n) => `/api/records/mst/?q=${common(n)}&facets=none`, PAGE),
    ...both("suggest, records", (n) => `${SEARCH}?suggest=${middle(n).slice(0, 3)}&facets=none`, PAGE),
    ...both("search, everything, page of 100", (n) => `${SEARCH}?facets=none&s=100&p=${1 + (n % 10)}`),
  ];
}

/** With facets: as a service counts them by default, or as they are asked for. */
function facetSearches(): readonly BenchCase[] {
  const search = (name: string, query: (n: number) => string): readonly BenchCase[] =>
    both(name, (n) => `${SEARCH}?${query(n)}`);
  return [
    ...search("search, everything, with facets", (n) => `p=${1 + (n % 10)}`),
    ...search("search, common word, with facets", (n) => `q=${common(n)}`),
    ...search("search, rare word, with facets", (n) => `q=${rare(n)}`),
    ...search("search, kd:<10nM, with facets", (n) => `q=${encodeURIComponent(`kd:<${10 + n}nM`)}`),
    ...search("search, filtered, with facets", (n) => `q=${common(n)}&instrument=ins:${1 + (n % 12)}`),
    ...search("one facet", (n) => `q=${common(n)}&facets=instrument&size=1`),
    ...search("one facet, 200 buckets", (n) => `q=${common(n)}&facets=organism&facet_size=200&size=1`),
    ...search("one facet, on request", (n) => `q=${common(n)}&facets=molecular_weight&size=1`),
    ...search("one facet by text", (n) => `facets=organism&facet_text=${wordOfRank(n).slice(0, 2)}&size=1`),
    ...search("one facet below a term", (n) => `q=${common(n)}&facets=organism&facet_below=taxid:2&size=1`),
    ...search("one facet in steps", (n) => `facets=kd&facet_bins=kd:${n + 1}&q=${wordOfRank(COMMON)}&size=1`),
  ];
}

/** Of a user's own records and drafts: their answers are never kept. */
function ownSearches(token: string): readonly BenchCase[] {
  const search = (name: string, query: (n: number) => string): BenchCase =>
    get(`own records, ${name}`, (n) => `/api/user/records/mst?facets=none&${query(n)}`, {
      headers: { authorization: `Bearer ${token}` },
      reach: PAGE.varied!,
    });
  return [
    search("everything", (n) => `p=${1 + (n % 10)}`),
    search("common word", (n) => `q=${common(n)}`),
    search("drafts", () => "state=draft"),
    search("drafts of new records", () => "is_draft=true&is_published=false"),
    search("drafts shared with the user", () => "shared=true"),
  ];
}

function tenIds(ids: readonly string[], start: number): string {
  return Array.from({ length: 10 }, (_, i) => `ids=${ids[(start + i) % ids.length]}`).join("&");
}

const common = (n: number): string => wordOfRank(COMMON + (n % 8));
const middle = (n: number): string => wordOfRank(MIDDLE + n);
const rare = (n: number): string => wordOfRank(RARE + n);

const commonPhrase = (n: number): string => `"${wordOfRank(COMMON + (n % 4))} ${wordOfRank(COMMON + (n % 5))}"`;
