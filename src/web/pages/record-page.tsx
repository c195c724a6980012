import type { Citable } from "../../core/citable/citable.js";
import type { MachineHead, PageView } from "../parts/frame.js";
import { MainResults } from "../parts/hits.js";
import { RecordHead, type RecordHeadView } from "../parts/record-head.js";
import { Section } from "../parts/section.js";
import { Link } from "../parts/text.js";
import { Members } from "../parts/value.js";
import type { HitView } from "../views/hit-view.js";
import { comparisonPath, recordPath } from "../views/page-addresses.js";
import type { SectionContent } from "../views/section-content.js";
import type { Item } from "../views/value-view.js";
import { day, WORDS } from "../words/page-en.js";

/** A section with its content. */
export interface ShownSection {
  readonly name: string;
  readonly title: string;
  readonly content: SectionContent;
}

interface RecordPageView extends RecordHeadView {
  readonly sections: readonly ShownSection[];
  /** Everything that was deposited. */
  readonly deposited: Item;
  /** Whether long lists and texts are cut. */
  readonly isCut: boolean;
  /** Whether the address selects a page of a list (`rows.results=2`). */
  readonly isPart: boolean;
  /** All versions, newest first. */
  readonly versions: readonly Version[];
  readonly related: RelatedView;
  readonly machine: MachineHead;
}

/** Other records of the molecules of a record. */
interface RelatedView {
  readonly molecules: readonly { readonly name: string; readonly page: string }[];
  readonly hits: readonly HitView[];
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
  const { record, sections, versions, related } = view;
  const hasVersions = versions.length > 1;
  const hasRelated = related.molecules.length > 0;
  const contents = [
    ...sections,
    ...(hasRelated ? [{ name: "more", title: WORDS.molecule.more }] : []),
    ...(hasVersions ? [{ name: "versions", title: words.versions }] : []),
    { name: "rest", title: words.rest },
  ];
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
            <Section key={section.name} {...section} />
          ))}
          {hasRelated && <Related related={related} />}
          {hasVersions && (
            <section id="versions">
              <h2>{words.versions}</h2>
              <VersionList record={record} versions={versions} />
            </section>
          )}
          <section id="rest">
            <details class="technical">
              <summary>
                <h2>{words.rest}</h2>
              </summary>
              <Members items={view.deposited.members} />
            </details>
          </section>
        </div>
      </article>
    ),
  };
}

/** Other records of the same molecules with their first results, and the pages of the molecules. */
function Related({ related: { molecules, hits } }: { readonly related: RelatedView }) {
  return (
    <section id="more">
      <h2>{WORDS.molecule.more}</h2>
      <ul class="more">
        {hits.map((hit) => (
          <li key={hit.id}>
            <Link to={recordPath(hit.id)}>{hit.title}</Link> <span class="soft">{hit.modelTitle}</span>
            <MainResults hit={{ results: hit.results.slice(0, 1), resultsLeft: 0 }} />
          </li>
        ))}
      </ul>
      <ul class="inline">
        {molecules.map(({ name, page }) => (
          <li key={page}>
            <Link to={page}>{WORDS.molecule.allWith(name)}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

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
            <Link to={comparisonPath([record.id, id])} nofollow>
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
