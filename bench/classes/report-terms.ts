import { readCatalog } from "../../src/app/composition/read-catalog.js";
import { makeCaches } from "../../src/core/caches.js";
import { LIMITS } from "../../src/core/limits.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import type { SearchIndex, TermSearch } from "../../src/ports/search-index.js";
import { type FieldLookup, termFields } from "../../src/query/fields/field-lookup.js";
import { parseQuery } from "../../src/query/parse/parse.js";
import { resolveQuery } from "../../src/query/resolve/resolve.js";
import { megabytesOf } from "../load.js";
import type { BenchOptions } from "../options.js";
import type { Report } from "../report.js";
import { CATALOG_FOLDER, clock } from "./build-records.js";
import { buildTerms, VOCABULARY } from "./build-terms.js";
import { type ClassFigures, describeClasses, measureClass } from "./measure-class.js";
import { type TermClass, termClasses } from "./term-classes.js";

const VARIANTS = 12;

/** As a service has it by default. */
const EFFORT = { searchTimeoutMs: 60_000 };
const CACHE_BYTES = 256 * 2 ** 20;

/** Loads a large vocabulary, unless it is there, and measures the classes of queries over it inside this process. */
export async function reportTermClasses(
  size: number,
  { data, seconds, only = "", taxdump }: Pick<BenchOptions, "data" | "seconds" | "only" | "taxdump">,
): Promise<Report> {
  const { folder, picks, itemsPerSecond } = await buildTerms(size, data, taxdump);
  const catalog = readCatalog([CATALOG_FOLDER]);
  const { index, close } = openSqlite({
    folder,
    catalog,
    clock,
    role: "reader",
    ...EFFORT,
    caches: makeCaches(() => CACHE_BYTES),
  });
  const fields = termFields(catalog.vocabularies.get(VOCABULARY)!);
  const figures: ClassFigures[] = [];
  try {
    for (const each of termClasses(picks).filter(({ name }) => name.includes(only))) {
      const asks = Array.from({ length: VARIANTS }, (_, n) => askOf(each, n, index, fields));
      const ask = (n: number): Promise<number> => asks[n]!.ask();
      const measured = await measureClass(each.name, { variants: VARIANTS, ask }, seconds);
      const { name, reach, planned } = each;
      const isDegraded = asks.some((one) => one.isDegraded);
      figures.push({ name, ...measured, reach, ...(planned && { planned }), isDegraded });
      process.stderr.write(`${name}: p50 ${measured.warm.p50.toPrecision(2)} ms\n`);
    }
  } finally {
    await close();
  }
  const text = [
    `### Queries inside the process, ${picks.items.toLocaleString("en")} vocabulary items`,
    "",
    ...(itemsPerSecond === undefined ? [] : [`- Loaded at ${itemsPerSecond.toFixed(0)} items/s.`]),
    `- Memory (RSS) after all of it: ${megabytesOf(process.pid).toFixed(0)} MB.`,
    "",
    describeClasses(figures),
  ].join("\n");
  return { text, classes: { size: picks.items, figures } };
}

interface Ask {
  readonly isDegraded: boolean;
  /** @returns hits */
  ask(): Promise<number>;
}

function askOf(
  { q, suggests, sort, offset = 0, limit = 10, rank, countsRanks, ancestor }: TermClass,
  n: number,
  index: SearchIndex,
  fields: FieldLookup,
): Ask {
  const text = q(n);
  const place = {
    vocabulary: VOCABULARY,
    lang: "en",
    page: { offset, limit },
    facets: facetsOf(rank?.(n), countsRanks),
    ...(ancestor && { ancestor: ancestor(n) }),
  };
  if (suggests) {
    return { isDegraded: false, ask: async () => (await index.suggestTerms({ ...place, text })).total };
  }
  const parsed = text === "" ? undefined : parseQuery(text, fields);
  const resolved = parsed && resolveQuery(parsed.tree, fields, clock.nowMicros());
  const search: TermSearch = {
    ...place,
    clause: resolved?.clause ?? { kind: "everything" },
    ...(resolved?.plain && { plain: resolved.plain }),
    sort: sort ?? (text === "" ? "title" : "bestmatch"),
  };
  const isDegraded = parsed?.fallback === true;
  return { isDegraded, ask: async () => (await index.searchTerms(search)).total };
}

/** The facet of ranks, where it filters or is counted. */
function facetsOf(rank: string | undefined, isCounted = false): TermSearch["facets"] {
  if (rank === undefined && !isCounted) return [];
  return [
    { name: "rank", size: isCounted ? LIMITS.facetBucketsDefault : 0, selected: rank === undefined ? [] : [rank] },
  ];
}
