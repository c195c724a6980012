import type { ComponentChildren } from "preact";
import type { Item } from "../views/value-view.js";
import { WORDS } from "../words/page-en.js";
import { Link } from "./text.js";

interface TableProps {
  /** Column headings. */
  readonly heads: readonly string[];
  /** Rows of the body. */
  readonly children: ComponentChildren;
}

/** Table with one row of column headings. */
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

/**
 * Shows which elements of a list are on this page, and links to the other pages. Its role is group because a list may
 * be on a page twice, and landmarks need unique names.
 */
export function RowPaging({ item, length }: { readonly item: Item; readonly length: number }) {
  const { elements, pointer, context, field } = item;
  const { rows } = context;
  if (rows === undefined) return <p class="soft">{WORDS.record.firstOf(elements.length, length)}</p>;
  const { first, last, previous, next } = rows.pageOf(pointer, length, elements.length);
  return (
    <div class="rows-pages" role="group" aria-label={WORDS.record.rowsOf(field.title)}>
      <span class="soft">{WORDS.record.rows(first, last, length)}</span>{" "}
      {previous !== undefined && <Link to={previous}>{WORDS.search.previous}</Link>}{" "}
      {next !== undefined && <Link to={next}>{WORDS.search.next}</Link>}
    </div>
  );
}

interface ScrollProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/**
 * Box that scrolls horizontally if its content is wider than the screen. It takes the keyboard focus. Its role is group
 * because regions are landmarks, which need unique names, and a record may have several tables with the same label.
 */
export function ScrollBox({ label, children }: ScrollProps) {
  return (
    <div class="scroll" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
