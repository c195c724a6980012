import type { VocabularyHit } from "../../core/answers/term-answers.js";
import type { TermHit } from "../../services/api/searches.js";
import { listed, type RichText } from "../notation/rich-text.js";
import { Facets } from "../parts/facets.js";
import type { PageView } from "../parts/frame.js";
import { HitList } from "../parts/hits.js";
import { ExportMenu, SortMenu } from "../parts/menus.js";
import { amountTitle, Rich } from "../parts/number.js";
import { Beyond, Chips, Choices, Paging, Reading, SearchField } from "../parts/search-parts.js";
import { Stamps, Structure } from "../parts/structure.js";
import { DescribedLinks, Link, Outward, Prose } from "../parts/text.js";
import { Text } from "../parts/value.js";
import { termExportsOf, termFormatsOf } from "../views/export-view.js";
import type { HitView } from "../views/hit-view.js";
import { termPath, treePath } from "../views/page-addresses.js";
import type { SearchView } from "../views/search-view.js";
import type { TermView, VocabularyHead } from "../views/term-view.js";
import { number, WORDS } from "../words/page-en.js";

const words = WORDS.terms;

/** Makes the list of all vocabularies. */
export function vocabulariesPage(vocabularies: readonly VocabularyHit[]): PageView {
  return {
    title: words.title,
    section: "vocabularies",
    data: "api/vocabularies",
    content: (
      <>
        <h1>{words.title}</h1>
        <p class="lead">{words.intro}</p>
        <Vocabularies vocabularies={vocabularies} />
      </>
    ),
  };
}

/** Links to vocabularies with their descriptions. */
export function Vocabularies({ vocabularies }: { readonly vocabularies: readonly VocabularyHit[] }) {
  return (
    <DescribedLinks
      links={vocabularies.map(({ id, title, description, count }) => ({
        to: `vocabularies/${id}`,
        title,
        note: number(count),
        description,
      }))}
    />
  );
}

interface TermSearchView extends SearchView {
  readonly vocabulary: VocabularyHead;
  readonly hits: readonly (TermView & Pick<TermHit, "matched">)[];
}

/** Makes the page of a search in one vocabulary. */
export function termSearchPage(view: TermSearchView): PageView {
  const { vocabulary, hits } = view;
  return {
    title: view.q === "" ? vocabulary.title : `${view.q} · ${vocabulary.title}`,
    section: "vocabularies",
    hasSearch: true,
    script: "search",
    data: view.data,
    noindex: view.address.pairs.length > 0,
    content: (
      <live-search class="search">
        <div class="query">
          <h1>{vocabulary.title}</h1>
          <p class="lead">
            <Prose text={vocabulary.description} />
          </p>
          <SearchField
            label={WORDS.search.labelTerms(vocabulary.title)}
            placeholder={WORDS.search.placeholderTerms}
            view={view}
          />
          <Reading view={view} />
          <Chips view={view} />
        </div>
        <section class="found" aria-label={WORDS.search.terms(view.total)}>
          <div class="bar-above">
            <p class="total" role="status" tabindex={-1}>
              {WORDS.search.terms(view.total)}
            </p>
            <SortMenu to={view.address.path} carried={view.carriedBySort} sorts={view.sorts} />
            <ExportMenu label={WORDS.search.exportAll} exports={termExportsOf(view.address.path, view.address.pairs)} />
            {vocabulary.hierarchy && (
              <Choices
                label={WORDS.search.view}
                choices={view.views}
                names={{ list: WORDS.search.list, tree: WORDS.search.tree }}
              />
            )}
          </div>
          <Beyond pages={view.pages} />
          {view.total > 0 ? (
            <TermList terms={hits} />
          ) : (
            <p class="empty">{view.address.pairs.length === 0 ? words.empty : WORDS.search.nothing}</p>
          )}
          <Paging pages={view.pages} sizes={view.sizes} />
        </section>
        {view.facets.length > 0 && (
          <div class="side" id="filters">
            <Facets view={view} />
          </div>
        )}
      </live-search>
    ),
  };
}

