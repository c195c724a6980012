import { describeChange } from "../../core/terms/edited-fields.js";
import type { FormerId, TermOrigin } from "../../services/vocabularies/related-terms.js";
import { plainText, type RichText } from "../notation/rich-text.js";
import type { PageView } from "../parts/frame.js";
import { HitList } from "../parts/hits.js";
import { amountTitle, RichLine } from "../parts/number.js";
import { Structure } from "../parts/structure.js";
import { ExternalLink, Link } from "../parts/text.js";
import { Text } from "../parts/value.js";
import { termFormatsOf } from "../views/export-view.js";
import type { HitView } from "../views/hit-view.js";
import { termPath, treePath } from "../views/page-addresses.js";
import type { TermView, VocabularyHead } from "../views/term-view.js";
import { day, number, WORDS } from "../words/page-en.js";
import { TermList } from "./term-search-page.js";

const words = WORDS.terms;
const [before, after] = words.useInstead;

interface TermPageView {
  readonly vocabulary: VocabularyHead;
  readonly term: TermView;
  /** Ancestors from the root to the parent. */
  readonly ancestors: readonly { readonly id: string; readonly title: string }[];
  readonly children: readonly TermView[];
  readonly childrenTotal: number;
  readonly cited: CitationsView;
  /** Other terms with the same title. */
  readonly homonyms: readonly TermView[];
  /** Compounds whose InChIKeys have the same first block. */
  readonly sameSkeleton: readonly TermView[];
  /** Terms whose ids are in the properties, by id. */
  readonly linked: ReadonlyMap<string, TermView>;
  readonly origin: OriginView;
}

/** The origin of a term, with the titles of merged terms. */
interface OriginView extends Omit<TermOrigin, "formerIds"> {
  readonly formerIds: readonly (Pick<FormerId, "id" | "time"> & { readonly title: string | undefined })[];
}

/** Records that cite a term. */
export interface CitationsView {
  readonly total: number;
  readonly page: string;
  readonly hits: readonly HitView[];
  /** Address of the page of the molecule with the same id. */
  readonly molecule?: string | undefined;
  /** Records that cite the term or its descendants in the field of a tree facet. */
  readonly within?: { readonly label: string; readonly total: number; readonly page: string };
}

/** Synonyms that a page shows at once; more are folded. */
const NAMES_SHOWN = 8;

/** Makes the page of a term: properties, citing records, subgroups, related terms and other names. */
export function termPage(view: TermPageView): PageView {
  const { vocabulary, term, ancestors, cited } = view;
  return {
    title: `${term.title} · ${vocabulary.title}`,
    section: "vocabularies",
    canonical: termPath(vocabulary.name, term.id),
    data: `api/${termPath(vocabulary.name, term.id)}`,
    content: (
      <article class="term-page">
        <nav class="lineage" aria-label={words.lineage}>
          <ol>
            <li>
              <Link to={`vocabularies/${vocabulary.name}`}>{vocabulary.title}</Link>
            </li>
            {ancestors.map(({ id, title }) => (
              <li key={id}>
                <Link to={termPath(vocabulary.name, id)}>{title}</Link>
              </li>
            ))}
          </ol>
        </nav>
        <h1>
          <RichLine text={term.name} />
        </h1>
        <p class="kicker">
          <TermId term={term} /> <CopyId id={term.id} /> · {words.citeAs} <code>{`{"id": "${term.id}"}`}</code>
        </p>
        {term.isDeprecated && (
          <p class="banner" role="note">
            {term.replacedBy === undefined ? (
              words.deprecated
            ) : (
              <>
                {before} <Link to={termPath(vocabulary.name, term.replacedBy)}>{term.replacedBy}</Link> {after}
              </>
            )}
          </p>
        )}
        {term.isUnconfirmed && <p class="soft">{words.unconfirmed}</p>}
        {term.structure !== undefined && <Structure at={term.structure} title={term.title} />}
        <TermFacts term={term} linked={view.linked} />
        <CitedBy cited={cited} />
        <Below view={view} />
        <Related id="homonyms" title={words.homonyms} terms={view.homonyms} />
        <Related id="skeleton" title={words.sameSkeleton} terms={view.sameSkeleton} />
        <Names term={term} origin={view.origin} />
        <Origin term={term} origin={view.origin} />
        <p class="soft small">
          {words.formats}{" "}
          {termFormatsOf(vocabulary.name, term.id).map(({ title, to }, i) => (
            <span key={to}>
              {i > 0 && ", "}
              <Link to={to} nofollow>
                {title}
              </Link>
            </span>
          ))}
        </p>
      </article>
    ),
  };
}

