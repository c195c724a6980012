import { type BuilderChoices, choiceIn, choiceOf, type FieldChoice, SHOW_BUTTON } from "../views/builder-view.js";
import { BUILDER_PREFIX, type Pairs } from "../views/page-addresses.js";
import type { BuiltQuery, FieldRow, GroupRow, QueryRow } from "../views/query-rows.js";
import { WORDS } from "../words/page-en.js";
import type { Place } from "./place.js";
import { Hidden } from "./query-field.js";
import { Link } from "./text.js";

const words = WORDS.builder;
const JOIN = `${BUILDER_PREFIX}join`;

/** Query builder as a page shows it. */
export interface BuilderView {
  readonly built: BuiltQuery;
  readonly choices: BuilderChoices;
  /** The query that the rows make. */
  readonly q: string;
  readonly total: number;
  /** Target of the form. */
  readonly path: string;
  /** Hidden fields of the form. */
  readonly carried: Pairs;
  /** Address of the search with this query, without the builder. */
  readonly page: string;
  /** Address of the search from which the builder was opened. */
  readonly close: string;
}

/**
 * Query builder: a query as rows of fields, comparisons and values. With scripts, each change updates the page, and a
 * link leads to the hits. Without scripts, one button updates the page, and another one leads to the hits.
 */
export function Builder({ view }: { readonly view: BuilderView }, { root }: Place) {
  const { built, choices, q, total, path, carried, page, close } = view;
  const { rows, join } = built;
  return (
    <query-builder>
      <dialog open class="builder" aria-labelledby="builder-title">
        <header>
          <h2 id="builder-title">{words.title}</h2>
          <Link to={close} class="close" nofollow>
            {words.close}
          </Link>
        </header>
        <form action={root + path}>
          <Hidden pairs={[...carried, ["build", "1"]]} />
          <p>
            {words.join} <Select name={JOIN} value={join} options={words.joins} label={words.join} />{" "}
            <button type="submit" class="quiet refresh">
              {words.refresh}
            </button>
          </p>
          <ol class="rows">
            {rows.map((row, i) => (
              <li key={i}>
                <Row row={row} at={`${i}`} choices={choices} />
              </li>
            ))}
          </ol>
          <p class="adds">
            <ActionButton action="field">{words.addField}</ActionButton>
            {choices.lists.map(({ name, label }) => (
              <ActionButton key={name} action={`list:${name}`}>
                {words.addGroup(label)}
              </ActionButton>
            ))}
            <ActionButton action="text">{words.addText}</ActionButton>
          </p>
          <p class="built">
            <code>{q === "" ? words.empty : q}</code>
          </p>
          <p class="ends">
            <Link to={page} class="button">
              {words.show(total)}
            </Link>
            <ActionButton action={SHOW_BUTTON} class="show">
              {words.showBuilt}
            </ActionButton>{" "}
            <Link to={close} class="cancel" nofollow>
              {words.cancel}
            </Link>
          </p>
        </form>
      </dialog>
    </query-builder>
  );
}

function Row({ row, at, choices }: { readonly row: QueryRow; readonly at: string; readonly choices: BuilderChoices }) {
  if ("list" in row) return <Group row={row} at={at} choices={choices} />;
  if ("field" in row) {
    return <FieldControls row={row} at={at} fields={choices.fields} choice={choiceOf(choices.fields, row)} />;
  }
  const name = `${BUILDER_PREFIX}${at}`;
  return (
    <span class="row">
      <input type="hidden" name={`${name}.kind`} value="text" />
      <input name={`${name}.text`} value={row.text} aria-label={words.text} class="wide-value" />
      <ActionButton action={`less:${at}`} label={words.remove(row.text)}>
        ×
      </ActionButton>
    </span>
  );
}

