import type { ComponentChildren } from "preact";
import type { RangeView } from "../views/facet-part.js";
import type { FacetValue, FacetView } from "../views/facet-view.js";
import type { Pairs } from "../views/page-addresses.js";
import type { SearchView } from "../views/search-view.js";
import { number, WORDS } from "../words/page-en.js";
import { Bars } from "./bars.js";
import { RichLine, WithUnit } from "./number.js";
import type { Place } from "./place.js";
import { Hidden } from "./query-field.js";
import { Link } from "./text.js";

const words = WORDS.search;

interface FiltersProps {
  readonly view: SearchView;
  /** Label of the link back to the hits: `Show 39 records`. */
  readonly found: string;
}

/** All filters beside the hits. On a phone, they are a sheet that the link to it opens. */
export function Filters({ view, found }: FiltersProps) {
  return (
    <div class="side" id="filters" tabindex={-1}>
      <Facets view={view} />
      <p class="sheet-end">
        <a class="button" href="#found">
          {found}
        </a>
      </p>
    </div>
  );
}

/**
 * All filters: bars, which are links, and boxes, which apply at once even without scripts. Each box is the submit
 * button of a form: one form adds a value to the filters, and each selected value has a form that removes it.
 */
function Facets({ view }: { readonly view: SearchView }, { root }: Place) {
  if (view.facets.length === 0) return null;
  const action = root + view.address.path;
  return (
    <details class="filters" open>
      <summary>
        <h2>{words.filters}</h2>
      </summary>
      <form action={action}>
        <Hidden pairs={view.address.pairs} />
        {view.facets.map((facet) => !facet.isMore && <Facet key={facet.name} facet={facet} />)}
        <MoreFilters facets={view.facets.filter(({ isMore }) => isMore)} />
        {view.moreValues !== undefined && (
          <p>
            <Link to={view.moreValues} nofollow>
              {words.showMore}
            </Link>
          </p>
        )}
        {view.allFacets !== undefined && (
          <p>
            <Link to={view.allFacets} nofollow>
              {words.allFilters}
            </Link>
          </p>
        )}
      </form>
      {view.facets.map(
        ({ name, find }) =>
          find !== undefined && (
            <form key={name} id={findForm(name)} action={action}>
              <Hidden pairs={find} />
            </form>
          ),
      )}
      {view.facets.flatMap(({ name, values }) =>
        selectedValues(values).map(({ key, without }) => (
          <form key={name + key} id={withoutForm(name, key)} action={action}>
            <Hidden pairs={without} />
          </form>
        )),
      )}
    </details>
  );
}

/** The facets that few readers use. Open if one of them filters. */
function MoreFilters({ facets }: { readonly facets: readonly FacetView[] }) {
  if (facets.length === 0) return null;
  return (
    <details class="more-filters" open={facets.some(({ isOpen }) => isOpen)}>
      <summary>{words.moreFilters}</summary>
      {facets.map((facet) => (
        <Facet key={facet.name} facet={facet} />
      ))}
    </details>
  );
}

function Facet({ facet }: { readonly facet: FacetView }) {
  const { name, label, symbol, bars, unit, range, ticks, find, isOpen, later } = facet;
  return (
    <details class="facet" id={`facet-${name}`} open={isOpen}>
      <summary>
        <h3>
          <WithUnit text={symbol ?? label} unit={unit} />
        </h3>
      </summary>
      {later !== undefined ? (
        <facet-later>
          <p class="small">
            <Link to={later} nofollow>
              {words.showValues}
            </Link>
          </p>
        </facet-later>
      ) : bars === undefined ? (
        <fieldset class="counted">
          <legend class="skip">{label}</legend>
          {find === undefined ? <ValueList facet={facet} /> : <ValueFinder facet={facet} />}
        </fieldset>
      ) : (
        <div class="counted">
          {bars.length === 0 ? (
            <p class="soft small">{words.noNumbers}</p>
          ) : (
            <Brushed name={name} label={label} range={range}>
              <Bars label={label} bars={bars} unit={unit} ticks={ticks} width={240} height={88} />
            </Brushed>
          )}
        </div>
      )}
    </details>
  );
}

