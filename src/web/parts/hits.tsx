import { Fragment } from "preact";
import { plainText } from "../notation/rich-text.js";
import { exportsOfIds } from "../views/export-view.js";
import type { Fact, HitView } from "../views/hit-view.js";
import { address, recordPath } from "../views/page-addresses.js";
import type { ResultsView, SelectionView } from "../views/results-view.js";
import { day, WORDS } from "../words/page-en.js";
import { ExportMenu } from "./menus.js";
import { Amount, amountTitle, amountTitles, RichLine } from "./number.js";
import type { Place } from "./place.js";
import { Hidden } from "./query-field.js";
import { Stamps } from "./structure.js";
import { Highlighted, Link } from "./text.js";

const words = WORDS.search;

/** Ids of the selected records. */
export type Selected = ReadonlySet<string>;
/** Id of the form for the selected records. */
const SELECTION_FORM = "selection";
/** Parameter with the ids of the selected records. */
const SELECTED = "sel";

interface HitsProps {
  readonly hits: readonly HitView[];
  /** Absent: records cannot be selected. */
  readonly selected?: Selected | undefined;
}

/** List of records in two lines each. The first results of all records form a column at the right. */
export function HitList({ hits, heading, selected }: HitsProps & { readonly heading: "h2" | "h3" }) {
  return (
    <ol class="hits">
      {hits.map((hit) => (
        <li key={hit.id} id={selected && `hit-${hit.id}`}>
          <Hit hit={hit} heading={heading} selected={selected} />
        </li>
      ))}
    </ol>
  );
}

interface HitProps extends Pick<HitsProps, "selected"> {
  readonly hit: HitView;
  readonly heading: "h2" | "h3";
}

function Hit({ hit, heading: Heading, selected }: HitProps) {
  return (
    <article>
      {selected !== undefined && <Tick hit={hit} selected={selected} />}
      <div class="about">
        <div class="title">
          <ModelMark hit={hit} />
          <Heading>
            <Link to={recordPath(hit.id)}>
              {hit.marked === undefined ? hit.title : <Highlighted html={hit.marked} />}
            </Link>
          </Heading>
        </div>
        <p class="about-line small">
          {hit.facts.map((fact) => (
            <Fragment key={fact.name}>
              <ShortFact fact={fact} />
              {" · "}
            </Fragment>
          ))}
          <span class="soft">{[...listPeople(hit.people), ...versionOf(hit), day(hit.created)].join(" · ")}</span>
          {hit.isTitleMatch && hit.matches.length > 0 && (
            <>
              {" · "}
              <Matches matches={hit.matches} />
            </>
          )}
        </p>
        {!hit.isTitleMatch && hit.matches.length > 0 && (
          <p class="why small">
            <Matches matches={hit.matches} />
          </p>
        )}
      </div>
      <Stamps pictures={hit.pictures} />
      <HitResults hit={hit} />
    </article>
  );
}

/** Number of different marks of models. */
const MARKS = 6;

/** Short title of a model with its mark. */
function ModelMark({ hit: { modelTitle, modelIndex } }: { readonly hit: HitView }) {
  return <span class={`model mark-${modelIndex % MARKS}`}>{modelTitle}</span>;
}

const versionOf = ({ version, isLatest }: HitView): readonly string[] =>
  version > 1 || !isLatest ? [WORDS.record.version(version)] : [];

/** Value of a field. Only a number without a unit has its label in sight. */
function ShortFact({ fact: { label, text, quantities } }: { readonly fact: Fact }) {
  const isBare = /^[\d.\u2212–, ]+$/.test(plainText(text));
  return (
    <span title={amountTitles(quantities)}>
      <span class={isBare ? "soft" : "skip"}>{label}</span> <RichLine text={text} />
    </span>
  );
}

/** Digits before the decimal point for which a list has room. */
const WHOLE_DIGITS = 4;

/** First result of a record, and the others below it. Numbers of a list line up on the decimal point. */
function HitResults({ hit: { results, resultsLeft } }: Pick<HitProps, "hit">) {
  const [first, ...others] = results;
  if (first === undefined) return null;
  return (
    <div class="numbers">
      <p class="merits">
        <ResultSymbol result={first} />{" "}
        <b class={`pad-${Math.max(0, WHOLE_DIGITS - first.quantity.whole.length)}`} title={amountTitle(first.quantity)}>
          <Amount quantity={first.quantity} />
        </b>
      </p>
      {(others.length > 0 || resultsLeft > 0) && (
        <p class="small soft">
          {others.map((result, i) => (
            <span key={i}>
              <ResultSymbol result={result} />{" "}
              <b title={amountTitle(result.quantity)}>
                <Amount quantity={result.quantity} />
              </b>
            </span>
          ))}
          {resultsLeft > 0 && <span>+ {resultsLeft}</span>}
        </p>
      )}
    </div>
  );
}

