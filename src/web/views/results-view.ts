import type { RecordHit, RecordSearchRequest, SearchAnswer } from "../../services/api/search-services.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { RecordSorts } from "../../services/search/record-sorts.js";
import { listOf, recordTables } from "../../services/streams/columns.js";
import type { SearchAddress } from "./address-of-search.js";
import { type ColumnChoice, columnChoice, type UnitChoice, unitChoice } from "./choice-views.js";
import { type Export, exportsOf } from "./export-view.js";
import type { HitView, HitViews } from "./hit-view.js";
import { type Look, tableParameters } from "./look.js";
import type { Pairs } from "./paths.js";
import type { ShownFields } from "./shown-fields.js";
import { type TableView, tableView } from "./table-view.js";

/** The records of a page, as a list or as a table, and how that can be changed. */
export interface ResultsView {
  /** Empty where they are a table. */
  readonly hits: readonly HitView[];
  readonly table?: TableView & { readonly columns: ColumnChoice };
  readonly units: UnitChoice;
  /** All that was found, in other formats. */
  readonly exports: readonly Export[];
  /** What is wanted of exports as CSV. */
  readonly wantedOfTables: Pairs;
}

interface ResultsParts {
  readonly hitView: HitViews;
  readonly look: Look;
  readonly shown: ShownFields;
  readonly address: SearchAddress;
  readonly facets: readonly SearchedFacet[];
  readonly sorts: RecordSorts;
}

/** What a search is asked for to be shown so: a list says why a record was found, a table may ask for elements. */
export function askedFor({ view, rows, isMatched }: Look, { models }: ShownFields, q: string | undefined) {
  if (view === "list") return { highlight: q !== "", beginnings: true };
  const lists = models.flatMap((model) => {
    const list = isMatched ? listOf(model, rows) : undefined;
    return list === undefined ? [] : [[model.name, list] as const];
  });
  const asked: Pick<RecordSearchRequest, "matchedIn"> = { matchedIn: Object.fromEntries(lists) };
  // Matching elements may be anywhere in a list.
  return lists.length === 0 ? { beginnings: true } : asked;
}

export function resultsView({ hits, sortBy }: SearchAnswer<RecordHit>, parts: ResultsParts): ResultsView {
  const { look, shown, address, facets } = parts;
  const wantedOfTables = tableParameters(look, shown);
  const shared = { exports: exportsOf(address.path, address.pairs, wantedOfTables), wantedOfTables };
  const histograms = facets.flatMap((facet) => (facet.kind === "histogram" ? [facet.name] : []));
  const unitsOf = (names: readonly string[]) => unitChoice(shown, look, [...names, ...histograms], address);
  if (look.view === "list") {
    const views = hits.map((hit) => parts.hitView(hit, look.units));
    const names = views.flatMap(({ results, facts }) => [...results, ...facts].flatMap(({ name }) => name ?? []));
    return { ...shared, hits: views, units: unitsOf(names) };
  }
  const { columns, rows } = look;
  const units = [...look.units].filter(([name]) => columns.includes(name)).map(([name, unit]) => [name, unit.name]);
  const wanted = { fields: columns, units: Object.fromEntries(units), ...(rows === undefined ? {} : { rows }) };
  const tables = recordTables(shown.models, wanted);
  const table = tableView(hits, { ...parts, tables, sortBy });
  return {
    ...shared,
    hits: [],
    table: { ...table, columns: columnChoice(shown, look, address) },
    units: unitsOf(columns),
  };
}