function TermList({ terms }: { readonly terms: TermSearchView["hits"] }) {
  const hasPictures = terms.some(({ structure }) => structure !== undefined);
  return (
    <ul class={hasPictures ? "terms drawn" : "terms"}>
      {terms.map(({ vocabulary, id, title, name, parentTitle, props, structure, matched, isDeprecated }) => (
        <li key={id}>
          <Stamps pictures={structure === undefined ? [] : [{ at: structure, title }]} />
          <Link to={termPath(vocabulary, id)}>
            <Rich text={name} />
          </Link>{" "}
          <span class="soft">
            <Rich
              text={listed(
                [
                  ...props.slice(0, PROPS_MAX).map(({ text }) => text),
                  ...(parentTitle === undefined ? [] : [[parentTitle]]),
                ],
                " · ",
              )}
            />
          </span>{" "}
          <code class="id">{id}</code>
          {isDeprecated && <span class="soft"> ({words.isDeprecated})</span>}
          {matched !== undefined && matched.text !== title && (
            <span class="soft small">
              {" "}
              {words.matched} {matched.text}
              {matched.kind !== undefined && ` (${matched.kind})`}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Maximum number of properties of a term in a list. */
const PROPS_MAX = 3;

interface TermPageView {
  readonly vocabulary: VocabularyHead;
  readonly term: TermView;
  /** Ancestors from the root to the parent. */
  readonly ancestors: readonly { readonly id: string; readonly title: string }[];
  readonly children: readonly TermView[];
  readonly childrenTotal: number;
  readonly cited: CitationsView;
}

/** Records that cite a term. */
export interface CitationsView {
  readonly total: number;
  readonly page: string;
  readonly hits: readonly HitView[];
  /** Records that cite the term or its descendants in the field of a tree facet. */
  readonly within?: { readonly label: string; readonly total: number; readonly page: string };
}

/** Makes the page of a term: names, properties, ancestors, children and citing records. */
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
          <Rich text={term.name} />
        </h1>
        <p class="kicker">
          {term.url === undefined ? <code>{term.id}</code> : <Outward href={term.url}>{term.id}</Outward>} ·{" "}
          {words.citeAs} <code>{`{"id": "${term.id}"}`}</code>
        </p>
        {term.isDeprecated && (
          <p class="banner" role="note">
            {words.deprecated}{" "}
            {term.replacedBy !== undefined && (
              <Link to={termPath(vocabulary.name, term.replacedBy)}>{term.replacedBy}</Link>
            )}
          </p>
        )}
        {term.isUnconfirmed && <p class="soft">{words.unconfirmed}</p>}
        {term.structure !== undefined && <Structure at={term.structure} title={term.title} />}
        <TermFacts term={term} />
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
        <Below view={view} />
        <CitedBy cited={cited} />
      </article>
    ),
  };
}

/** A property of a term. Each identifier in a list links to its resolver. */
function PropText({ text }: { readonly text: RichText }) {
  const [only, ...others] = text;
  if (typeof only !== "string" || others.length > 0) return <Rich text={text} />;
  return (
    <>
      {only.split(", ").map((part, i) => (
        <span key={part}>
          {i > 0 && ", "}
          <Text text={part} />
        </span>
      ))}
    </>
  );
}

function TermFacts({ term }: { readonly term: TermView }) {
  if (term.props.length + term.synonyms.length + term.titles.length === 0) return null;
  return (
    <section id="facts">
      <h2 class="skip">{words.facts}</h2>
      <dl class="members">
        {term.props.map(({ name, label, text, quantity }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd title={quantity && amountTitle(quantity)}>
              <PropText text={text} />
            </dd>
          </div>
        ))}
        {term.titles.map(({ lang, title }) => (
          <div key={lang}>
            <dt>{lang}</dt>
            <dd lang={lang}>{title}</dd>
          </div>
        ))}
        {term.synonyms.length > 0 && (
          <div>
            <dt>{words.names}</dt>
            <dd>
              <ul class="inline">
                {term.synonyms.map(({ name, kind, lang }) => (
                  <li key={`${kind} ${name}`}>
                    <span lang={lang}>{name}</span> <span class="soft">({kind})</span>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
      </dl>
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

function CitedBy({ cited: { total, page, hits, within } }: { readonly cited: CitationsView }) {
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
      </p>
      <HitList hits={hits} heading="h3" />
    </section>
  );
}