const ResultSymbol = ({ result: { kind, symbol } }: { readonly result: HitView["results"][number] }) => (
  <abbr title={kind}>
    <RichLine text={symbol} />
  </abbr>
);

/** Places of a record that match the query, except for its title. */
function Matches({ matches }: Pick<HitView, "matches">) {
  return (
    <>
      <span class="soft">{words.why}</span>{" "}
      {matches.map(({ path, label, fragments }) => (
        <span key={path}>
          <span class="soft" title={path}>
            {label}:
          </span>{" "}
          {fragments.map((html, i) => (
            <Fragment key={html}>
              {i > 0 && " … "}
              <Highlighted html={html} />
            </Fragment>
          ))}{" "}
        </span>
      ))}
    </>
  );
}

interface TickProps {
  readonly hit: Pick<HitView, "id" | "title">;
  readonly selected: Selected;
}

/** Box that selects a record. Its label is an attribute, so that a copied selection of the page does not contain it. */
export function Tick({ hit: { id, title }, selected }: TickProps) {
  return (
    <label class="tick-box">
      <input
        type="checkbox"
        name={SELECTED}
        value={id}
        form={SELECTION_FORM}
        checked={selected.has(id)}
        aria-label={words.select(title)}
      />
    </label>
  );
}

/** Values of a record with their labels. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <p class="facts">
      {facts.map(({ label, text, quantities }) => (
        <span key={label} title={amountTitles(quantities)}>
          <span class="soft">{label}</span> <RichLine text={text} />
        </span>
      ))}
    </p>
  );
}

/** Measured numbers of a record. */
export function MainResults({ hit }: { readonly hit: Pick<HitView, "results" | "resultsLeft"> }) {
  if (hit.results.length === 0) return null;
  return (
    <ul class="merits">
      {hit.results.map((result, i) => (
        <li key={i}>
          <ResultSymbol result={result} />{" "}
          <b title={amountTitle(result.quantity)}>
            <Amount quantity={result.quantity} />
          </b>
        </li>
      ))}
      {hit.resultsLeft > 0 && <li class="soft">+ {hit.resultsLeft}</li>}
    </ul>
  );
}

/** Maximum number of listed people. */
const PEOPLE_MAX = 2;

function listPeople(people: readonly string[]): readonly string[] {
  if (people.length === 0) return [];
  const shown = people.slice(0, PEOPLE_MAX).join("; ");
  return [people.length > PEOPLE_MAX ? `${shown}; + ${people.length - PEOPLE_MAX}` : shown];
}

interface SelectionProps {
  readonly selection: SelectionView;
  readonly exported: ResultsView["exported"];
}

/**
 * Actions for selected records. With scripts, ticking a box selects its record. Without scripts, one button selects the
 * ticked records, another one compares them, and a link selects all records of the page.
 */
export function Selection({ selection, exported }: SelectionProps, { root }: Place) {
  const { ids, elsewhere, path, carried, shown, all } = selection;
  return (
    <hit-selection>
      <form id={SELECTION_FORM} class="selection" action={root + path}>
        <Hidden pairs={[...carried, ...elsewhere.map((id) => [SELECTED, id] as const)]} />
        <button type="submit" class="quiet select">
          {words.tick}
        </button>
        <button type="submit" class="quiet select" formaction={`${root}compare`}>
          {words.compareTicked}
        </button>
        {all !== undefined && (
          <Link to={all} class="select" nofollow>
            {words.tickAll(shown)}
          </Link>
        )}
        {ids.size > 0 && (
          <>
            <span class="soft">{words.selected(ids.size)}</span>
            <Link to={address("compare", [["ids", [...ids].join(",")]])} nofollow>
              {WORDS.compare.button}
            </Link>
            <ExportMenu label={words.exportSelected} exports={exportsOfIds(ids, exported)} />
          </>
        )}
      </form>
    </hit-selection>
  );
}