interface BrushedProps {
  readonly name: string;
  readonly label: string;
  readonly range: RangeView | undefined;
  readonly children: ComponentChildren;
}

/** Histogram on which readers can select a range. */
function Brushed({ name, label, range, children }: BrushedProps) {
  if (range === undefined) return <>{children}</>;
  const { scale, units, selected, shownIn } = range;
  return (
    <range-brush
      data-name={name}
      data-label={label}
      data-scale={scale}
      data-selected={selected}
      data-unit={shownIn}
      data-units={JSON.stringify(units)}
    >
      {children}
    </range-brush>
  );
}

/** Returns the id of the form that searches for values of a facet. Forms cannot be nested. */
const findForm = (name: string): string => `find-${name}`;

/** Returns the id of the form that removes a value. */
const withoutForm = (name: string, key: string): string => `without-${name}-${encodeURIComponent(key)}`;

type SelectedValue = FacetValue & { readonly without: Pairs };

/** Returns the selected values at all levels of a tree. */
const selectedValues = (values: readonly FacetValue[]): readonly SelectedValue[] =>
  values.flatMap((value) => [...(isSelected(value) ? [value] : []), ...selectedValues(value.below)]);

const isSelected = (value: FacetValue): value is SelectedValue => value.without !== undefined;

/** List of values below a field that searches for other values. */
function ValueFinder({ facet }: { readonly facet: FacetView }) {
  const { name, label, listing, values } = facet;
  const count = values.length;
  return (
    <facet-find>
      <p class="find">
        <input
          type="search"
          name="facet_text"
          form={findForm(name)}
          value={listing?.text}
          placeholder={words.findIn(label)}
          aria-label={words.findIn(label)}
          autocomplete="off"
        />
        <button type="submit" class="quiet" form={findForm(name)}>
          {words.find}
        </button>
      </p>
      <p class="soft small" aria-live="polite">
        {listing?.text !== undefined && words.values(count)}
        {listing?.below !== undefined && (
          <>
            {words.valuesBelow(count)} <Link to={listing.below.page}>{listing.below.key}</Link>
          </>
        )}
      </p>
      <ValueList facet={facet} />
    </facet-find>
  );
}

/** List of boxes. The boxes of a tree are nested. */
function ValueList({ facet: { name, label, values, isTree, tree, all, cutAt } }: { readonly facet: FacetView }) {
  const list = values.length > 0 && <Values name={name} values={values} />;
  return (
    <>
      {isTree ? <facet-tree data-label={label}>{list}</facet-tree> : list}
      {all !== undefined && (
        <p class="small">
          <Link to={all.page} label={words.showAllOf(label, all.count)} nofollow>
            {words.showAll(all.count)}
          </Link>
        </p>
      )}
      {cutAt !== undefined && <p class="small soft">{words.cutAt(cutAt)}</p>}
      {tree !== undefined && values.length > 0 && (
        <p class="small">
          <Link to={tree} nofollow>
            {words.browseTree}
          </Link>
        </p>
      )}
    </>
  );
}

/**
 * Boxes of values. A box adds its value to the filters, or, if the value is selected, submits the form without it. The
 * button beside it excludes its value.
 */
function Values({ name, values }: { readonly name: string; readonly values: readonly FacetValue[] }) {
  return (
    <ul class="values">
      {values.map(({ key, label, written, doc_count, without, exclusion, below, opens }) => (
        <li key={key}>
          <button
            type="submit"
            role="checkbox"
            aria-checked={without !== undefined}
            {...(without === undefined ? { name } : { form: withoutForm(name, key) })}
            value={key}
          >
            <span>
              <RichLine text={written} />
            </span>
            <span class="count">{number(doc_count)}</span>
          </button>
          {exclusion !== undefined && without === undefined && (
            <button type="submit" class="exclude" name="not" value={exclusion} aria-label={words.notValue(label)}>
              {words.not}
            </button>
          )}
          {opens !== undefined && (
            <Link to={opens} class="opens" label={words.showBelow(label)} nofollow>
              <span>▸</span>
            </Link>
          )}
          {below.length > 0 && <Values name={name} values={below} />}
        </li>
      ))}
    </ul>
  );
}
