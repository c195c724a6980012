import type { FastifyInstance } from "fastify";
import { addPage, type PageOptions } from "./answers/page-route.js";
import { type Asset, assetOf, type Look } from "./assets.js";
import { sitePage } from "./pages/help-pages.js";
import { parseMarkdown } from "./parts/markdown.js";
import { type Contact, type Face, type SitePage, sitePageAddress } from "./parts/place.js";
import { WORDS } from "./words/page-en.js";

/** Checked content of the folder `BINDERY_SITE`: the look and the pages of the operator. */
export interface OperatorSite {
  readonly title: string | undefined;
  /** Description of the service in one line. */
  readonly description: string | undefined;
  /** Colours of links and buttons in each theme: `#0a5a63`. */
  readonly accent: { readonly light: string; readonly dark: string } | undefined;
  readonly logo: { readonly ending: "svg" | "png"; readonly body: Buffer } | undefined;
  readonly contact: Contact | undefined;
  /** Pages in the order of their links. */
  readonly pages: readonly SiteText[];
}

/** A page of the operator with its text in Markdown. */
export interface SiteText extends SitePage {
  readonly text: string;
}

/** The face that all pages show, with the files that they load. */
interface DressedPages {
  readonly face: Face;
  readonly sheet: Asset;
  readonly logo: Asset | undefined;
}

/** Combines the look of Bindery with the site of an operator. */
export function dressPages(look: Look, site: OperatorSite | undefined): DressedPages {
  const { title = WORDS.service, accent, contact, pages = [] } = site ?? {};
  const logo = site?.logo === undefined ? undefined : assetOf("logo", site.logo.ending, site.logo.body);
  const sheet = accent === undefined ? look.sheet : colored(look.sheet, accent);
  // Without the texts, which are not sent to the thread of large pages.
  const links = pages.map((page) => ({ name: page.name, title: page.title }));
  return { face: { title, logo: logo?.name, pages: links, contact }, sheet, logo };
}

/** Adds rules after all layers, which therefore win. */
function colored(sheet: Asset, { light, dark }: NonNullable<OperatorSite["accent"]>): Asset {
  const rules = [
    `--accent: light-dark(${light}, ${dark})`,
    "--bar: color-mix(in srgb, var(--accent) 55%, var(--paper))",
    "--bar-on: var(--accent)",
  ];
  return assetOf("style", "css", Buffer.concat([sheet.body, Buffer.from(`:root { ${rules.join("; ")} }\n`)]));
}

/** Adds the pages of the operator. */
export function addSitePages(app: FastifyInstance, options: PageOptions, site: OperatorSite): void {
  for (const { name, text } of site.pages) {
    const make = () => sitePage(parseMarkdown(text), siteAddress);
    addPage(app, options, { url: `/${sitePageAddress(name)}`, isFixed: true, make });
  }
}

/** Returns the address of a link of a page of the operator: to another of their pages, or to one of the service. */
function siteAddress(href: string): string | undefined {
  if (href.startsWith("/")) return href.slice(1);
  const [, name, anchor = ""] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name === undefined ? undefined : sitePageAddress(name) + anchor;
}