function Group({ row: { list, rows }, at, choices }: { row: GroupRow; at: string; choices: BuilderChoices }) {
  const choice = choices.lists.find(({ name }) => name === list);
  const label = choice?.label ?? list;
  return (
    <fieldset class="group">
      <legend>{words.oneOf(label)}</legend>
      <input type="hidden" name={`${BUILDER_PREFIX}${at}.list`} value={list} />
      <ol class="rows">
        {rows.map((row, i) => (
          <li key={i}>
            <FieldControls
              row={row}
              at={`${at}.${i}`}
              fields={choice?.fields ?? []}
              choice={choice === undefined ? choiceOf([], row) : choiceIn(choice, row, rows)}
            />
          </li>
        ))}
      </ol>
      <ActionButton action={`more:${at}`}>{words.addField}</ActionButton>
      <ActionButton action={`less:${at}`} label={words.remove(label)}>
        ×
      </ActionButton>
    </fieldset>
  );
}

interface ControlsProps {
  readonly row: FieldRow;
  readonly at: string;
  /** Fields to choose from in this row. */
  readonly fields: readonly FieldChoice[];
  /** Chosen field of this row. */
  readonly choice: FieldChoice;
}

function FieldControls({ row, at, fields, choice }: ControlsProps) {
  const isKnown = fields.some(({ name }) => name === row.field);
  const name = (part: string): string => `${BUILDER_PREFIX}${at}.${part}`;
  const names = Object.fromEntries((isKnown ? fields : [choice, ...fields]).map((each) => [each.name, each.label]));
  const comparisonNames = [...choice.comparisons, row.comparison];
  const comparisons = Object.fromEntries(comparisonNames.map((each) => [each, words.comparisons[each] ?? each]));
  return (
    <span class="row">
      <Select name={name("field")} value={row.field} options={names} label={words.field} />
      <Select name={name("is")} value={row.comparison} options={comparisons} label={words.comparison} />
      {row.comparison !== "exists" && <Values row={row} choice={choice} name={name} />}
      <ActionButton action={`less:${at}`} label={words.remove(choice.label)}>
        ×
      </ActionButton>
    </span>
  );
}

interface ValuesProps {
  readonly row: FieldRow;
  readonly choice: FieldChoice;
  readonly name: (part: string) => string;
}

function Values({ row, choice: { values, units }, name }: ValuesProps) {
  if (values.length > 0 && row.comparison === "is") {
    const options = Object.fromEntries(["", row.value, ...values].map((value) => [value, value]));
    return <Select name={name("value")} value={row.value} options={options} label={words.value} />;
  }
  return (
    <>
      <input name={name("value")} value={row.value} aria-label={words.value} autocomplete="off" />
      {row.comparison === "between" && (
        <>
          {" "}
          {words.and} <input name={name("to")} value={row.to} aria-label={words.to} autocomplete="off" />
        </>
      )}
      {units === "any" && <input name={name("unit")} value={row.unit} aria-label={words.unit} class="unit" />}
      {units !== "any" && (units.length > 0 || row.unit !== "") && (
        <>
          <input type="hidden" name={name("offered")} value={units[0] ?? ""} />
          <Select
            name={name("unit")}
            value={row.unit}
            options={Object.fromEntries([row.unit, ...units].map((unit) => [unit, unit]))}
            label={words.unit}
          />
        </>
      )}
    </>
  );
}

interface SelectProps {
  readonly name: string;
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly label?: string;
}

function Select({ name, value, options, label }: SelectProps) {
  return (
    <select name={name} aria-label={label}>
      {Object.entries(options).map(([key, text]) => (
        <option key={key} value={key} selected={key === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface ActionButtonProps {
  readonly action: string;
  readonly label?: string;
  readonly class?: string;
  readonly children: string;
}

/** Button that submits the rows with an action. */
function ActionButton({ action, label, class: name = "quiet", children }: ActionButtonProps) {
  return (
    <button type="submit" class={name} name={`${BUILDER_PREFIX}do`} value={action} aria-label={label}>
      {children}
    </button>
  );
}
