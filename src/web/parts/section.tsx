import type { ComponentChildren } from "preact";
import type { Quantity } from "../notation/quantity.js";
import type { Axis } from "../views/axis-view.js";
import type { ResultTable } from "../views/result-table.js";
import type { CardView, ChecksView, LineView, PersonView, SectionContent } from "../views/section-content.js";
import type { SeriesView } from "../views/series-view.js";
import { claimAnchor, type Item } from "../views/value-view.js";
import { WORDS } from "../words/page-en.js";
import { amountClass, amountTitle, RichLine, WithUnit } from "./number.js";
import { Structures } from "./structure.js";
import { RowPaging, ScrollBox } from "./table.js";
import { Link } from "./text.js";
import { Measured, Members, PersonLine, Sentence, Shared, Strip, Value, Values } from "./value.js";

const words = WORDS.record;

interface SectionProps {
  readonly name: string;
  readonly title: string;
  readonly content: SectionContent;
}

/** Section of a record page. */
export function Section({ name, title, content }: SectionProps) {
  return (
    <section id={name} class={`as-${content.form}`}>
      <h2>{title}</h2>
      <Content content={content} title={title} />
    </section>
  );
}

function Content({ content, title }: { readonly content: SectionContent; readonly title: string }) {
  switch (content.form) {
    case "results":
      return (
        <>
          <Results table={content.table} list={content.list} title={title} />
          <RowsOf list={content.list} />
        </>
      );
    case "line":
      return (
        <>
          {content.lines.map((line, i) => (
            <Line key={line.item?.pointer ?? i} line={line} />
          ))}
          {content.list !== undefined && <RowsOf list={content.list} />}
        </>
      );
    case "cards":
      return (
        <>
          <ol class="cards">
            {content.cards.map((card, i) => (
              <Card key={card.item.pointer} card={card} index={content.list.start + i + 1} />
            ))}
          </ol>
          <RowsOf list={content.list} />
        </>
      );
    case "strip":
      return (
        <>
          <Strip strip={content.strip} label={pageLabel(content.list)} />
          <RowsOf list={content.list} />
        </>
      );
    case "series":
      return (
        <>
          {content.axis !== undefined && <LogAxis axis={content.axis} />}
          <Series series={content.series} list={content.list} title={title} />
          <RowsOf list={content.list} />
        </>
      );
    case "people":
      return (
        <ul class="people">
          {content.people.map((person) => (
            <Contributor key={person.item.pointer} person={person} />
          ))}
        </ul>
      );
    case "checks":
      return <Checks checks={content.checks} />;
    default: {
      const [only] = content.items;
      return content.items.length === 1 && only !== undefined ? (
        <Value item={only} />
      ) : (
        <Members items={content.items} />
      );
    }
  }
}

/** Links to the other pages of a list, if it has several. */
function RowsOf({ list }: { readonly list: Item }) {
  return list.wholeLength === undefined ? null : <RowPaging item={list} length={list.wholeLength} />;
}

