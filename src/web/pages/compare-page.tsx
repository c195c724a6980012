import { Fragment } from "preact";
import { LIMITS } from "../../core/limits.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import type { PageView } from "../parts/frame.js";
import { amountTitle, RichLine } from "../parts/number.js";
import type { Place } from "../parts/place.js";
import { Stamps } from "../parts/structure.js";
import { ScrollBox } from "../parts/table.js";
import { Link } from "../parts/text.js";
import type { SummaryGroup, SummaryRow } from "../views/compare-summary.js";
import type { ComparedCell, ComparedRow, ComparedSection } from "../views/compare-view.js";
import type { Picture } from "../views/compounds.js";
import { address, recordPath } from "../views/page-addresses.js";
import { day, WORDS } from "../words/page-en.js";

interface CompareView {
  readonly ids: readonly string[];
  readonly records: readonly {
    readonly id: string;
    readonly title: string;
    readonly model: string;
    /** Short title of the model. */
    readonly modelTitle: string;
    readonly version: number;
    readonly created: string;
    readonly pictures: readonly Picture[];
  }[];
  /** Whether only the beginnings of some records are compared. */
  readonly isCut: boolean;
  readonly missing: readonly MissingRecord[];
  /** Ids beyond the maximum number of compared records. */
  readonly leftOut: readonly string[];
  /** Number of all of them. */
  readonly leftOutCount: number;
  readonly summary: readonly SummaryGroup[];
  readonly sections: readonly ComparedSection[];
}

/** An id without a record. */
export interface MissingRecord {
  readonly id: string;
  /** Whether the record was retracted. Its page says by whom and why. */
  readonly isRetracted: boolean;
}

const words = WORDS.compare;

/** Makes the page that compares up to six records. */
export function comparePage(view: CompareView): PageView {
  const { records, summary, sections } = view;
  const isAllEqual = sections.every(({ differing }) => differing.length === 0);
  // If the other records do not exist, the page shows one record alone.
  const isAlone = records.length === 1;
  const differing = firstRows(sections, (section) => section.differing);
  const equal = firstRows(sections, (section) => section.equal);
  return {
    title: words.title,
    section: "search",
    noindex: true,
    content: (
      <div class="comparison">
        <h1>{words.title}</h1>
        <p class="soft">{words.intro}</p>
        <Form ids={view.ids} />
        <NotShown view={view} />
        {records.length < 2 && <p>{words.tooFew}</p>}
        {records.length > 0 && (
          <ScrollBox label={words.title}>
            <table class={isUnlike(summary) ? "compare unlike" : "compare"}>
              <thead>
                <tr>
                  <th scope="col">{words.field}</th>
                  {records.map(({ id, title, modelTitle, version, created, pictures }) => (
                    <th scope="col" key={id}>
                      <Link to={recordPath(id)}>{title}</Link>
                      <br />
                      <span class="soft">
                        {modelTitle}, {WORDS.record.version(version)}, {day(created)}
                      </span>
                      <Stamps pictures={pictures} />
                    </th>
                  ))}
                </tr>
              </thead>
              {summary.map(({ name, rows }) => (
                <Rows key={name} title={words.summary[name]} rows={rows} columns={records.length} />
              ))}
            </table>
          </ScrollBox>
        )}
        {records.length > 0 && <h2>{words.everything}</h2>}
        {differing.shown.map(({ name, title, rows, count }) => (
          <Differing key={name} title={title} rows={rows} count={count} records={records} />
        ))}
        {records.length > 0 && (view.isCut || differing.left > 0) && (
          <p class="warning">
            {view.isCut && words.beginnings} {differing.left > 0 && words.rowsLeft(differing.left)} {words.whole}{" "}
            {records.map(({ id, model }) => (
              <Fragment key={id}>
                <Link to={`api/records/${model}/${id}`}>{id}</Link>{" "}
              </Fragment>
            ))}
          </p>
        )}
        {records.length >= 2 && isAllEqual && !view.isCut && <p>{words.allEqual}</p>}
        {equal.shown.map(({ name, title, rows, count }) => (
          <Equal key={name} title={title} rows={rows} count={count} isAlone={isAlone} />
        ))}
      </div>
    ),
  };
}

/** Returns whether most rows of a summary differ, as those of records of other molecules do. */
function isUnlike(summary: readonly SummaryGroup[]): boolean {
  const rows = summary.flatMap((group) => group.rows);
  return rows.filter(({ isEqual }) => !isEqual).length * 2 > rows.length;
}

/** Returns the first `LIMITS.comparedRowsMax` rows of all sections together, and the number of the other rows. */
function firstRows(sections: readonly ComparedSection[], rowsOf: (section: ComparedSection) => readonly ComparedRow[]) {
  let room = LIMITS.comparedRowsMax;
  let left = 0;
  const shown = sections.map((section) => {
    const sectionRows = rowsOf(section);
    const rows = sectionRows.slice(0, room);
    room -= rows.length;
    left += sectionRows.length - rows.length;
    return { name: section.name, title: section.title, rows, count: sectionRows.length };
  });
  return { shown, left };
}

