import { countsNumbers } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import type { RecordHit, RecordSearchRequest, SearchAnswer } from "../../services/api/searches.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { RecordSorts } from "../../services/search/record-sorts.js";
import { findListPath, recordTables } from "../../services/streams/columns.js";
import type { Vocabularies } from "../notation/names.js";
import { type ColumnChoice, columnChoice, type UnitChoice, unitChoice } from "./choice-views.js";
import { type ExportView, exportsOf } from "./export-view.js";
import { type HitView, type MakeHitView, shortPath } from "./hit-view.js";
import { type Look, type ShownFields, tableParameters } from "./look.js";
import { address, type Pairs, type SearchAddress } from "./page-addresses.js";
import { type TableView, tableView } from "./table-view.js";

/** Records of a search page as a list or a table, with the choices to change the presentation. */
export interface ResultsView {
  /** Hits of a list. Empty for a table. */
  readonly hits: readonly HitView[];
  readonly table?: TableView & { readonly columns: ColumnChoice };
  readonly units: UnitChoice;
  readonly exports: ExportView;
  /** Parameters of exported tables, and the name of the list of results. */
  readonly exported: { readonly table: Pairs; readonly results: string | undefined };
}

interface ResultsParts {
  readonly hitView: MakeHitView;
  readonly look: Look;
  readonly shown: ShownFields;
  readonly address: SearchAddress;
  readonly facets: readonly SearchedFacet[];
  readonly sorts: RecordSorts;
  readonly catalog: { readonly vocabularies: Vocabularies };
}

/** Returns the parts of a search request that depend on the look: a list has highlights, a table may need elements. */
export function requestForLook({ view, rows, isMatched }: Look, { models }: ShownFields, q: string | undefined) {
  if (view === "list") return { highlight: q !== "", beginnings: true };
  const lists = models.flatMap((model) => {
    const list = isMatched ? findListPath(model, rows) : undefined;
    return list === undefined ? [] : [[model.name, list] as const];
  });
  const request: Pick<RecordSearchRequest, "matchedIn"> = { matchedIn: Object.fromEntries(lists) };
  // Matching elements may be anywhere in a list, so the beginnings of records do not suffice.
  return lists.length === 0 ? { beginnings: true } : request;
}

/** Makes the view of the records of a search page. */
export function resultsView({ hits, sortBy, total }: SearchAnswer<RecordHit>, parts: ResultsParts): ResultsView {
  const { look, shown, address, facets } = parts;
  const exported = { table: tableParameters(look, shown), results: resultsListOf(shown) };
  // Lines have the size of those of this page; few characters need more than one byte.
  const length = hits.reduce((sum, { json }) => sum + json.length, 0);
  const bytes = hits.length === 0 ? undefined : Math.round((length / hits.length) * total);
  const shared = { exports: exportsOf(address.path, address.pairs, { ...exported, total, bytes }), exported };
  const numberFacets = facets.flatMap((facet) => (countsNumbers(facet.kind) ? [facet.name] : []));
  const columnUnits = (names: readonly string[]) => unitChoice(shown, look, [...names, ...numberFacets], address);
  if (look.view === "list") {
    const views = hits.map((hit) => parts.hitView(hit, look));
    const names = views.flatMap(({ results, facts }) => [...results, ...facts].flatMap(({ name }) => name ?? []));
    return { ...shared, hits: views, units: columnUnits(names) };
  }
  const { columns, rows } = look;
  const tables = recordTables(shown.models, { fields: columns, rows });
  const table = tableView(hits, { ...parts, ...parts.catalog, tables, sortBy });
  return {
    ...shared,
    hits: [],
    table: { ...table, columns: columnChoice(shown, look, address) },
    units: columnUnits(columns),
  };
}

/** Returns the name of the list with the results of a record. Undefined if no model declares one. */
function resultsListOf({ models }: ShownFields): string | undefined {
  const model = models.find(({ describe }) => describe.results !== undefined);
  return model && shortPath(model.describe.results!.path, model.roots);
}

/** Records that a reader has selected: `sel=<id>,...` in the address. */
export interface SelectionView {
  readonly ids: ReadonlySet<string>;
  /** Ids of selected records that are on other pages of the search. */
  readonly elsewhere: readonly string[];
  /** Path of this page. */
  readonly path: string;
  /** Parameters of this page without the selection. */
  readonly carried: Pairs;
  /** Number of records on this page. */
  readonly shown: number;
  /** Address of this page with all its records selected, too. Absent if all are selected. */
  readonly all?: string | undefined;
}

/** Maximum number of selected records, limited by the length of an address. */
const SELECTED_MAX = 50;

/** Reads the selection of a page. @param shown ids of the records on the page */
export function selectionView(query: Query, here: SearchAddress, shown: readonly string[]): SelectionView {
  const texts = (query.get("sel") ?? []).flatMap((text) => text.split(",")).map((id) => id.trim().toLowerCase());
  const ids = new Set(texts.filter((id) => id !== "").slice(0, SELECTED_MAX));
  const position = POSITION.flatMap((name) => (query.get(name) ?? []).map((value) => [name, value] as const));
  const carried = [...here.pairs.filter(([name]) => name !== "sel"), ...position];
  const all = [...new Set([...ids, ...shown])].slice(0, SELECTED_MAX);
  return {
    ids,
    elsewhere: [...ids].filter((id) => !shown.includes(id)),
    path: here.path,
    carried,
    shown: shown.length,
    all: all.length === ids.size ? undefined : address(here.path, [...carried, ["sel", all.join(",")]]),
  };
}

/** Parameters with the position of a page in the result. */
const POSITION = ["page", "p", "cursor"];
