import { isLongNumber, type NumberColumn } from "../notation/columns.js";
import { recordPath } from "../views/page-addresses.js";
import type { CellView, RowView, TableView } from "../views/table-view.js";
import { WORDS } from "../words/page-en.js";
import { type Selected, Tick } from "./hits.js";
import { Amount, amountTitle, WithUnit } from "./number.js";
import { Scroll } from "./table.js";
import { Link } from "./text.js";

const words = WORDS.search;

interface TableProps {
  readonly table: TableView;
  readonly selected: Selected;
}

/** Records as a table. The first column links to the records. */
export function RecordTable({ table: { heads, rows }, selected }: TableProps) {
  return (
    <Scroll label={words.table}>
      <table class="wide">
        <thead>
          <tr>
            {heads.map(({ name, label, symbol, isNumber, numbers, sort }) => {
              const head = <WithUnit text={symbol ?? label} unit={numbers?.unit} />;
              return (
                <th scope="col" key={name} class={isNumber ? "number" : undefined} aria-sort={sort?.order}>
                  {sort === undefined ? (
                    head
                  ) : (
                    <Link to={sort.page} nofollow>
                      {head}
                    </Link>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <Row key={i} row={row} heads={heads} selected={selected} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface RowProps {
  readonly row: RowView;
  readonly heads: TableView["heads"];
  readonly selected: Selected;
}

function Row({ row: { id, isFirst, cells, left }, heads, selected }: RowProps) {
  const title = cells[0]?.values.map(({ text }) => text).join("; ") || id;
  return (
    <>
      <tr class={isFirst ? undefined : "again"}>
        <th scope="row">
          {isFirst && <Tick hit={{ id, title }} selected={selected} />}
          <Link to={recordPath(id)}>{title}</Link>
        </th>
        {cells.slice(1).map((cell, i) => (
          <td key={heads[i + 1]!.name} class={heads[i + 1]!.isNumber ? numberClass(cell) : undefined}>
            <Cell cell={cell} numbers={heads[i + 1]!.numbers} />
          </td>
        ))}
      </tr>
      {left > 0 && (
        <tr class="again">
          <td colspan={heads.length} class="soft">
            <Link to={recordPath(id)}>{words.moreRows(left)}</Link>
          </td>
        </tr>
      )}
    </>
  );
}

const numberClass = ({ values }: CellView): string =>
  values.some(({ text }) => isLongNumber(text)) ? "number long" : "number";

const DATE = /^\d{4}-\d{2}-\d{2}$/;

interface CellProps {
  readonly cell: CellView;
  readonly numbers: NumberColumn | undefined;
}

function Cell({ cell: { values, left }, numbers }: CellProps) {
  return (
    <>
      {values.map(({ text, quantity }, i) => (
        <span key={i} title={quantity && amountTitle(quantity)}>
          {i > 0 && "; "}
          {quantity !== undefined ? (
            <Amount quantity={quantity} column={numbers} />
          ) : DATE.test(text) ? (
            <time>{text}</time>
          ) : (
            text
          )}
        </span>
      ))}
      {left > 0 && <span class="soft"> {words.moreValues(left)}</span>}
    </>
  );
}