interface PropTextProps {
  readonly text: RichText;
  readonly linked: TermPageView["linked"];
}

/** A property of a term. In a list, the id of a term links to it by its title, any other identifier to its resolver. */
function PropText({ text, linked }: PropTextProps) {
  const [only, ...others] = text;
  if (typeof only !== "string" || others.length > 0) return <RichLine text={text} />;
  return (
    <>
      {only.split(", ").map((part, i) => (
        <span key={part}>
          {i > 0 && ", "}
          <PropPart text={part} term={linked.get(part)} />
        </span>
      ))}
    </>
  );
}

function PropPart({ text, term }: { readonly text: string; readonly term: TermView | undefined }) {
  if (term === undefined) return <Text text={text} />;
  return (
    <Link to={termPath(term.vocabulary, term.id)}>
      <RichLine text={term.name} />
    </Link>
  );
}

/** Id of a term, with a link to its page at the source. */
function TermId({ term: { id, url } }: { readonly term: TermView }) {
  return url === undefined ? <code>{id}</code> : <ExternalLink href={url}>{id}</ExternalLink>;
}

/** Button that copies an id: of a compound its InChIKey, without the prefix. */
function CopyId({ id }: { readonly id: string }) {
  const key = /^inchikey:(.+)$/.exec(id)?.[1];
  return <copy-text data-text={key ?? id} data-what={key === undefined ? WORDS.record.id : words.inchikey} />;
}

