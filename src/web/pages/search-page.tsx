import { Fragment } from "preact";
import { Builder, type BuilderView } from "../parts/builder.js";
import { Filters } from "../parts/facets.js";
import type { PageView } from "../parts/frame.js";
import { HitList, Selection } from "../parts/hits.js";
import { ColumnMenu, ExportMenu, SortMenu, UnitMenu } from "../parts/menus.js";
import { Reading } from "../parts/reading.js";
import { RecordTable } from "../parts/record-table.js";
import { BeyondLastPage, Chips, Choices, headSearch, Paging } from "../parts/search-parts.js";
import { Link, Prose } from "../parts/text.js";
import type { HitView } from "../views/hit-view.js";
import { termPath } from "../views/page-addresses.js";
import type { ResultsView, SelectionView } from "../views/results-view.js";
import type { SearchView } from "../views/search-view.js";
import { number, WORDS } from "../words/page-en.js";
import { SCRIPT_WORDS } from "../words/script-en.js";

interface RecordSearchView extends SearchView, ResultsView {
  /** The searched model. Absent: all models are searched. */
  readonly model: { readonly name: string; readonly title: string; readonly description: string } | undefined;
  /** Term whose citing records are searched. */
  readonly citing: CitationSubject | undefined;
  /** Links to the same search of other models, shown as tabs. */
  readonly scopes: readonly { readonly title: string; readonly page: string; readonly isCurrent: boolean }[];
  readonly examples: readonly Example[];
  /** Address of the same search with older versions. */
  readonly withOlder: string;
  readonly selection: SelectionView;
  /** Address of the whole result as data. */
  readonly all: string;
  /** Parts of a query without hits, with links to the searches without each part. */
  readonly parts: readonly PartView[];
  /** Fields whose numbers need a unit. The page does not search until each number has one. */
  readonly unitsNeeded: readonly UnitsNeeded[];
  /** Hits of a suggested query, if the query has no hits. */
  readonly suggested: SuggestedView | undefined;
  /** Address of the same search with the query builder. */
  readonly build: string;
  /** The query builder, if the page shows it. */
  readonly builder: BuilderView | undefined;
}

/** A term whose citations are searched. */
export interface CitationSubject {
  readonly vocabulary: string;
  readonly id: string;
  readonly title: string;
}

/** A suggested query with its hits. */
export interface SuggestedView {
  readonly q: string;
  readonly total: number;
  /** The first hits. */
  readonly hits: readonly HitView[];
}

/** Part of a query that has no hits as a whole. */
export interface PartView {
  readonly text: string;
  /** Address of the search without this part. */
  readonly page: string;
  /** Number of hits without this part. Undefined if it was not counted. */
  readonly total: number | undefined;
}

/** A field whose numbers need a unit, and links to the searches with each unit. */
export interface UnitsNeeded {
  readonly field: string;
  /** Units without hits come last. */
  readonly units: readonly OfferedUnit[];
}

/** A unit that a page offers for a number without a unit. */
export interface OfferedUnit {
  readonly unit: string;
  readonly page: string;
  /** Number of hits with this unit. Undefined if it was not counted. */
  readonly total: number | undefined;
}

/** An example query that has hits. */
export interface Example {
  readonly label: string;
  readonly page: string;
}

const words = WORDS.search;

/** Makes the page of a record search: of one model, of all models, or of the records that cite a term. */
export function searchPage(view: RecordSearchView): PageView {
  const { citing } = view;
  const title = citing === undefined ? (view.model?.title ?? words.allModels) : words.citing(citing.title);
  const hasFilters = view.facets.length > 0;
  return {
    title: view.q === "" ? title : `${view.q} · ${title}`,
    section: "search",
    search: headSearch(view, words.label, words.placeholder),
    script: "search",
    parameters: "any",
    hasHits: true,
    hasFilters,
    data: view.data,
    noindex: view.address.pairs.length > 0,
    content: (
      <live-search class="search">
        <div class="query">
          <div class="scope">
            <h1>{title}</h1>
            {citing === undefined ? <Scopes scopes={view.scopes} /> : <ToTerm term={citing} />}
            <p class="beside-field">
              <Link to={view.build} nofollow>
                {WORDS.builder.link}
              </Link>{" "}
              <Link to="help">{WORDS.nav.help}</Link>
            </p>
          </div>
          {view.builder !== undefined && <Builder view={view.builder} />}
          <Reading view={view} />
          <Chips view={view} />
        </div>
        <section class="found" id="found" aria-label={words.records(view.total)}>
          <div class="bar-above">
            <p class="total" role="status" tabindex={-1}>
              {words.records(view.total)}
            </p>
            {hasFilters && (
              <a class="to-filters" href="#filters">
                {words.filters}
              </a>
            )}
            {view.total > 0 && <Looks view={view} />}
          </div>
          <BeyondLastPage pages={view.pages} />
          <div id="hits">
            {view.total === 0 ? (
              <Nothing view={view} />
            ) : view.table !== undefined ? (
              <RecordTable table={view.table} selected={view.selection.ids} />
            ) : (
              <HitList hits={view.hits} heading="h2" selected={view.selection.ids} />
            )}
          </div>
          {view.total > 0 && <Selection selection={view.selection} exported={view.exported} />}
          <Paging pages={view.pages} sizes={view.sizes}>
            <Link to={view.all} nofollow>
              {words.everything(view.total)}
            </Link>
          </Paging>
          {view.address.pairs.length === 0 && view.examples.length > 0 && <Examples examples={view.examples} />}
        </section>
        {hasFilters && <Filters view={view} found={words.showFound(view.total)} />}
      </live-search>
    ),
  };
}

