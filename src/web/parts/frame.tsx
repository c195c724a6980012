import type { ComponentChildren } from "preact";
import type { DataPart } from "../../core/feed/feed.js";
import type { Warning } from "../../core/issue.js";
import { beginningOfText } from "../../core/records/beginning.js";
import { encodeUri, type TypedLink } from "../../formats/records/signposting.js";
import { WORDS } from "../words/page-en.js";
import { contactHref, type Place, sitePageAddress } from "./place.js";
import { QueryField, type QueryFieldProps } from "./query-field.js";
import { Link } from "./text.js";

/** Content and metadata of a page. */
export interface PageView {
  readonly title: string;
  /** Description for search engines and link previews. Default: the title. */
  readonly description?: string;
  /** Canonical path, if the page has several addresses. */
  readonly canonical?: string;
  /** Path and query of the same content as data. */
  readonly data?: string;
  /** Machine-readable metadata of a record page. */
  readonly machine?: MachineHead;
  /** Part of the navigation that contains the page. */
  readonly section?: keyof typeof SECTIONS;
  /** Search field in the head. Default: a search of all records. `none`: the page has its own field. */
  readonly search?: HeadSearch | "none";
  /** Whether the page has a list of hits with the id `hits`. If so, the page begins with a link that skips to it. */
  readonly hasHits?: boolean;
  /** Whether the page has filters. If so, a link before its head leads to them. */
  readonly hasFilters?: boolean;
  /** Name of its script. Absent: the script of most pages. */
  readonly script?: "search";
  /** Whether search engines should not index the page. */
  readonly noindex?: boolean;
  readonly content: ComponentChildren;
  /**
   * Names of the parameters that the page reads, in the form of `warnUnknownParameters`. The frame warns about all
   * others. Absent: none. `any`: the content shows these warnings itself.
   */
  readonly parameters?: readonly string[] | "any";
  /** Warnings above the content. */
  readonly warnings?: readonly Warning[];
  /** Public data that the page depends on. Caches keep the page until they change. Absent: the page is not cached. */
  readonly parts?: readonly DataPart[] | undefined;
  /** Whether the page lacks the last changes, because the search index is behind. */
  readonly isBehind?: boolean;
}

/** Search of a page, whose field is in the head of the page. */
export type HeadSearch = Pick<QueryFieldProps, "to" | "label" | "placeholder" | "q" | "carried" | "scope">;

/** Machine-readable metadata in the head of a record page. */
export interface MachineHead {
  /** Description in the schema.org vocabulary. */
  readonly jsonLd: string;
  /** Value of the `Link` header (Signposting, level 1). */
  readonly links: string;
  /** All Signposting links of the page, for clients that do not read its headers. */
  readonly signposts: readonly TypedLink[];
  readonly alternates: readonly { readonly path: string; readonly type: string }[];
}

const SECTIONS = {
  search: "search",
  vocabularies: "vocabularies",
  models: "models",
  deposit: "deposit",
  help: "help",
  api: "api/docs",
};

interface FrameProps {
  readonly page: PageView;
  readonly look: LookNames;
  /** File name below `/assets`. */
  readonly script: string | undefined;
}

/** File names of the style sheet, the typeface and the icons below `/assets`. */
export interface LookNames {
  readonly sheet: string;
  readonly font: string;
  readonly icon: string;
  readonly oldIcon: string;
}

/** Applies the reader's theme before the page is shown, which a script file could not. The policy has its hash. */
export const THEME_SCRIPT =
  'try{const t=localStorage["bindery-theme"];' +
  "if(/^(light|dark)$/.test(t))document.documentElement.dataset.theme=t}catch{}";

/** Grounds of text in each theme, that of the page first. styles/tokens.css has the same colours. */
export const PAPERS = { light: ["#fcfbf8", "#f4f2ec", "#ffffff"], dark: ["#14181a", "#1d2326", "#0d2224"] } as const;

/** Maximum lengths of title and description in UTF-16 units. Browsers and search engines show even less. */
const TITLE_LENGTH = 300;
const DESCRIPTION_LENGTH = 1_000;

