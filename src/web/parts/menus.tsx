import type { ComponentChildren } from "preact";
import type { ColumnChoice, SortView, UnitChoice } from "../views/choice-views.js";
import type { ExportView } from "../views/export-view.js";
import { AS_DEPOSITED, NUMBERS_PARAMETER, type Pairs } from "../views/page-addresses.js";
import { WORDS } from "../words/page-en.js";
import type { Place } from "./place.js";
import { Hidden } from "./query-field.js";
import { Link } from "./text.js";

const words = WORDS.search;

interface LookFormProps {
  /** Path of the search page. */
  readonly to: string;
  readonly carried: Pairs;
  readonly class: string;
  readonly button: string;
  /** Address of the default look, and what scripts then forget. Absent: there is nothing to reset. */
  readonly reset?: { readonly to: string | undefined; readonly forget: "units" | "columns" };
  readonly children: ComponentChildren;
}

/** Form that changes the look of a search. With scripts, each change applies at once and is remembered. */
function LookForm({ to, carried, button, reset, children, class: name }: LookFormProps, { root }: Place) {
  return (
    <form action={root + to} class={`live ${name}`}>
      <Hidden pairs={carried} />
      {children}
      <button type="submit" class="quiet">
        {button}
      </button>
      {reset?.to !== undefined && (
        <p>
          <Link to={reset.to} data-forget={reset.forget} nofollow>
            {words.reset}
          </Link>
        </p>
      )}
    </form>
  );
}

interface SortProps {
  readonly to: string;
  readonly carried: Pairs;
  readonly sorts: readonly SortView[];
}

/** Choice of the sort order. */
export function SortMenu({ to, carried, sorts }: SortProps) {
  return (
    <LookForm to={to} carried={carried} class="sort" button={words.sortButton}>
      <label for="sort" class="soft">
        {words.sort}
      </label>{" "}
      <select id="sort" name="sort">
        {sorts.map((sort) => (
          <option key={sort.name} value={sort.name} selected={sort.isCurrent}>
            {sortLabel(sort)}
          </option>
        ))}
      </select>
    </LookForm>
  );
}

function sortLabel({ name, by }: SortView): string {
  if (by === undefined) return words.sorts[name] ?? name;
  const { label, isDate, isLargest } = by;
  if (isDate) return (isLargest ? words.latest : words.earliest)(label);
  return (isLargest ? words.largest : words.smallest)(label);
}

/** Choice of a unit for each shown quantity. */
export function UnitMenu({ to, choice }: { readonly to: string; readonly choice: UnitChoice }) {
  if (choice.quantities.length === 0) return null;
  return (
    <details class="menu">
      <summary>{words.units}</summary>
      <LookForm
        to={to}
        carried={choice.carried}
        class="units"
        button={words.show}
        reset={{ to: choice.reset, forget: "units" }}
      >
        <p>
          <label for={NUMBERS_PARAMETER}>{words.numbers}</label>
          <select id={NUMBERS_PARAMETER} name={NUMBERS_PARAMETER}>
            <option value="">{words.readable}</option>
            <option value={AS_DEPOSITED} selected={choice.isDeposited}>
              {words.asDeposited}
            </option>
          </select>
        </p>
        {choice.quantities.map(({ parameter, label, units }) => (
          <p key={parameter}>
            <label for={parameter}>{label}</label>
            <select id={parameter} name={parameter}>
              <option value="">{choice.isDeposited ? words.asDeposited : words.readable}</option>
              {units.map(({ name, label: written, isCurrent }) => (
                <option key={name} value={name} selected={isCurrent}>
                  {written}
                </option>
              ))}
            </select>
          </p>
        ))}
      </LookForm>
    </details>
  );
}

/** Choice of the rows and columns of a table. */
export function ColumnMenu({ to, choice }: { readonly to: string; readonly choice: ColumnChoice }) {
  const { ofElements, ofRecords, lists, isMatched, carried, reset } = choice;
  const list = lists.find(({ isCurrent }) => isCurrent);
  return (
    <details class="menu">
      <summary>{words.columnsShown}</summary>
      <LookForm to={to} carried={carried} class="columns" button={words.show} reset={{ to: reset, forget: "columns" }}>
        {lists.length > 0 && (
          <p>
            <label for="rows">{words.rowsAre}</label>
            <select id="rows" name="rows">
              <option value="">{words.rowsRecord}</option>
              {lists.map(({ name, label, isCurrent }) => (
                <option key={name} value={name} selected={isCurrent}>
                  {label}
                </option>
              ))}
            </select>
            {list !== undefined && (
              <label>
                <input type="checkbox" name="matched" value="true" checked={isMatched} /> {words.rowsMatched}
              </label>
            )}
          </p>
        )}
        {ofElements.length > 0 && <Boxes legend={list?.label ?? words.columnsShown} columns={ofElements} />}
        <Boxes legend={words.ofRecords} columns={ofRecords} />
      </LookForm>
    </details>
  );
}

interface BoxesProps {
  readonly legend: string;
  readonly columns: ColumnChoice["ofRecords"];
}

function Boxes({ legend, columns }: BoxesProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {columns.map(({ name, label, isShown }) => (
        <label key={name}>
          <input type="checkbox" name="cols" value={name} checked={isShown} /> {label}
        </label>
      ))}
    </fieldset>
  );
}

interface ExportMenuProps {
  /** Name of the exported result. */
  readonly label: string;
  readonly exports: ExportView;
}

/** Links to a result in each format, by use, and the request as code. */
export function ExportMenu({ label, exports: { total, bytes, groups, csv } }: ExportMenuProps, { site }: Place) {
  const size = bytes === undefined ? "" : ` · ${exportWords.size(bytes)}`;
  return (
    <details class="menu">
      <summary>{words.exportAs}</summary>
      <div class="export">
        <p>
          {label}: {exportWords.rows(total)}
          <span class="soft">{size}</span>
        </p>
        {groups.map(({ name, links }) => (
          <div key={name} role="group" aria-label={exportWords.groups[name]}>
            <b>{exportWords.groups[name]}</b>
            <ul>
              {links.map(({ title, to }) => (
                <li key={title}>
                  <Link to={to} nofollow>
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <details>
          <summary>{exportWords.request}</summary>
          {requestsOf(`${site}/${csv}`).map(([language, code]) => (
            <p key={language}>
              <span class="soft">{language}</span> <copy-text data-text={code} data-what={language} />
              <code>{code}</code>
            </p>
          ))}
        </details>
      </div>
    </details>
  );
}

const exportWords = words.export;

/** Returns the request of a result as CSV in some languages. Quotes in the address are encoded. */
function requestsOf(address: string): readonly (readonly [language: string, code: string])[] {
  const url = address.replaceAll("'", "%27");
  return [
    ["curl", `curl -o result.csv '${url}'`],
    ["Python", `import pandas as pd\ntable = pd.read_csv('${url}')`],
    ["R", `table <- read.csv('${url}')`],
  ];
}
