import type { Citable } from "../../core/citable/citable.js";
import { type CitationStyle, STYLE_TITLES } from "../../formats/records/citation.js";
import type { MachineHead, PageView } from "../parts/frame.js";
import { Facts, MainResults } from "../parts/hits.js";
import { Link, Outward } from "../parts/text.js";
import { Members, Value } from "../parts/value.js";
import type { Fact, ResultView } from "../views/hit-view.js";
import { address, recordPath } from "../views/page-addresses.js";
import type { SectionView } from "../views/record-sections.js";
import { day, WORDS } from "../words/page-en.js";

interface RecordPageView {
  readonly record: Citable;
  readonly results: readonly ResultView[];
  /** Number of results that the head does not show. */
  readonly resultsLeft: number;
  readonly facts: readonly Fact[];
  readonly sections: readonly SectionView[];
  /** Whether long lists and texts are cut. */
  readonly isCut: boolean;
  /** Whether the address selects a page of a list (`rows.results=2`). */
  readonly isPart: boolean;
  readonly citations: readonly { readonly style: CitationStyle; readonly text: string }[];
  readonly formats: readonly { readonly name: string; readonly title: string }[];
  /** All versions, newest first. */
  readonly versions: readonly Version[];
  readonly machine: MachineHead;
}

/** Version of a record in a list of versions. */
export interface Version {
  readonly id: string;
  /** Name of the model. */
  readonly model: string;
  readonly index: number;
  readonly created: string;
  readonly title: string;
}

const words = WORDS.record;

/** Makes the page of a version of a record: results, sections of its metadata, citations and other versions. */
export function recordPage(view: RecordPageView): PageView {
  const { record, sections } = view;
  const contents = [...sections, { name: "cite", title: words.cite }, { name: "versions", title: words.versions }];
  return {
    title: record.title,
    description: record.summary,
    canonical: recordPath(record.id),
    data: `api/records/${record.model.name}/${record.id}`,
    machine: view.machine,
    noindex: view.isPart,
    section: "search",
    content: (
      <article class="record">
        <RecordHead view={view} />
        {view.isCut && (
          <p class="banner" role="note">
            {words.beginning} <Link to={`api/records/${record.model.name}/${record.id}`}>{words.whole}</Link>
          </p>
        )}
        <nav class="contents" aria-label={words.contents}>
          <ul>
            {contents.map(({ name, title }) => (
              <li key={name}>
                <a href={`#${name}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="body">
          {sections.map((section) => (
            <Section key={section.name} section={section} />
          ))}
          <Cite view={view} />
          <section id="versions">
            <h2>{words.versions}</h2>
            <VersionList record={record} versions={view.versions} />
          </section>
        </div>
      </article>
    ),
  };
}

function RecordHead({ view }: { readonly view: RecordPageView }) {
  const { record, results, resultsLeft, facts, versions } = view;
  const newest = versions[0];
  return (
    <header>
      {!record.isLatest && newest !== undefined && newest.id !== record.id && (
        <p class="banner" role="note">
          {words.newer} <Link to={recordPath(newest.id)}>{words.readNewer}</Link> ·{" "}
          <Link to={comparePath(record.id, newest.id)}>{words.whatChanged}</Link>
        </p>
      )}
      <p class="kicker">
        <Link to={`records/${record.model.name}`} class="model">
          {record.model.shortTitle}
        </Link>{" "}
        {words.version(record.version)}
        {record.isLatest && ` (${words.latest})`} · {words.published(day(record.created))}
        {record.license !== undefined && (
          <>
            {" · "}
            {record.license.url === undefined ? (
              record.license.name
            ) : (
              <Outward href={record.license.url}>{record.license.spdx ?? record.license.name}</Outward>
            )}
          </>
        )}
        {record.access !== undefined && ` · ${record.access === "open" ? record.access : words.openMetadata}`}
      </p>
      <h1>{record.title}</h1>
      <p class="people">{record.people.map(({ name }) => name).join("; ")}</p>
      <MainResults hit={{ results, resultsLeft }} />
      <Facts facts={facts} />
    </header>
  );
}

/** Section of the metadata. Several values have labels; one value needs none. */
function Section({ section: { name, title, items } }: { readonly section: SectionView }) {
  const [only] = items;
  return (
    <section id={name}>
      <h2>{title}</h2>
      {items.length === 1 && only !== undefined ? <Value item={only} /> : <Members items={items} />}
    </section>
  );
}

function Cite({ view: { record, citations, formats } }: { readonly view: RecordPageView }) {
  return (
    <section id="cite">
      <h2>{words.cite}</h2>
      <dl class="members citations">
        {citations.map(({ style, text }) => (
          <div key={style}>
            <dt>{STYLE_TITLES[style]}</dt>
            <dd>
              {text} <copy-text data-text={text} data-what={STYLE_TITLES[style]} />
            </dd>
          </div>
        ))}
        <div>
          <dt>{words.export}</dt>
          <dd>
            <ul class="inline">
              {formats.map(({ name, title }) => (
                <li key={name}>
                  <Link to={`${recordPath(record.id)}/export/${name}`} nofollow>
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </dd>
        </div>
        <div>
          <dt>{words.id}</dt>
          <dd>
            <code>{record.id}</code> <copy-text data-text={record.id} data-what={words.id} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

const comparePath = (older: string, newer: string): string =>
  address("compare", [
    ["ids", older],
    ["ids", newer],
  ]);

interface VersionListProps {
  readonly record: Pick<Citable, "id">;
  readonly versions: readonly Version[];
}

/** List of all published versions, with links to compare them with the current one. */
function VersionList({ record, versions }: VersionListProps) {
  return (
    <ol class="versions" reversed start={versions[0]?.index ?? 1}>
      {versions.map(({ id, index, created, title }) => (
        <li key={id} value={index}>
          <Link to={recordPath(id)} current={id === record.id}>
            {title}
          </Link>{" "}
          <span class="soft">{day(created)}</span>{" "}
          {id === record.id ? (
            <span class="soft">({words.thisOne})</span>
          ) : (
            <Link to={comparePath(record.id, id)} nofollow>
              {words.compareWith}
            </Link>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Makes the page that lists the versions of a record. */
export function versionsPage(record: Version, versions: readonly Version[]): PageView {
  return {
    title: words.versionsOf(record.title),
    data: `api/records/${record.model}/${record.id}/versions`,
    section: "search",
    content: (
      <>
        <h1>{words.versionsOf(record.title)}</h1>
        <VersionList record={record} versions={versions} />
      </>
    ),
  };
}