/** HTML document around the content of a page. */
export function Frame({ page, look, script }: FrameProps, { root, site, claim, face }: Place) {
  const title = beginningOfText(page.title, TITLE_LENGTH);
  const description = beginningOfText(
    page.description ?? (page.title === WORDS.service ? claim : `${title} · ${claim}`),
    DESCRIPTION_LENGTH,
  );
  return (
    <html lang={WORDS.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title === WORDS.service ? face.title : `${title} · ${face.title}`}</title>
        <meta name="description" content={description} />
        {page.noindex === true && <meta name="robots" content="noindex" />}
        {Object.entries(PAPERS).map(([theme, [color]]) => (
          <meta key={theme} name="theme-color" media={`(prefers-color-scheme: ${theme})`} content={color} />
        ))}
        <script type="text/javascript" dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        {face.logo === undefined ? (
          <>
            <link rel="icon" sizes="32x32" href={`${root}assets/${look.oldIcon}`} />
            <link rel="icon" type="image/svg+xml" href={`${root}assets/${look.icon}`} />
          </>
        ) : (
          <link rel="icon" href={`${root}assets/${face.logo}`} />
        )}
        <link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href={`${root}assets/${look.font}`} />
        <link rel="stylesheet" href={`${root}assets/${look.sheet}`} />
        {script !== undefined && <script type="module" src={`${root}assets/${script}`} />}
        {page.canonical !== undefined && <link rel="canonical" href={`${site}/${page.canonical}`} />}
        {page.data !== undefined && <link rel="alternate" type="application/json" href={root + page.data} />}
        {page.machine !== undefined && <Machine head={page.machine} />}
      </head>
      <body>
        <a class="skip" href="#content">
          {WORDS.toContent}
        </a>
        {page.hasHits === true && (
          <a class="skip" href="#hits">
            {WORDS.search.toHits}
          </a>
        )}
        {page.hasFilters === true && (
          <a class="skip" href="#filters">
            {WORDS.search.toFilters}
          </a>
        )}
        <Head page={page} />
        <main id="content">
          {page.isBehind === true && <p class="warning">{WORDS.behind}</p>}
          {page.warnings?.map(({ message }) => (
            <p class="warning" key={message}>
              {message}
            </p>
          ))}
          {page.content}
        </main>
        <Foot data={page.data} />
      </body>
    </html>
  );
}

function Machine({ head: { jsonLd, signposts, alternates } }: { readonly head: MachineHead }, { root }: Place) {
  // Browsers do not execute this data block, but the data must not contain the end tag of the element.
  const data = { __html: jsonLd.replaceAll("<", "\\u003c") };
  return (
    <>
      {signposts.map(({ rel, href, type, profile }, i) => (
        <link key={i} rel={rel} href={encodeUri(href)} type={type} profile={profile} />
      ))}
      {alternates.map(({ path, type }) => (
        <link key={path} rel="alternate" type={type} href={root + path} />
      ))}
      <script type="application/ld+json" dangerouslySetInnerHTML={data} />
    </>
  );
}

function Head({ page }: { readonly page: PageView }, { root, face }: Place) {
  const { nav, search } = WORDS;
  const { search: field = { to: "search", label: search.label, placeholder: search.placeholder } } = page;
  return (
    <header class="head">
      <a class="brand" href={root}>
        {face.logo === undefined ? (
          <Mark />
        ) : (
          <img class="logo" src={`${root}assets/${face.logo}`} alt="" height="28" />
        )}
        {face.title}
      </a>
      {field !== "none" && <QueryField id="q" {...field} />}
      <nav aria-label={nav.label}>
        {(Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]).map((section) => (
          <Link key={section} to={SECTIONS[section]} current={page.section === section}>
            {nav[section]}
          </Link>
        ))}
      </nav>
    </header>
  );
}

/** The mark of Bindery: a molecule in the pocket of another. The icon of the pages has the same shapes. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="M12.72 3.08A9.5 9.5 0 1 0 20.92 11.28A5.9 5.9 0 0 1 12.72 3.08z" />
      <circle cx="17.6" cy="6.4" r="4.4" />
    </svg>
  );
}

function Foot({ data }: { readonly data: string | undefined }, { root, site, version, face }: Place) {
  const { foot } = WORDS;
  return (
    <footer class="foot">
      {data !== undefined && (
        <p>
          {foot.asData}:{" "}
          <a href={root + data} rel="nofollow">
            {foot.json}
          </a>{" "}
          · <code class="line">{`curl "${site}/${data}"`}</code>
        </p>
      )}
      {(face.pages.length > 0 || face.contact !== undefined) && (
        <ul class="inline">
          {face.pages.map(({ name, title }) => (
            <li key={name}>
              <Link to={sitePageAddress(name)}>{title}</Link>
            </li>
          ))}
          {face.contact !== undefined && (
            <li>
              <a href={contactHref(face.contact)}>{foot.contact(face.contact.name)}</a>
            </li>
          )}
        </ul>
      )}
      <p>
        {foot.software(version)} <theme-choice />
      </p>
    </footer>
  );
}
