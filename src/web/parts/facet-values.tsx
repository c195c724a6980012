import type { FacetValue, FacetView } from "../views/facet-view.js";
import { number, WORDS } from "../words/page-en.js";
import { Link } from "./link.js";

const words = WORDS.search;

/** Id of the form that finds values of a facet; it cannot stand within the form of the filters. */
export const findForm = (name: string): string => `find-${name}`;

/** Id of the form that takes a value away. */
export const withoutForm = (name: string, key: string): string => `without-${name}-${encodeURIComponent(key)}`;

type SetValue = FacetValue & Required<Pick<FacetValue, "without">>;

/** Values that are set, also those below others. */
export const setValues = (values: readonly FacetValue[]): readonly SetValue[] =>
  values.flatMap((value) => [...(isSet(value) ? [value] : []), ...setValues(value.below)]);

const isSet = (value: FacetValue): value is SetValue => value.without !== undefined;

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
export function ValueList({ facet: { name, label, values, other, isTree } }: { readonly facet: FacetView }) {
  const list = values.length > 0 && <Values name={name} values={values} />;
  return (
    <>
      {isTree ? <facet-tree data-label={label}>{list}</facet-tree> : list}
      {other > 0 && <p class="soft small">{words.more(other)}</p>}
    </>
  );
}

/** A box that is not ticked sends its value beside the filters that are set; the form of one that is has all others. */
function Values({ name, values }: { readonly name: string; readonly values: readonly FacetValue[] }) {
  return (
    <ul class="values">
      {values.map(({ key, label, doc_count, without, below, opens }) => (
        <li key={key}>
          <button
            type="submit"
            role="checkbox"
            aria-checked={without !== undefined}
            {...(without === undefined ? { name } : { form: withoutForm(name, key) })}
            value={key}
          >
            <span>{label}</span>
            <span class="count">{number(doc_count)}</span>
          </button>
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