/** Lists the records that are not compared: they do not exist, or there are too many. */
function NotShown({ view: { ids, missing, leftOut, leftOutCount } }: { readonly view: CompareView }) {
  return (
    <>
      {missing.map(({ id, isRetracted }) => (
        <p class="warning" key={id}>
          {isRetracted ? words.retracted(id) : words.missing(clip(id))}{" "}
          {isRetracted ? (
            <Link to={recordPath(id)}>{words.why}</Link>
          ) : (
            clip(id) === id && <Link to={address("search", [["q", id]])}>{WORDS.errors.searchId(id)}</Link>
          )}
        </p>
      ))}
      {leftOut.length > 0 && (
        <p class="warning">
          {words.leftOut(ids.length)} <Ids ids={leftOut} />
          {leftOutCount > leftOut.length && words.moreLeftOut(leftOutCount - leftOut.length)}
        </p>
      )}
    </>
  );
}

/** Shows ids as links to their records. */
function Ids({ ids }: { readonly ids: readonly string[] }) {
  return (
    <>
      {ids.map((id) => (
        <Fragment key={id}>{clip(id) === id ? <Link to={recordPath(id)}>{id}</Link> : clip(id)} </Fragment>
      ))}
    </>
  );
}

function Form({ ids }: { readonly ids: readonly string[] }, { root }: Place) {
  return (
    <form class="field compared" action={`${root}compare`}>
      <label for="ids">{words.ids}</label>
      <input id="ids" name="ids" value={ids.join(" ")} />
      <button type="submit">{words.button}</button>
    </form>
  );
}

interface DifferingProps {
  readonly title: string;
  readonly rows: readonly ComparedRow[];
  /** Number of all rows that differ. */
  readonly count: number;
  readonly records: CompareView["records"];
}

/** The rows of a section that differ, in a fold. */
function Differing({ title, rows, count, records }: DifferingProps) {
  if (rows.length === 0) return null;
  const summed = rows.map((row) => ({ ...row, label: [row.label], isEqual: false }));
  return (
    <details class="differing">
      <summary>
        {title}: {records.length < 2 ? words.rows(count) : words.differing(count)}
      </summary>
      <ScrollBox label={title}>
        <table class="compare">
          <thead>
            <tr>
              <th scope="col">{words.field}</th>
              {records.map((record) => (
                <th scope="col" key={record.id}>
                  {record.title}
                  <span class="soft"> {WORDS.record.version(record.version)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <Rows rows={summed} columns={records.length} />
        </table>
      </ScrollBox>
    </details>
  );
}

interface RowsProps {
  /** Absent: the rows have no title. */
  readonly title?: string;
  readonly rows: readonly SummaryRow[];
  readonly columns: number;
}

function Rows({ title, rows, columns }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <tbody>
      {title !== undefined && (
        <tr class="group">
          <th scope="rowgroup" colspan={columns + 1}>
            {title}
          </th>
        </tr>
      )}
      {rows.map(({ label, cells, isEqual }, at) => (
        <tr key={at}>
          <th scope="row">
            <RichLine text={label} />
          </th>
          {cells.map((cell, i) => (
            <td key={i}>
              {cell === undefined && <span class="soft">–</span>}
              {cell !== undefined && <Cell cell={cell} isEqual={isEqual || columns < 2} />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

interface CellProps {
  readonly cell: ComparedCell;
  readonly isEqual: boolean;
}

function Cell({ cell: { text, quantity, converted, ratio }, isEqual }: CellProps) {
  const title = quantity && amountTitle(quantity);
  return (
    <>
      {isEqual ? (
        <span title={title}>
          <RichLine text={text} />
        </span>
      ) : (
        <mark class="differs" title={title}>
          <RichLine text={text} />
        </mark>
      )}
      {quantity?.from !== undefined && (
        <span class="soft">
          {` (${WORDS.numbers.from} `}
          <RichLine text={quantity.from} />)
        </span>
      )}
      {converted !== undefined && (
        <span class="soft">
          {" = "}
          <RichLine text={converted} />
        </span>
      )}
      {ratio !== undefined && <b class="ratio"> {ratio}</b>}
    </>
  );
}

interface EqualProps {
  readonly title: string;
  readonly rows: readonly ComparedRow[];
  /** Number of all equal rows of the section. */
  readonly count: number;
  /** Whether the page shows only one record. */
  readonly isAlone: boolean;
}

function Equal({ title, rows, count, isAlone }: EqualProps) {
  if (count === 0) return null;
  return (
    <details class="equal">
      <summary>
        {title}: {isAlone ? words.rows(count) : words.equal(count)}
      </summary>
      <dl class="members">
        {rows.map(({ label, cells }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{cells[0] !== undefined && <RichLine text={cells[0].text} />}</dd>
          </div>
        ))}
      </dl>
      {rows.length < count && <p class="soft">{WORDS.record.firstOf(rows.length, count)}</p>}
    </details>
  );
}
