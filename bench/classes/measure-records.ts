import { readCatalog } from "../../src/app/composition/read-catalog.js";
import { makeCaches } from "../../src/core/caches.js";
import type { Facet } from "../../src/core/catalog/types.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import type { FacetRequest, RecordSearch } from "../../src/ports/search-index.js";
import { recordFields } from "../../src/query/fields/field-lookup.js";
import { parseQuery } from "../../src/query/parse/parse.js";
import { resolveQuery } from "../../src/query/resolve/resolve.js";
import { withFacets } from "../../test/support/with-facets.js";
import { CATALOG_FOLDER, clock } from "./build-records.js";
import { type ClassFigures, measureClass } from "./measure-class.js";
import { openPlainSql } from "./plain-sql.js";
import { RECORD_CLASSES, type RecordClass } from "./record-classes.js";

/** Records above which the figures for a million are to be reached. */
const SMALL = 200_000;

/** As a service has it by default. */
const EFFORT = { searchTimeoutMs: 60_000 };
const CACHE_BYTES = 256 * 2 ** 20;

/**
 * Measures the classes on a data folder, inside this process, one after the other.
 * @param only classes whose name contains it
 * @param say is told which class was measured
 */
export async function measureRecordClasses(
  { folder, size }: { readonly folder: string; readonly size: number },
  seconds: number,
  only: string,
  say: (text: string) => void,
): Promise<readonly ClassFigures[]> {
  const catalog = withFacets(readCatalog([CATALOG_FOLDER]), measuredFacets());
  const { index, close } = openSqlite({
    folder,
    catalog,
    clock,
    role: "reader",
    ...EFFORT,
    caches: makeCaches(() => CACHE_BYTES),
  });
  const plainSql = openPlainSql(folder);
  const fields = recordFields([...catalog.models.values()], catalog.vocabularies.values());
  const scope = { kind: "public", models: [...catalog.models.keys()] } as const;
  const searchOf = ({ q, sort = undefined, facets = [] }: RecordClass, n: number): [RecordSearch, boolean] => {
    const text = q(n);
    const parsed = text === "" ? undefined : parseQuery(text, fields);
    const resolved = parsed && resolveQuery(parsed.tree, fields, clock.nowMicros());
    const { clause = { kind: "everything" }, plain } = resolved ?? {};
    const requests = facets.map((name): FacetRequest => ({ name, size: 20, selected: [] }));
    const page = { offset: 0, limit: 10 };
    const isDegraded = parsed?.fallback === true || resolved?.fallback === true;
    return [{ clause, ...(plain && { plain }), scope, facets: requests, sort: sort ?? "newest", page }, isDegraded];
  };
  try {
    const figures: ClassFigures[] = [];
    const add = (made: ClassFigures): void => {
      figures.push(made);
      say(`${made.name}: p50 ${made.warm.p50.toPrecision(2)} ms`);
    };
    for (const each of RECORD_CLASSES.filter(({ name }) => name.includes(only))) {
      const { name, variants, planned, plain } = each;
      const searches = Array.from({ length: variants }, (_, n) => searchOf(each, n));
      const measured = await measureClass(
        name,
        {
          variants,
          ask: async (n, call) => (await index.searchRecords(makeDistinct(searches[n]![0], call))).total,
          ...(plain && { plain: (n: number) => plainSql.search(plain(n)) }),
        },
        seconds,
      );
      const isDegraded = searches.some(([, degraded]) => degraded);
      add({
        name,
        ...measured,
        reach: each.reach[size <= SMALL ? 0 : 1],
        ...(planned && { planned }),
        isDegraded,
      });
    }
    return figures;
  } finally {
    plainSql.close();
    await close();
  }
}

/** The facets of the classes, which count texts, and those of `makeDistinct`. */
function measuredFacets(): Facet[] {
  const { facets } = readCatalog([CATALOG_FOLDER]).models.get("mst")!;
  const asked = new Set(RECORD_CLASSES.flatMap(({ facets = [] }) => facets));
  const texts = facets.filter(({ name }) => asked.has(name));
  const calls = Array.from({ length: CALLS }, (_, n) => ({ name: `call ${n}`, label: "", path: "id" }));
  return [...texts, ...calls].map(({ name, label, path }) => ({ name, label, path, kind: "terms" }));
}

/** More than an index remembers. */
const CALLS = 1_000;

/** The same search, with a facet that neither filters nor counts: what remembers whole answers has none of this. */
function makeDistinct(search: RecordSearch, call: number): RecordSearch {
  const nothing: FacetRequest = { name: `call ${call % CALLS}`, size: 0, selected: [] };
  return { ...search, facets: [...search.facets, nothing] };
}
