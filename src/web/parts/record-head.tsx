import { Fragment } from "preact";
import type { Citable } from "../../core/citable/citable.js";
import { type CitationStyle, STYLE_TITLES } from "../../formats/records/citation.js";
import type { HeadView } from "../views/head-view.js";
import type { Fact } from "../views/hit-view.js";
import { comparisonPath, recordPath } from "../views/page-addresses.js";
import { day, WORDS } from "../words/page-en.js";
import { Facts, MainResults } from "./hits.js";
import type { Place } from "./place.js";
import { Structure } from "./structure.js";
import { ExternalLink, Link } from "./text.js";
import { Sentence } from "./value.js";

const words = WORDS.record;

/** Content of the head of a record page. */
export interface RecordHeadView {
  readonly record: Citable;
  readonly head: HeadView;
  /** Values of the fields of a hit, if the model declares no line of conditions. */
  readonly facts: readonly Fact[];
  /** Id of the latest version, if it is another one. */
  readonly newest: string | undefined;
  readonly citations: readonly { readonly style: CitationStyle; readonly text: string }[];
  readonly formats: readonly { readonly name: string; readonly title: string }[];
  /** Persistent address of the record. */
  readonly address: string;
}

/** The head of a record page: molecules, results, conditions, people, and the functions of the record. */
export function RecordHead({ view }: { readonly view: RecordHeadView }) {
  const { record, head, facts, newest, citations, address } = view;
  return (
    <header>
      {newest !== undefined && (
        <p class="banner" role="note">
          {words.newer} <Link to={recordPath(newest)}>{words.readNewer}</Link> ·{" "}
          <Link to={comparisonPath([record.id, newest])}>{words.whatChanged}</Link>
        </p>
      )}
      <Kicker record={record} />
      <h1>{record.title}</h1>
      <Molecules molecules={head.molecules} />
      <MainResults hit={head} />
      {head.conditions.length > 0 ? (
        <p class="conditions">
          <Sentence written={head.conditions} />
        </p>
      ) : (
        <Facts facts={facts} />
      )}
      <p class="people">{record.people.map(({ name }) => name).join("; ")}</p>
      <p class="printed">
        {citations[0]?.text} · {address}
      </p>
      <Box view={view} />
    </header>
  );
}

/** Model, version, date, licence and access. */
function Kicker({ record }: { readonly record: Citable }) {
  const { model, version, isLatest, created, license, access } = record;
  return (
    <p class="kicker">
      <Link to={`records/${model.name}`} class="model">
        {model.shortTitle}
      </Link>{" "}
      {words.published(day(created))} · {words.version(version)}
      {isLatest && ` (${words.latest})`}
      {license !== undefined && (
        <>
          {" · "}
          {license.url === undefined ? (
            license.name
          ) : (
            <ExternalLink href={license.url}>{license.spdx ?? license.name}</ExternalLink>
          )}
        </>
      )}
      {access !== undefined && ` · ${access === "open" ? access : words.openMetadata}`}
    </p>
  );
}

/** The molecules of the main result, each with a line about it and its structure. */
function Molecules({ molecules }: { readonly molecules: HeadView["molecules"] }) {
  if (molecules.length === 0) return null;
  return (
    <ul class="pair">
      {molecules.map(({ name, anchor, page, line, pictures }, i) => (
        <li key={`${i} ${name}`}>
          {pictures.map((each) => (
            <Structure key={each.at} {...each} size={PICTURE_SIZE} />
          ))}
          <span class="molecule">{anchor === undefined ? name : <a href={`#${anchor}`}>{name}</a>}</span>
          {(line.length > 0 || page !== undefined) && (
            <span class="soft">
              <Sentence written={line} />
              {page !== undefined && (
                <>
                  {line.length > 0 && " · "}
                  <Link to={page} label={WORDS.molecule.allRecordsWith(name)}>
                    {WORDS.molecule.all}
                  </Link>
                </>
              )}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const PICTURE_SIZE = { width: 120, height: 90 };

/** Menus and links for a record. They work without scripts; buttons that copy exist only with them. */
function Box({ view: { record, citations, formats, address } }: { readonly view: RecordHeadView }) {
  const [identifier] = record.identifiers.flatMap((each) => each.identifier ?? []);
  return (
    <div class="box" role="group" aria-label={words.actions}>
      <details name="record-box">
        <summary>{words.cite}</summary>
        <dl class="citations">
          {citations.map(({ style, text }) => (
            <Fragment key={style}>
              <dt>{STYLE_TITLES[style]}</dt>
              <dd>{text}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
      <p class="copies">
        {citations.map(({ style, text }) => (
          <copy-text key={style} data-text={text} data-what={STYLE_TITLES[style]} data-label={STYLE_TITLES[style]} />
        ))}
      </p>
      <details name="record-box">
        <summary>{words.download}</summary>
        <ul>
          {formats.map(({ name, title }) => (
            <li key={name}>
              <Link to={`${recordPath(record.id)}/export/${name}`} nofollow>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </details>
      <details name="record-box">
        <summary>{words.compare}</summary>
        <CompareForm id={record.id} />
      </details>
      <p>
        <Link to={recordPath(record.id)}>{words.address}</Link>{" "}
        <copy-text data-text={address} data-what={words.address} />
      </p>
      {identifier !== undefined && (
        <p>
          {identifier.url === undefined ? (
            identifier.value
          ) : (
            <ExternalLink href={identifier.url}>{`${identifier.scheme}:${identifier.value}`}</ExternalLink>
          )}
        </p>
      )}
      <p class="soft">
        {words.id} <code>{record.id}</code> <copy-text data-text={record.id} data-what={words.id} />
      </p>
    </div>
  );
}

/** Form that compares the record with others. */
function CompareForm({ id }: { readonly id: string }, { root }: Place) {
  return (
    <form action={`${root}compare`}>
      <input type="hidden" name="ids" value={id} />
      <label for="compare-ids">{words.otherIds}</label>
      <input id="compare-ids" name="ids" required />
      <button type="submit">{WORDS.compare.button}</button>
    </form>
  );
}
