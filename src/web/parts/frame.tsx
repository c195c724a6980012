import type { ComponentChildren } from "preact";
import type { PublicPart } from "../../core/feed/feed.js";
import { beginningOfText } from "../../core/records/beginning.js";
import { encodeUri, type TypedLink } from "../../formats/records/signposting.js";
import { WORDS } from "../words/page-en.js";
import { Link } from "./link.js";
import type { Place } from "./place.js";
import { QueryField } from "./query-field.js";

/** A page: what stands in its head, and its content. */
export interface PageView {
  readonly title: string;
  /** For those who list or share the page; by default its title. */
  readonly description?: string;
  /** Path of the address that stands for this page, where it has several. Machines read it: it says where it is. */
  readonly canonical?: string;
  /** Path of the same as data, with its query. */
  readonly data?: string;
  /** What machines read of it. */
  readonly machine?: MachineHead;
  /** Part of the navigation that the page belongs to. */
  readonly section?: keyof typeof SECTIONS;
  /** Does the page have a search field of its own? */
  readonly hasSearch?: boolean;
  /** The script that it runs; absent: the one of most pages. */
  readonly script?: "search";
  /** Is it of no use to crawlers? */
  readonly noindex?: boolean;
  readonly content: ComponentChildren;
  /** What it was made of: as long as this is the same, so is the page. Absent: who knows, and it is not kept. */
  readonly parts?: readonly PublicPart[];
  /** Does it lack the last changes, because the index for searches has not followed them? */
  readonly isBehind?: boolean;
}

/** A page about a record says so to machines, too. */
export interface MachineHead {
  /** A schema.org description. */
  readonly jsonLd: string;
  /** The `Link` header (Signposting, level 1). */
  readonly links: string;
  /** All Signposting links of the page, for clients that do not read its headers. */
  readonly signposts: readonly TypedLink[];
  readonly alternates: readonly { readonly path: string; readonly type: string }[];
}

const SECTIONS = { search: "search", vocabularies: "vocabularies", models: "models", help: "help", api: "api/docs" };

interface FrameProps {
  readonly page: PageView;
  /** Names below `/assets`. */
  readonly styleSheet: string;
  readonly script: string | undefined;
}

/** What browsers and search engines show of them is shorter still; in UTF-16 units. */
const TITLE_LENGTH = 300;
const DESCRIPTION_LENGTH = 1_000;

/** The whole document around a page's content. */
export function Frame({ page, styleSheet, script }: FrameProps, { root, site }: Place) {
  const title = beginningOfText(page.title, TITLE_LENGTH);
  const description = beginningOfText(page.description ?? `${title} · ${WORDS.claim}`, DESCRIPTION_LENGTH);
  return (
    <html lang={WORDS.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title === WORDS.service ? WORDS.service : `${title} · ${WORDS.service}`}</title>
        <meta name="description" content={description} />
        {page.noindex === true && <meta name="robots" content="noindex" />}
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={`${root}assets/${styleSheet}`} />
        {script !== undefined && <script type="module" src={`${root}assets/${script}`} />}
        {page.canonical !== undefined && <link rel="canonical" href={`${site}/${page.canonical}`} />}
        {page.data !== undefined && <link rel="alternate" type="application/json" href={root + page.data} />}
        {page.machine !== undefined && <Machine head={page.machine} />}
      </head>
      <body>
        <a class="skip" href="#content">
          {WORDS.toContent}
        </a>
        <Head page={page} />
        <main id="content">
          {page.isBehind === true && <p class="warning">{WORDS.behind}</p>}
          {page.content}
        </main>
        <Foot data={page.data} />
      </body>
    </html>
  );
}

function Machine({ head: { jsonLd, signposts, alternates } }: { readonly head: MachineHead }, { root }: Place) {
  // A block of data: no browser runs it. Within it nothing may look like the end of the element.
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

function Head({ page }: { readonly page: PageView }, { root }: Place) {
  const { nav, search } = WORDS;
  return (
    <header class="head">
      <a class="brand" href={root}>
        {WORDS.service}
      </a>
      {page.hasSearch !== true && (
        <QueryField id="head-q" to="search" label={search.label} placeholder={search.placeholder} />
      )}
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

function Foot({ data }: { readonly data: string | undefined }, { root, site, version }: Place) {
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
      <p>{foot.software(version)}</p>
    </footer>
  );
}
