import { createHash } from "node:crypto";
import { type Html, html } from "./html.js";

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --paper: #fff; --tint: #f3f5f7;
  --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a3adb8; --line: #3b434c; --paper: #15191e;
  --tint: #20262d; --link: #7fb8f5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
main { padding-bottom: 2rem; }
footer { border-top: 1px solid var(--line); padding-top: 1rem; padding-bottom: 2rem; color: var(--soft); }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.35rem; margin: 2.2rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 1.8rem 0 .3rem; overflow-wrap: anywhere; }
p { max-width: 44rem; }
a { color: var(--link); }
a:focus-visible, input:focus-visible, button:focus-visible, summary:focus-visible, pre:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font: .9rem/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: .7rem; overflow-x: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.soft { color: var(--soft); }
.method { font-weight: 700; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: .8rem 0; }
input, button { font: inherit; padding: .45rem .7rem; border: 1px solid var(--soft); border-radius: 6px;
  background: var(--paper); color: var(--ink); }
input { flex: 1 1 14rem; min-width: 0; }
label { flex-basis: 100%; }
button { background: var(--link); border-color: var(--link); color: var(--paper); cursor: pointer; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .3rem .6rem; }
`;

/**
 * The `Content-Security-Policy` of a page: its own style sheet and nothing else. Nothing is loaded, so pages work
 * offline.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** What every page needs to know. */
export interface Place {
  /**
   * Where the service's root is, seen from the page: `./`, `../`, ... Every link and form of a page begins with it, so
   * that pages work at whatever host, port and path they are opened.
   */
  readonly root: string;
  /** Of the package. */
  readonly version: string;
}

/** The `root` of a page that is opened at this path: as many steps up as it has slashes after the first. */
export function rootFrom(path: string): string {
  return "../".repeat(path.split("/").length - 2) || "./";
}

/** A whole page. */
export function layout({ title, body, place }: { title: string; body: Html; place: Place }): string {
  const { root, version } = place;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ markup: STYLE }}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<nav aria-label="Site"><a href="${root}">Bindery</a> &middot; <a href="${root}api/docs">API</a> &middot;
<a href="${root}api/openapi.json">OpenAPI</a></nav>
</header>
<main id="content">
${body}
</main>
<footer>Bindery ${version}, a repository of research data. The API returns JSON with links.</footer>
</body>
</html>
`;
  return page.markup;
}
