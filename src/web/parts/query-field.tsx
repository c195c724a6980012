import { address, type Pairs } from "../views/page-addresses.js";
import { WORDS } from "../words/page-en.js";
import type { Place } from "./place.js";

/** Hidden fields of a form. */
export function Hidden({ pairs }: { readonly pairs: Pairs }) {
  return (
    <>
      {pairs.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** Properties of a query field. */
export interface QueryFieldProps {
  readonly id: string;
  /** Path of the search page. */
  readonly to: string;
  readonly label: string;
  readonly placeholder: string;
  readonly q?: string;
  /** Hidden fields of the form. */
  readonly carried?: Pairs;
  /** Parameters of `/api/query` that select what is searched. */
  readonly scope?: Pairs;
  readonly isLarge?: boolean;
}

/** Query field with its form. */
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
