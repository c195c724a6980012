import { Fragment } from "preact";
import type { HitView } from "../views/hit-view.js";
import { recordPath } from "../views/paths.js";
import { day, WORDS } from "../words/page-en.js";
import { Link } from "./link.js";
import { Highlighted } from "./prose.js";
import { Stamps } from "./structure.js";

/** Ids of the records that are ticked; the form of this id does something with them. */
export type Selected = ReadonlySet<string>;
export const SELECTION_FORM = "selection";
/** The parameter that says which are selected. */
export const SELECTED = "sel";

interface HitsProps {
  readonly hits: readonly HitView[];
  /** Absent: no record can be ticked. */
  readonly selected?: Selected;
}

/** Records one below the other, each with what makes it worth reading. */
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
                <span class="model">{hit.model.toUpperCase()}</span> {day(hit.created)}
                {(hit.version > 1 || !hit.isLatest) && ` · ${WORDS.record.version(hit.version)}`}
              </p>
              <Heading>
                <Link to={recordPath(hit.id)}>
                  {hit.marked === undefined ? hit.title : <Highlighted html={hit.marked} />}
                </Link>
              </Heading>
              <Merits hit={hit} />
              <p class="facts">
                {hit.facts.map(({ label, text, deposited }) => (
                  <span key={label} title={deposited && WORDS.search.deposited(deposited)}>
                    <span class="soft">{label}</span> {text}
                  </span>
                ))}
              </p>
              {hit.people.length > 0 && <p class="soft small">{listPeople(hit.people)}</p>}
              {hit.why.length > 0 && (
                <p class="why small">
                  <span class="soft">{WORDS.search.why}</span>{" "}
                  {hit.why.map(({ path, label, fragments }) => (
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

/** The box that selects a record. */
export function Tick({ hit: { id, title }, selected }: TickProps) {
  return (
    <label class="tick-box">
      <input type="checkbox" name={SELECTED} value={id} form={SELECTION_FORM} checked={selected.has(id)} />
      <span class="skip">{WORDS.search.select(title)}</span>
    </label>
  );
}

/** The numbers that were measured. */
export function Merits({ hit }: { readonly hit: Pick<HitView, "results" | "resultsLeft"> }) {
  if (hit.results.length === 0) return null;
  return (
    <ul class="merits">
      {hit.results.map(({ symbol, kind, text, deposited }, i) => (
        <li key={i}>
          <abbr title={kind}>{symbol}</abbr> <b title={deposited && WORDS.search.deposited(deposited)}>{text}</b>
        </li>
      ))}
      {hit.resultsLeft > 0 && <li class="soft">+ {hit.resultsLeft}</li>}
    </ul>
  );
}

const PEOPLE_MAX = 4;

function listPeople(people: readonly string[]): string {
  const shown = people.slice(0, PEOPLE_MAX).join("; ");
  return people.length > PEOPLE_MAX ? `${shown}; + ${people.length - PEOPLE_MAX}` : shown;
}
