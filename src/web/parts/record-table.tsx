import { type ComponentChildren, Fragment } from "preact";
import { errorParts, isLongNumber, numberParts, type PartedColumn } from "../notation/columns.js";
import type { Quantity } from "../notation/quantity.js";
import { plainText, type RichText } from "../notation/rich-text.js";
import { recordPath } from "../views/page-addresses.js";
import type { CellView, RowView, TableView } from "../views/table-view.js";
import { WORDS } from "../words/page-en.js";
import { type Selected, Tick } from "./hits.js";
import { amountTitle, DerivedFrom, RichLine, WithUnit } from "./number.js";
import { ScrollBox } from "./table.js";
import { Link } from "./text.js";

const words = WORDS.search;

interface TableProps {
  readonly table: TableView;
  readonly selected: Selected;
}

/**
 * Records as a table. The first column links to the records. Numbers, their errors and their units stand in columns of
 * their own, so that a copy of the table has one of them in each cell.
 */
export function RecordTable({ table: { heads, rows }, selected }: TableProps) {
  return (
    <ScrollBox label={words.table}>
      <table class="wide">
        <thead>
          <tr>
            {heads.map((head) => (
              <Heads key={head.name} head={head} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <Row key={i} row={row} heads={heads} selected={selected} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** Heads of a column and of the columns of its errors and units. `data-copy` names a column in a copy of the table. */
function Heads({ head: { label, symbol, isNumber, numbers, sort } }: { readonly head: TableView["heads"][number] }) {
  const head = <WithUnit text={symbol ?? label} unit={numbers?.unit} />;
  const name = symbol === undefined ? label : plainText(symbol);
  const unit = numbers?.unit === undefined ? "" : ` (${plainText(numbers.unit)})`;
  return (
    <>
      <th
        scope="col"
        class={isNumber ? "number" : undefined}
        data-copy={isNumber ? name + unit : undefined}
        aria-sort={sort?.order}
      >
        {sort === undefined ? (
          head
        ) : (
          <Link to={sort.page} nofollow>
            {head}
          </Link>
        )}
      </th>
      {numbers?.hasErrors === true && (
        <th scope="col" class="number" data-copy={words.errorOf(name) + unit}>
          <abbr title={words.errorOf(name)}>±</abbr>
        </th>
      )}
      {numbers?.hasUnits === true && (
        <th scope="col" data-copy={words.unitOf(name)}>
          {words.unit}
        </th>
      )}
    </>
  );
}

interface RowProps {
  readonly row: RowView;
  readonly heads: TableView["heads"];
  readonly selected: Selected;
}

function Row({ row: { id, isFirst, cells, left }, heads, selected }: RowProps) {
  const [first] = cells;
  const title = first?.values.map(plainNumberText).join("; ") || id;
  const numbers = heads[0]?.numbers;
  return (
    <>
      <tr class={isFirst ? undefined : "again"}>
        <th scope="row">
          {isFirst && <Tick hit={{ id, title }} selected={selected} />}
          <Link to={recordPath(id)}>{title}</Link>
        </th>
        {first !== undefined && numbers !== undefined && <Beside cell={first} column={numbers} />}
        {cells.slice(1).map((cell, i) => {
          const { name, numbers } = heads[i + 1]!;
          return numbers === undefined ? (
            <td key={name}>
              <Texts cell={cell} />
            </td>
          ) : (
            <Numbers key={name} cell={cell} column={numbers} />
          );
        })}
      </tr>
      {left > 0 && (
        <tr class="again">
          <td colspan={heads.reduce((sum, { numbers }) => sum + countColumns(numbers), 0)} class="soft">
            <Link to={recordPath(id)}>{words.moreRows(left)}</Link>
          </td>
        </tr>
      )}
    </>
  );
}

const countColumns = (numbers: PartedColumn | undefined): number =>
  1 + Number(numbers?.hasErrors === true) + Number(numbers?.hasUnits === true);

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Cell of texts. */
function Texts({ cell: { values, left } }: { readonly cell: CellView }) {
  return (
    <>
      {values.map(({ text, rich = [text] }, i) => (
        <Fragment key={i}>
          {i > 0 && "; "}
          {DATE.test(text) ? <time>{text}</time> : <RichLine text={rich} />}
        </Fragment>
      ))}
      <Left count={left} />
    </>
  );
}

const Left = ({ count }: { readonly count: number }) =>
  count > 0 ? <span class="soft"> {words.moreValues(count)}</span> : null;

interface NumbersProps {
  readonly cell: CellView;
  readonly column: PartedColumn;
}

/** Cells of numbers, their errors and their units. Several numbers are separated by semicolons, and so are errors. */
function Numbers({ cell, column }: NumbersProps) {
  const { values, left } = cell;
  const isLong = values.some(({ text }) => isLongNumber(text));
  return (
    <>
      <td class={isLong ? "number long" : "number"}>
        {values.map(({ text, quantity }, i) => (
          <span key={i} title={quantity && amountTitle(quantity)}>
            {i > 0 && "; "}
            {quantity === undefined ? (
              text
            ) : (
              <Aligned parts={numberParts(quantity)} width={i === values.length - 1 ? column.rest : 0}>
                <DerivedFrom quantity={quantity} />
              </Aligned>
            )}
          </span>
        ))}
        <Left count={left} />
      </td>
      <Beside cell={cell} column={column} />
    </>
  );
}

/** Cells of the errors and units of numbers. */
function Beside({ cell: { values }, column: { errorRest, hasErrors, hasUnits } }: NumbersProps) {
  const units = values.map(({ quantity }) => quantity?.unit ?? []);
  const isSameUnit = new Set(units.map(plainText)).size < 2;
  return (
    <>
      {hasErrors && (
        <td class="number">
          {values.some(({ quantity }) => hasError(quantity)) &&
            values.map(({ quantity }, i) => (
              <Fragment key={i}>
                {i > 0 && "; "}
                {hasError(quantity) ? (
                  <Aligned parts={errorParts(quantity)!} width={i === values.length - 1 ? errorRest : 0} />
                ) : (
                  NONE
                )}
              </Fragment>
            ))}
        </td>
      )}
      {hasUnits && (
        <td>
          {(isSameUnit ? units.slice(0, 1) : units).map((unit, i) => (
            <Fragment key={i}>
              {i > 0 && "; "}
              {unit.length === 0 && !isSameUnit ? NONE : <RichLine text={unit} />}
            </Fragment>
          ))}
        </td>
      )}
    </>
  );
}

/** Returns a value of the first column as text, a number without its unit. */
function plainNumberText({ text, quantity }: CellView["values"][number]): string {
  if (quantity === undefined) return text;
  const { whole, rest } = numberParts(quantity);
  return whole + plainText(rest);
}

/** Stands for the missing error or unit of one of several numbers. */
const NONE = "–";

const hasError = (quantity: Quantity | undefined): quantity is Quantity => quantity?.parts?.error !== undefined;

interface AlignedProps {
  readonly parts: { readonly whole: string; readonly rest: RichText };
  /** Width of what stands behind the decimal point, in digits. 0: it is not aligned. */
  readonly width: number;
  /** Text behind the number. */
  readonly children?: ComponentChildren;
}

function Aligned({ parts: { whole, rest }, width, children }: AlignedProps) {
  const shown = (
    <>
      <RichLine text={rest} />
      {children}
    </>
  );
  return (
    <>
      {whole}
      {width === 0 ? shown : <span class={`rest rest-${width}`}>{shown}</span>}
    </>
  );
}
