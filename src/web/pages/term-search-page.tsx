import type { VocabularyHit } from "../../core/answers/term-answers.js";
import type { TermHit } from "../../services/api/searches.js";
import { joinWithSeparator } from "../notation/rich-text.js";
import { Filters } from "../parts/facets.js";
import type { PageView } from "../parts/frame.js";
import { ExportMenu, SortMenu } from "../parts/menus.js";
import { RichLine } from "../parts/number.js";
import { Reading } from "../parts/reading.js";
import { BeyondLastPage, Chips, Choices, headSearch, Paging } from "../parts/search-parts.js";
import { Stamps } from "../parts/structure.js";
import { DescribedLinks, Link, Prose } from "../parts/text.js";
import { termExportsOf } from "../views/export-view.js";
import { termPath } from "../views/page-addresses.js";
import type { Choice, SearchView } from "../views/search-view.js";
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
  readonly statuses: readonly Choice[];
}

/** Makes the page of a search in one vocabulary. */
export function termSearchPage(view: TermSearchView): PageView {
  const { vocabulary, hits } = view;
  return {
    title: view.q === "" ? vocabulary.title : `${view.q} · ${vocabulary.title}`,
    section: "vocabularies",
    search: headSearch(view, WORDS.search.labelTerms(vocabulary.title), WORDS.search.placeholderTerms),
    script: "search",
    parameters: "any",
    hasHits: true,
    hasFilters: view.facets.length > 0,
    data: view.data,
    noindex: view.address.pairs.length > 0,
    content: (
      <live-search class="search">
        <div class="query">
          <h1>{vocabulary.title}</h1>
          <p class="lead">
            <Prose text={vocabulary.description} />
          </p>
          <Reading view={view} />
          <Chips view={view} />
        </div>
        <section class="found" id="found" aria-label={WORDS.search.terms(view.total)}>
          <div class="bar-above">
            <p class="total" role="status" tabindex={-1}>
              {WORDS.search.terms(view.total)}
            </p>
            <SortMenu to={view.address.path} carried={view.carriedBySort} sorts={view.sorts} />
            <ExportMenu
              label={WORDS.search.exportAll}
              exports={termExportsOf(view.address.path, view.address.pairs, view.total)}
            />
            <Choices label={words.origin.status} choices={view.statuses} names={words.statusChoices} />
            {vocabulary.hierarchy && (
              <Choices
                label={WORDS.search.view}
                choices={view.views}
                names={{ list: WORDS.search.list, tree: WORDS.search.tree }}
              />
            )}
          </div>
          <BeyondLastPage pages={view.pages} />
          <div id="hits">
            {view.total > 0 ? (
              <TermList terms={hits} />
            ) : (
              <p class="empty">{view.address.pairs.length === 0 ? words.empty : WORDS.search.nothing}</p>
            )}
          </div>
          <Paging pages={view.pages} sizes={view.sizes} />
        </section>
        {view.facets.length > 0 && <Filters view={view} found={WORDS.search.showTerms(view.total)} />}
      </live-search>
    ),
  };
}

/**
 * Terms with their most informative properties: those with single values, and the parent, which distinguishes terms
 * with the same title.
 */
export function TermList({ terms }: { readonly terms: readonly (TermView & Partial<Pick<TermHit, "matched">>)[] }) {
  const hasPictures = terms.some(({ structure }) => structure !== undefined);
  return (
    <ul class={hasPictures ? "terms drawn" : "terms"}>
      {terms.map(
        ({ vocabulary, id, title, name, parentTitle, props, structure, matched, isDeprecated, citedBy = 0 }) => (
          <li key={id}>
            <Stamps pictures={structure === undefined ? [] : [{ at: structure, title }]} />
            <Link to={termPath(vocabulary, id)}>
              <RichLine text={name} />
            </Link>{" "}
            <span class="soft">
              <RichLine
                text={joinWithSeparator(
                  [
                    ...props.filter(({ isTelling }) => isTelling).map(({ text }) => text),
                    ...(parentTitle === undefined ? [] : [[parentTitle]]),
                  ],
                  " · ",
                )}
              />
            </span>{" "}
            <code class="id">{id}</code>
            {citedBy > 0 && <span class="count"> {words.citedTimes(citedBy)}</span>}
            {isDeprecated && <span class="soft"> ({words.isDeprecated})</span>}
            {matched !== undefined && matched.text !== title && (
              <span class="soft small">
                {" "}
                {words.matched} {matched.text}
                {matched.kind !== undefined && ` (${matched.kind})`}
              </span>
            )}
          </li>
        ),
      )}
    </ul>
  );
}
