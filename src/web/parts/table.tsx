import type { ComponentChildren } from "preact";
import type { Item } from "../views/value-view.js";
import { WORDS } from "../words/page-en.js";
import { Link } from "./link.js";

interface TableProps {
  /** Heads of the columns. */
  readonly heads: readonly string[];
  /** Rows of the body. */
  readonly children: ComponentChildren;
}

/** A table with one row of heads. */
export function Table({ heads, children }: TableProps) {
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col" key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** Shows which elements of a list are on this page, and links to the other pages. */
export function Rows({ item, length }: { readonly item: Item; readonly length: number }) {
  const { elements, pointer, context, field } = item;
  const { rows } = context;
  if (rows === undefined) return <p class="soft">{WORDS.record.firstOf(elements.length, length)}</p>;
  const { first, last, previous, next } = rows.pageOf(pointer, length, elements.length);
  return (
    <nav class="rows-pages" aria-label={WORDS.record.rowsOf(field.title)}>
      <span class="soft">{WORDS.record.rows(first, last, length)}</span>{" "}
      {previous !== undefined && <Link to={previous}>{WORDS.search.previous}</Link>}{" "}
      {next !== undefined && <Link to={next}>{WORDS.search.next}</Link>}
    </nav>
  );
}