function TermFacts({ term, linked }: { readonly term: TermView; readonly linked: TermPageView["linked"] }) {
  if (term.props.length === 0) return null;
  return (
    <section id="facts">
      <h2 class="skip">{words.facts}</h2>
      <dl class="members">
        {term.props.map(({ name, label, text, quantity, isCopied }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd title={quantity && amountTitle(quantity)}>
              <PropText text={text} linked={linked} />
              {isCopied && (
                <>
                  {" "}
                  <copy-text data-text={plainText(text)} data-what={label} />
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface OriginProps {
  readonly term: TermView;
  readonly origin: OriginView;
}

/** Titles in other languages, synonyms, and ids that lead to the term. */
function Names({ term: { titles, synonyms }, origin: { formerIds } }: OriginProps) {
  if (titles.length + synonyms.length + formerIds.length === 0) return null;
  const shown = synonyms.slice(0, NAMES_SHOWN);
  return (
    <section id="names">
      <h2>{words.names}</h2>
      {titles.length > 0 && (
        <dl class="members">
          {titles.map(({ lang, title }) => (
            <div key={lang}>
              <dt>{lang}</dt>
              <dd lang={lang}>{title}</dd>
            </div>
          ))}
        </dl>
      )}
      <Synonyms synonyms={shown} />
      {synonyms.length > shown.length && (
        <details>
          <summary>{words.allNames(synonyms.length)}</summary>
          <Synonyms synonyms={synonyms.slice(NAMES_SHOWN)} />
        </details>
      )}
      {formerIds.length > 0 && (
        <>
          <h3>{words.formerIds}</h3>
          <ul class="inline">
            {formerIds.map(({ id, title, time }) => (
              <li key={id}>
                {title !== undefined && `${title} `}
                <code class="id">{id}</code>
                {time !== undefined && <span class="soft"> ({words.merged(day(time))})</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Synonyms({ synonyms }: Pick<TermView, "synonyms">) {
  return (
    <ul class="inline">
      {synonyms.map(({ name, kind, lang }) => (
        <li key={`${kind} ${name}`}>
          <span lang={lang}>{name}</span> <span class="soft">({kind})</span>
        </li>
      ))}
    </ul>
  );
}

/** Status, sources and dates of a term, and its changes in a fold. */
function Origin({ term, origin: { sources, changes, changeCount } }: OriginProps) {
  const { origin: heads } = words;
  const { isDeprecated, isUnconfirmed, created, updated, revision = 1 } = term;
  const status = isDeprecated ? "withdrawn" : isUnconfirmed ? "unconfirmed" : "active";
  return (
    <section id="origin">
      <h2>{heads.title}</h2>
      <dl class="members">
        <div>
          <dt>{heads.status}</dt>
          <dd>{heads.statuses[status]}</dd>
        </div>
        {sources.length > 0 && (
          <div>
            <dt>{heads.source}</dt>
            {sources.map((source) => (
              <dd key={source.name}>
                <Source source={source} />
              </dd>
            ))}
          </div>
        )}
        {created !== undefined && (
          <div>
            <dt>{heads.added}</dt>
            <dd>{day(created)}</dd>
          </div>
        )}
        {updated !== undefined && updated !== created && (
          <div>
            <dt>{heads.changed}</dt>
            <dd>
              {day(updated)}, {heads.revision(revision)}
            </dd>
          </div>
        )}
      </dl>
      {changes.length > 0 && (
        <details>
          <summary>{heads.changes(changeCount)}</summary>
          {changeCount > changes.length && <p class="soft small">{heads.newest(changes.length)}</p>}
          <ol class="changes">
            {changes.map(({ revision: number, action, time, source, fields }) => (
              <li key={`${number} ${time}`}>
                {day(time)}: {action}
                {source !== undefined && ` ${heads.from(source)}`}, {heads.revision(number)}
                {fields.length > 0 && (
                  <ul class="small">
                    {fields.map((change) => (
                      <li key={change.field}>
                        <code>{describeChange(change)}</code>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

/** A source of a term. Authorities have a page with their releases. */
function Source({ source: { name, dump } }: { readonly source: OriginView["sources"][number] }) {
  const { origin: heads } = words;
  if (dump === undefined) return <>{heads.file(name)}</>;
  const { title, url, release, loaded } = dump;
  return (
    <>
      {url === "" ? title : <ExternalLink href={url}>{title}</ExternalLink>}
      {release !== undefined && `, ${heads.release(release)}`}, {heads.loaded(day(loaded))}
    </>
  );
}

/** A list of related terms; nothing if there are none. */
function Related({
  id,
  title,
  terms,
}: {
  readonly id: string;
  readonly title: string;
  readonly terms: readonly TermView[];
}) {
  if (terms.length === 0) return null;
  return (
    <section id={id}>
      <h2>{title}</h2>
      <TermList terms={terms} />
    </section>
  );
}

function Below({ view: { vocabulary, term, children, childrenTotal } }: { readonly view: TermPageView }) {
  if (!vocabulary.hierarchy) return null;
  return (
    <section id="below">
      {children.length > 0 && (
        <>
          <h2>
            {words.below} <span class="count">{number(childrenTotal)}</span>
          </h2>
          <TermList terms={children} />
        </>
      )}
      <p>
        <Link to={treePath(vocabulary.name, term.id)} nofollow>
          {words.showTree}
        </Link>
      </p>
    </section>
  );
}

function CitedBy({ cited: { total, page, hits, molecule, within } }: { readonly cited: CitationsView }) {
  return (
    <section id="cited">
      <h2>{words.cited}</h2>
      <p>
        {total === 0 ? words.notCited : <Link to={page}>{words.citedBy(total)}</Link>}
        {within !== undefined && within.total > 0 && (
          <>
            {" · "}
            <Link to={within.page}>{words.citedWithin(within.label, within.total)}</Link>
          </>
        )}
        {molecule !== undefined && (
          <>
            {" · "}
            <Link to={molecule}>{WORDS.molecule.asMolecule}</Link>
          </>
        )}
      </p>
      <HitList hits={hits} heading="h3" />
    </section>
  );
}
