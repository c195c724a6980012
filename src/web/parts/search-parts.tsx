import type { ComponentChildren } from "preact";
import type { Choice, Pages, SearchView } from "../views/search-view.js";
import { number, WORDS } from "../words/page-en.js";
import type { HeadSearch } from "./frame.js";
import { RichLine } from "./number.js";
import { Link } from "./text.js";

const words = WORDS.search;

/** Returns the search field of a search page. Its form keeps the filters. */
export const headSearch = (
  { address, q, carried, scope }: Pick<SearchView, "address" | "q" | "carried" | "scope">,
  label: string,
  placeholder: string,
): HeadSearch => ({ to: address.path, label, placeholder, q, carried, scope });

/** Active filters, each with links that remove or invert it. */
export function Chips({ view }: { readonly view: SearchView }) {
  if (view.chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={words.filters}>
      {view.chips.map(({ facet, symbol, label, written, key, removed, excluded }) => (
        <li key={facet + key}>
          <span>
            <span class="soft">
              <RichLine text={symbol ?? [facet]} />
            </span>{" "}
            <RichLine text={written} />
          </span>
          {excluded !== undefined && (
            <Link to={excluded} nofollow>
              {words.notThis}
            </Link>
          )}
          <Link to={removed} label={words.remove(`${facet} ${label}`)} class="remove" nofollow>
            ×
          </Link>
        </li>
      ))}
      <li class="plain">
        <Link to={view.withoutFilters} nofollow>
          {words.clear}
        </Link>
      </li>
    </ul>
  );
}

/** Links to alternatives of the current page. */
export function Choices({
  label,
  choices,
  names,
}: {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly names: Readonly<Record<string, string>>;
}) {
  return (
    <nav class="choices" aria-label={label}>
      <span class="soft">{label}</span>
      {choices.map(({ name, page, isCurrent }) => (
        <Link key={name} to={page} current={isCurrent} nofollow>
          {names[name] ?? name}
        </Link>
      ))}
    </nav>
  );
}

interface PagingProps {
  readonly pages: Pages;
  readonly sizes: readonly Choice[];
  /** Additional links. */
  readonly children?: ComponentChildren;
}

/** Links to the other pages of a result, and choices of the page size. */
export function Paging({ pages, sizes, children }: PagingProps) {
  return (
    <div class="after-hits">
      <PageLinks pages={pages}>{children}</PageLinks>
      {sizes.length > 0 && <Choices label={words.sizes} choices={sizes} names={{}} />}
    </div>
  );
}

/** Shows that the page number is beyond the end of the result, with a link to the last page. */
export function BeyondLastPage({ pages: { beyond } }: Pick<PagingProps, "pages">) {
  if (beyond === undefined) return null;
  const { page, last, lastPage } = beyond;
  return (
    <p class="warning">
      {words.beyond(page, last)}{" "}
      <Link to={lastPage} nofollow>
        {words.lastPage}
      </Link>
    </p>
  );
}

function PageLinks({ pages, children }: Omit<PagingProps, "sizes">) {
  const { previous, next, numbered } = pages;
  if (previous === undefined && next === undefined) return null;
  return (
    <nav class="paging" aria-label={words.pages}>
      {previous !== undefined && (
        <Link to={previous} nofollow>
          {words.previous}
        </Link>
      )}
      {numbered.map((choice, i) =>
        choice === undefined ? (
          <span key={`gap${i}`}>…</span>
        ) : (
          <Link
            key={choice.number}
            to={choice.page}
            current={choice.isCurrent}
            label={words.page(choice.number)}
            nofollow
          >
            {number(choice.number)}
          </Link>
        ),
      )}
      {next !== undefined && (
        <Link to={next} nofollow>
          {words.next}
        </Link>
      )}
      {children}
    </nav>
  );
}
