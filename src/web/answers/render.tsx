import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { renderToString } from "preact-render-to-string";
import { type PublicAddress, siteOf } from "../../http/answers/links.js";
import { asBuffer, sendKeepable } from "../../http/answers/reply.js";
import { contentETag, preferredType } from "../../http/parameters/request-headers.js";
import { Frame, type LookNames, type PageView, THEME_SCRIPT } from "../parts/frame.js";
import { type Face, type Place, rootFrom } from "../parts/place.js";

/** Properties of the installation that all pages show or load. */
export interface Site {
  readonly address: PublicAddress;
  readonly version: string;
  /** Description of the service in one line. */
  readonly claim: string;
  readonly look: LookNames;
  readonly face: Face;
  /** File names of scripts below `/assets`, by purpose. */
  readonly scripts: ReadonlyMap<string, string>;
}

/** Characters that HTML does not allow. A query in an address may have them, and the page repeats it. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n\r]/gu;

/**
 * Headers of pages. The content security policy allows only resources and requests of this service, the script that
 * applies the theme, text as markup only through the `bindery` policy of the scripts, and no frames in other sites.
 */
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash("sha256").update(THEME_SCRIPT).digest("base64")}'`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types bindery",
  ].join("; "),
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

/** A rendered page with its ETag. */
export interface PageDocument {
  readonly body: Uint8Array;
  readonly etag: string;
}

/** Sends a page, or 304 if the client has it, with headers for caches. `links` is the value of the `Link` header. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, parts, links = "" }: PageDocument & Pick<PageView, "parts"> & { readonly links?: string | undefined },
): FastifyReply {
  return sendKeepable(request, reply, { body, etag, headers: PAGE_HEADERS, isNegotiated: true, parts, link: links });
}

/** Sends a page that explains an error. */
export function sendErrorPage(reply: FastifyReply, { body }: PageDocument): FastifyReply {
  addVary(reply);
  return reply.headers(PAGE_HEADERS).send(asBuffer(body));
}

/** Adds `accept` to the `Vary` header, which CORS and compression set, too. */
function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? "accept" : `${String(vary)}, accept`);
}

/** Renders a page. @param root relative address of the service's root, from `rootOf` */
export function renderPage(
  { address, version, claim, look, face, scripts }: Site,
  root: string,
  page: PageView,
): PageDocument {
  const place: Place = { root, version, claim, site: siteOf(address).url, face };
  const document = <Frame page={page} look={look} script={scripts.get(page.script ?? "page")} />;
  // Encodes the text once. Hashing, measuring and sending a string would encode it each time.
  const markup = renderToString(document, place).replaceAll(CONTROL_CHARACTERS, "\ufffd");
  const body = Buffer.from(`<!doctype html>${markup}`);
  return { body, etag: contentETag(body) };
}

/** Returns the relative address of the service's root, as seen from the address of a request. */
export const rootOf = ({ url }: Pick<FastifyRequest, "url">): string => rootFrom(url.split("?", 1)[0]!);

/** Returns whether a client accepts a page with at least the same preference as data of these types. */
export const takesPage = ({ headers }: Pick<FastifyRequest, "headers">, data: readonly string[]): boolean =>
  preferredType(headers.accept, [PAGE, ...data]) === PAGE;

/** Returns whether a client prefers a page to data. */
export const prefersPage = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  preferredType(headers.accept, [DATA, PAGE]) === PAGE;

const PAGE = "text/html";
const DATA = "application/json";

/** Redirects to an address relative to the root of the service. */
export function redirect(request: FastifyRequest, reply: FastifyReply, status: 301 | 302 | 303, to: string) {
  addVary(reply);
  reply
    .code(status)
    .header("location", rootOf(request) + to)
    .header("cache-control", "public, no-cache");
  return reply.send();
}