/** Results in columns: what, number, error, unit, of what, and values of objects that refer to the result. */
function Results({ table, list, title }: { readonly table: ResultTable; readonly list: Item; readonly title: string }) {
  const { rows, columns, shared, hasErrors, hasUnits } = table;
  const heads = WORDS.record.results;
  return (
    <>
      <copy-table />
      <Shared values={shared} label={pageLabel(list)} />
      <ScrollBox label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{heads.kind}</th>
              <th scope="col" class="number">
                {heads.value}
              </th>
              {hasErrors && (
                <th scope="col" class="number">
                  ±
                </th>
              )}
              {hasUnits && <th scope="col">{heads.unit}</th>}
              {columns.map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ item, kind, name, tooltip, quantity, inPlace, cells }) => (
              <tr key={item.pointer} id={claimAnchor(item)}>
                <th scope="row" title={tooltip}>
                  {kind !== undefined && <Value item={kind} />} {name !== undefined && <span class="soft">{name}</span>}
                  {quantity?.parts !== undefined && <CopyNumber quantity={quantity} />}
                </th>
                <NumberCells quantity={quantity} table={table}>
                  <Sentence written={inPlace} />
                </NumberCells>
                {columns.map((head, i) => (
                  <td key={head}>
                    <Values values={cells[i]!} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

/** Button that copies a number as a text: `560 ± 160 pM`. It shows in the row of the pointer. */
const CopyNumber = ({ quantity: { text } }: { readonly quantity: Quantity }) => (
  <copy-text class="in-row" data-text={text.replaceAll(/[\u00a0\u2009\u202f]/g, " ")} data-what={text} />
);

interface NumberCellsProps {
  readonly quantity: Quantity | undefined;
  readonly table: ResultTable;
  /** Text in place of a number. */
  readonly children: ComponentChildren;
}

/** Cells of a number, its error and its unit. */
function NumberCells({ quantity, table: { hasErrors, hasUnits, decimals }, children }: NumberCellsProps) {
  const parts = quantity?.parts;
  if (quantity === undefined || parts === undefined) {
    return (
      <>
        <td class="number">{quantity === undefined ? children : quantity.text}</td>
        {hasErrors && <td />}
        {hasUnits && <td />}
      </>
    );
  }
  const title = amountTitle(quantity);
  return (
    <>
      <td class={amountClass("number", quantity)}>
        <span class={amountClass("quantity", quantity)} title={title}>
          {parts.whole}
          {decimals === 0 ? parts.decimals : <span class={`rest rest-${decimals}`}>{parts.decimals}</span>}
        </span>
      </td>
      {hasErrors && <td class="number">{parts.error}</td>}
      {hasUnits && (
        <td>
          <RichLine text={parts.scale} />
        </td>
      )}
    </>
  );
}

/** A line of text, with its values in a fold. */
function Line({ line: { item, line, values } }: { readonly line: LineView }) {
  if (line.length === 0) return <Members items={values} />;
  return (
    <div class="line" id={item && claimAnchor(item)}>
      <span>
        <Sentence written={line} />
      </span>
      <details class="fold">
        <summary>{words.values}</summary>
        <Members items={values} />
      </details>
    </div>
  );
}

/** An object with its name, a line of text, pictures and other members. */
function Card({
  card: { item, name, line, members, page },
  index,
}: {
  readonly card: CardView;
  readonly index: number;
}) {
  return (
    <li id={claimAnchor(item)}>
      <p class="card-title">
        {name ?? words.item(index)}
        {page !== undefined && (
          <>
            {" "}
            <Link to={page} class="small" label={WORDS.molecule.allRecordsWith(name ?? words.item(index))}>
              {WORDS.molecule.all}
            </Link>
          </>
        )}
      </p>
      {line.length > 0 && (
        <div>
          <Sentence written={line} />
        </div>
      )}
      <Structures items={item.members} />
      {members.length > 0 && <Members items={members} />}
    </li>
  );
}

/** Returns the label of values that the shown rows have in common, if the page shows only some rows of a list. */
const pageLabel = (list: Item): string | undefined => (list.wholeLength === undefined ? undefined : words.inTheseRows);

interface SeriesProps {
  readonly series: SeriesView;
  readonly list: Item;
  readonly title: string;
}

/** Similar objects as a table. Values that all rows have in common are above it. */
function Series({ series: { columns, rows, shared }, list, title }: SeriesProps) {
  const label = pageLabel(list) ?? words.inAllRows;
  if (columns.length === 0) {
    return (
      <>
        <ul class="inline">
          {rows.map(({ item, name }, i) => (
            <li key={item.pointer} id={claimAnchor(item)}>
              {name ?? words.item(list.start + i + 1)}
            </li>
          ))}
        </ul>
        <Shared values={shared} label={rows.length > 1 ? label : undefined} />
      </>
    );
  }
  return (
    <>
      <Shared values={shared} label={label} />
      <ScrollBox label={title}>
        <table class="series">
          <thead>
            <tr>
              <th scope="col">{words.name}</th>
              {columns.map(({ title: head, help, numbers }) => (
                <th scope="col" key={head} title={help} class={numbers && "number"}>
                  <WithUnit text={head} unit={numbers?.unit} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ item, name, cells }, i) => (
              <tr key={item.pointer} id={claimAnchor(item)}>
                <th scope="row">{name ?? words.item(list.start + i + 1)}</th>
                {cells.map((values, column) => {
                  const { title: head, numbers, quantities } = columns[column]!;
                  const quantity = quantities[i];
                  return (
                    <td key={head} class={numbers && "number"}>
                      {numbers !== undefined && quantity !== undefined ? (
                        <Measured quantity={quantity} column={numbers} />
                      ) : (
                        <Values values={values} />
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

/** A list of checks up to this length is open. */
const OPEN_CHECKS_MAX = 12;

/** Outcomes of checks: a line for each, behind their numbers. What differs is never folded. */
function Checks({ checks: { lines, counts, left } }: { readonly checks: ChecksView }) {
  const summary = words.checks.summary(counts);
  if (lines.length + left <= OPEN_CHECKS_MAX) {
    return (
      <>
        <p class="small soft">{summary}</p>
        <CheckLines lines={lines} />
      </>
    );
  }
  return (
    <>
      <CheckLines lines={lines.filter(({ status }) => status === "differs")} />
      <details class="kept">
        <summary>{summary}</summary>
        <CheckLines lines={lines.filter(({ status }) => status !== "differs")} />
      </details>
      {left > 0 && <p class="small soft">{words.checks.left(left)}</p>}
    </>
  );
}

const CHECK_MARKS = { agrees: "✓", differs: "!", note: "·" } as const;

function CheckLines({ lines }: Pick<ChecksView, "lines">) {
  if (lines.length === 0) return null;
  return (
    <ul class="checks">
      {lines.map(({ status, text, formula }, i) => (
        <li key={i} class={`check-${status}`}>
          <span role="img" aria-label={words.checks[status]} title={words.checks[status]}>
            {CHECK_MARKS[status]}
          </span>
          <span title={formula}>
            <RichLine text={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A person with its affiliations and roles. */
function Contributor({ person: { item, roles, affiliations } }: { readonly person: PersonView }) {
  return (
    <li>
      <PersonLine item={item} affiliations={affiliations} /> <span class="soft">· {roles.join(", ")}</span>
    </li>
  );
}

/** Sizes in the units of the drawing: 1 is about a pixel. */
const AXIS = { width: 640, height: 44, line: 20 };

/** Numbers of a series on a logarithmic axis, and the results among them. */
function LogAxis({ axis: { title, points, marks, ticks, symbol } }: { readonly axis: Axis }) {
  const x = (at: number): number => Math.round(at * AXIS.width * 10) / 10;
  const label = words.axis(title, points.map(({ text }) => text).join(", "));
  return (
    <figure class="log-axis">
      <svg viewBox={`0 0 ${AXIS.width} ${AXIS.height}`} role="img" aria-label={label}>
        <line class="axis" x1={0} y1={AXIS.line} x2={AXIS.width} y2={AXIS.line} />
        {ticks.map(({ at, text }) => (
          <g key={text}>
            <line class="axis" x1={x(at)} y1={AXIS.line} x2={x(at)} y2={AXIS.line + 4} />
            <text class="tick" x={x(at)} y={AXIS.height - 6} text-anchor="middle">
              {text}
            </text>
          </g>
        ))}
        {points.map(({ at, text }) => (
          <circle key={text} class="point" cx={x(at)} cy={AXIS.line} r={4}>
            <title>{text}</title>
          </circle>
        ))}
        {marks.map(({ at, text }) => (
          <g key={text} class="result">
            <title>{text}</title>
            <line x1={x(at)} y1={4} x2={x(at)} y2={AXIS.line + 8} />
          </g>
        ))}
      </svg>
      {marks.length > 0 && (
        <figcaption class="small soft">
          <span class="point">●</span> {title} · <span class="result">|</span> <RichLine text={symbol} />{" "}
          {marks.map(({ text }) => text).join(", ")}
        </figcaption>
      )}
    </figure>
  );
}
