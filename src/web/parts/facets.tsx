import type { ComponentChildren } from "preact";
import type { FacetView } from "../views/facet-view.js";
import type { RangeView } from "../views/histogram-view.js";
import type { SearchView } from "../views/search-view.js";
import { withPowers } from "../views/texts.js";
import { WORDS } from "../words/page-en.js";
import { Bars } from "./bars.js";
import { findForm, setValues, ValueFinder, ValueList, withoutForm } from "./facet-values.js";
import { Link } from "./link.js";
import type { Place } from "./place.js";
import { Hidden } from "./query-field.js";

const words = WORDS.search;

/**
 * All filters: bars that are links, and boxes that apply when they are ticked, also without scripts. Each box is a
 * button of a form: one form adds a value to the filters, and each value that is set has one that takes it away.
 */
export function Facets({ view }: { readonly view: SearchView }, { root }: Place) {
  if (view.facets.length === 0) return null;
  const action = root + view.address.path;
  return (
    <details class="filters" open>
      <summary>
        <h2>{words.filters}</h2>
      </summary>
      <form action={action}>
        <Hidden pairs={view.address.pairs} />
        {view.facets.map((facet) => (
          <Facet key={facet.name} facet={facet} />
        ))}
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
        setValues(values).map(({ key, without }) => (
          <form key={name + key} id={withoutForm(name, key)} action={action}>
            <Hidden pairs={without} />
          </form>
        )),
      )}
    </details>
  );
}

function Facet({ facet }: { readonly facet: FacetView }) {
  const { name, label, bars, unit, range, find, isOpen, later } = facet;
  return (
    <details class="facet" id={`facet-${name}`} open={isOpen}>
      <summary>
        <h3>{unit === undefined ? label : `${label} (${withPowers(unit)})`}</h3>
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
              <Bars label={label} bars={bars} unit={unit} width={240} height={76} />
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

/** A histogram on which a range can be drawn. */
function Brushed({ name, label, range, children }: BrushedProps) {
  if (range === undefined) return <>{children}</>;
  const { scale, units, selected, shownIn } = range;
  const says = { "data-name": name, "data-label": label, "data-scale": scale, "data-selected": selected };
  return (
    <range-brush {...says} data-unit={shownIn} data-units={JSON.stringify(units)}>
      {children}
    </range-brush>
  );
}
