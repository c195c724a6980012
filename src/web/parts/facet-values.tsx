import type { FacetValue, FacetView } from "../views/facet-view.js";
import { number, WORDS } from "../words/page-en.js";
import { Link } from "./link.js";
import { Hidden } from "./query-field.js";

const words = WORDS.search;

/** Id of the form that finds values of a facet; it cannot stand within the form of the filters. */
export const findForm = (name: string): string => `find-${name}`;

/** The values that are listed, above them a field that finds others. */
export function ValueFinder({ facet }: { readonly facet: FacetView }) {
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

/** Boxes to tick, of a tree within each other. */
export function ValueList({ facet: { name, label, values, unlisted, other, isTree } }: { readonly facet: FacetView }) {
  const list = values.length > 0 && <Values name={name} values={values} />;
  return (
    <>
      <Hidden pairs={unlisted.map((key) => [name, key])} />
      {isTree ? <facet-tree data-label={label}>{list}</facet-tree> : list}
      {other > 0 && <p class="soft small">{words.more(other)}</p>}
    </>
  );
}

function Values({ name, values }: { readonly name: string; readonly values: readonly FacetValue[] }) {
  return (
    <ul class="values">
      {values.map(({ key, label, doc_count, is_selected, below, opens }) => (
        <li key={key}>
          <label>
            <input type="checkbox" name={name} value={key} checked={is_selected} />
            <span>{label}</span>
            <span class="count">{number(doc_count)}</span>
          </label>
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
