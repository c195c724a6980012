import { Fragment } from "preact";
import { exportsOfIds } from "../views/export-view.js";
import type { Fact, HitView } from "../views/hit-view.js";
import { address, type Pairs, recordPath } from "../views/page-addresses.js";
import type { SelectionView } from "../views/results-view.js";
import { day, WORDS } from "../words/page-en.js";
import { ExportMenu } from "./menus.js";
import { Amount, amountTitle, amountTitles, Rich } from "./number.js";
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
  readonly selected?: Selected;
}

/** List of records with their main results, facts and matches. */
export function HitList({ hits, heading, selected }: HitsProps & { readonly heading: "h2" | "h3" }) {
  const Heading = heading;
  return (
    <ol class="hits">
      {hits.map((hit) => (
        <li key={hit.id} id={selected && `hit-${hit.id}`}>
          <article>
            <div class="about">
              {selected !== undefined && <Tick hit={hit} selected={selected} />}
              <p class="kicker">
                <span class="model">{hit.modelTitle}</span> {day(hit.created)}
                {(hit.version > 1 || !hit.isLatest) && ` · ${WORDS.record.version(hit.version)}`}
              </p>
              <Heading>
                <Link to={recordPath(hit.id)}>
                  {hit.marked === undefined ? hit.title : <Highlighted html={hit.marked} />}
                </Link>
              </Heading>
              <MainResults hit={hit} />
              <Facts facts={hit.facts} />
              {hit.people.length > 0 && <p class="soft small">{listPeople(hit.people)}</p>}
              {hit.matches.length > 0 && (
                <p class="why small">
                  <span class="soft">{words.why}</span>{" "}
                  {hit.matches.map(({ path, label, fragments }) => (
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
                </p>
              )}
            </div>
            <Stamps pictures={hit.pictures} />
          </article>
        </li>
      ))}
    </ol>
  );
}

interface TickProps {
  readonly hit: Pick<HitView, "id" | "title">;
  readonly selected: Selected;
}

/** Box that selects a record. */
export function Tick({ hit: { id, title }, selected }: TickProps) {
  return (
    <label class="tick-box">
      <input type="checkbox" name={SELECTED} value={id} form={SELECTION_FORM} checked={selected.has(id)} />
      <span class="skip">{words.select(title)}</span>
    </label>
  );
}

/** Values of a record with their labels. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <p class="facts">
      {facts.map(({ label, text, quantities }) => (
        <span key={label} title={amountTitles(quantities)}>
          <span class="soft">{label}</span> <Rich text={text} />
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
      {hit.results.map(({ symbol, kind, quantity }, i) => (
        <li key={i}>
          <abbr title={kind}>
            <Rich text={symbol} />
          </abbr>{" "}
          <b title={amountTitle(quantity)}>
            <Amount quantity={quantity} />
          </b>
        </li>
      ))}
      {hit.resultsLeft > 0 && <li class="soft">+ {hit.resultsLeft}</li>}
    </ul>
  );
}

/** Maximum number of listed people. */
const PEOPLE_MAX = 4;

function listPeople(people: readonly string[]): string {
  const shown = people.slice(0, PEOPLE_MAX).join("; ");
  return people.length > PEOPLE_MAX ? `${shown}; + ${people.length - PEOPLE_MAX}` : shown;
}

interface SelectionProps {
  readonly selection: SelectionView;
  /** Parameters of a CSV export. */
  readonly table: Pairs;
}

/**
 * Actions for selected records. With scripts, ticking a box selects its record. Without scripts, one button selects the
 * ticked records, another one compares them, and a link selects all records of the page.
 */
export function Selection({ selection, table }: SelectionProps, { root }: Place) {
  const { ids, elsewhere, path, carried, all } = selection;
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
            {words.tickAll}
          </Link>
        )}
        {ids.size > 0 && (
          <>
            <span class="soft">{words.selected(ids.size)}</span>
            <Link to={address("compare", [["ids", [...ids].join(",")]])} nofollow>
              {WORDS.compare.button}
            </Link>
            <ExportMenu label={words.exportSelected} exports={exportsOfIds(ids, table)} />
          </>
        )}
      </form>
    </hit-selection>
  );
}
