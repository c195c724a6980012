import { address, type Pairs } from "../views/paths.js";
import { WORDS } from "../words/page-en.js";
import type { Place } from "./place.js";

/** Parameters that a form sends on. */
export function Hidden({ pairs }: { readonly pairs: Pairs }) {
  return (
    <>
      {pairs.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

interface QueryFieldProps {
  readonly id: string;
  /** Page of the search, below the root. */
  readonly to: string;
  readonly label: string;
  readonly placeholder: string;
  readonly q?: string;
  /** What the form sends beside the query. */
  readonly carried?: Pairs;
  /** What is searched, as the parameters of the address that reads queries say it. */
  readonly scope?: Pairs;
  readonly isLarge?: boolean;
}

/** A field for a query. */
export function QueryField(
  { id, to, label, placeholder, q, carried = [], scope = [], isLarge }: QueryFieldProps,
  { root }: Place,
) {
  return (
    <query-field data-query={root + address("api/query", scope)}>
      <search class={isLarge === true ? "field large" : "field"}>
        <form action={root + to}>
          <label class="skip" for={id}>
            {label}
          </label>
          <input id={id} name="q" type="search" value={q} placeholder={placeholder} autocomplete="off" />
          <Hidden pairs={carried} />
          <button type="submit">{WORDS.search.button}</button>
        </form>
      </search>
    </query-field>
  );
}