function Scopes({ scopes }: Pick<RecordSearchView, "scopes">) {
  return (
    <nav class="tabs" aria-label={WORDS.nav.models}>
      {scopes.map(({ title, page, isCurrent }) => (
        <Link key={title} to={page} current={isCurrent}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

function ToTerm({ term: { vocabulary, id } }: { readonly term: CitationSubject }) {
  return (
    <p>
      <Link to={termPath(vocabulary, id)}>{words.aboutTerm}</Link> <code class="id">{id}</code>
    </p>
  );
}

/** Menus for sort order, list or table, columns, units and exports. */
function Looks({ view }: { readonly view: RecordSearchView }) {
  const { path } = view.address;
  return (
    <>
      <SortMenu to={path} carried={view.carriedBySort} sorts={view.sorts} />
      <Choices label={words.view} choices={view.views} names={{ list: words.list, table: words.table }} />
      {view.table !== undefined && <ColumnMenu to={path} choice={view.table.columns} />}
      <UnitMenu to={path} choice={view.units} />
      {view.table !== undefined && <copy-table />}
      <ExportMenu label={words.exportAll} exports={view.exports} />
    </>
  );
}

/** Links to example queries. */
export function Examples({ examples }: { readonly examples: readonly Example[] }) {
  return (
    <p class="examples">
      <span class="soft">{WORDS.start.try}</span>{" "}
      {examples.map(({ label, page }) => (
        <Link key={label} to={page}>
          {label}
        </Link>
      ))}
    </p>
  );
}

/** Choice of units for numbers that have none. */
function Units({ needed }: { readonly needed: readonly UnitsNeeded[] }) {
  return (
    <div class="empty needs-unit">
      {needed.map(({ field, units }) => (
        <p key={field}>
          {words.unitNeeded(field)}{" "}
          {units.map(({ unit, page, total }) => (
            <Fragment key={page}>
              <span class={total === 0 ? "offer none" : "offer"}>
                <Link to={page} class="unit" nofollow>
                  {unit}
                </Link>
                {total !== undefined && <span class="soft"> ({number(total)})</span>}
              </span>{" "}
            </Fragment>
          ))}
        </p>
      ))}
      <p>
        <Link to="help">{WORDS.help.card}</Link>
      </p>
    </div>
  );
}

/** Advice for a search without hits. */
function Nothing({ view }: { readonly view: RecordSearchView }) {
  const isRestricted = view.q !== "" || view.chips.length > 0;
  if (!isRestricted)
    return (
      <p class="empty">
        <Prose text={words.emptyService} /> <Link to="deposit">{WORDS.nav.deposit}</Link>
      </p>
    );
  if (view.unitsNeeded.length > 0) return <Units needed={view.unitsNeeded} />;
  return (
    <div class="empty">
      <p>{words.nothing}</p>
      {view.suggested !== undefined && (
        <>
          <p>{words.suggested(view.suggested.q, view.suggested.total)}</p>
          <HitList hits={view.suggested.hits} heading="h2" />
        </>
      )}
      <ul>
        {view.parts.map(({ text, page, total }) => (
          <li key={page}>
            <Link to={page} nofollow>
              {SCRIPT_WORDS.query.remove(text)}
            </Link>
            {total !== undefined && `: ${words.records(total)}`}
          </li>
        ))}
        {view.chips.length > 0 && (
          <li>
            <Link to={view.withoutFilters}>{words.withoutFilters}</Link>
          </li>
        )}
        <li>
          <Link to={view.withOlder}>{words.olderVersions}</Link>
        </li>
        <li>
          <Link to="search">{words.allOfThem}</Link>
        </li>
        <li>
          <Link to="help">{WORDS.help.card}</Link>
        </li>
      </ul>
    </div>
  );
}
