import type { FastifyReply, FastifyRequest } from "fastify";
import { renderToString } from "preact-render-to-string";
import { type PublicAddress, siteOf } from "../../http/answers/links.js";
import { asBuffer, sendPublic } from "../../http/answers/reply.js";
import { preferredType } from "../../http/parameters/accept.js";
import { contentETag } from "../../http/parameters/conditions.js";
import { Frame, type PageView } from "../parts/frame.js";
import { type Place, rootFrom } from "../parts/place.js";

/** What rendering a page needs beside the page. */
export interface Site {
  readonly address: PublicAddress;
  readonly version: string;
  /** Its name below `/assets`. */
  readonly styleSheet: string;
  /** Scripts by what they are for; their names below `/assets`. */
  readonly scripts: ReadonlyMap<string, string>;
}

/**
 * What a page may load and do: its style sheet, its script and pictures from here, and the script asks only this
 * service. Nothing is loaded from elsewhere, no text becomes markup but by the one policy of the scripts, and no other
 * site frames it.
 */
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
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

/** The document of a page as it is sent, and the tag of its content. */
export interface PageDocument {
  readonly body: Uint8Array;
  readonly etag: string;
}

/** Sends a page, or 304 where the client has it, and lets it be kept. @param page.links its `Link` header */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, parts, links = "" }: PageDocument & Pick<PageView, "parts"> & { readonly links?: string },
): FastifyReply {
  return sendPublic(request, reply, { body, etag, headers: PAGE_HEADERS, isNegotiated: true, parts, link: links });
}

/** Sends a page that says why there is no other one. */
export function sendErrorPage(reply: FastifyReply, { body }: PageDocument): FastifyReply {
  addVary(reply);
  return reply.headers(PAGE_HEADERS).send(asBuffer(body));
}

/** Whatever was said before (CORS and compression have a say in it, too). */
function addVary(reply: FastifyReply): void {
  const before = reply.getHeader("vary");
  reply.header("vary", before === undefined ? "accept" : `${String(before)}, accept`);
}

/** The document of a page. @param root the way to the root of the service, as `rootOf` says it */
export function renderPage(
  { address, version, styleSheet, scripts }: Site,
  root: string,
  page: PageView,
): PageDocument {
  const place: Place = { root, version, site: siteOf(address).url };
  const document = <Frame page={page} styleSheet={styleSheet} script={scripts.get(page.script ?? "page")} />;
  // Encoded once: what is hashed, measured and sent as a text is encoded each time.
  const body = Buffer.from(`<!doctype html>${renderToString(document, place)}`);
  return { body, etag: contentETag(body) };
}

/** The way to the root from the address of a request. */
export const rootOf = ({ url }: Pick<FastifyRequest, "url">): string => rootFrom(url.split("?", 1)[0]!);

/** Does a client like a page as well as data of these types, or better? */
export const takesPage = ({ headers }: Pick<FastifyRequest, "headers">, data: readonly string[]): boolean =>
  preferredType(headers.accept, [PAGE, ...data]) === PAGE;

/** Does a client like a page better than data? */
export const prefersPage = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  preferredType(headers.accept, [DATA, PAGE]) === PAGE;

const PAGE = "text/html";
const DATA = "application/json";

/** To an address below the root, wherever the service stands. */
export function redirect(request: FastifyRequest, reply: FastifyReply, status: 301 | 302 | 303, to: string) {
  addVary(reply);
  reply
    .code(status)
    .header("location", rootOf(request) + to)
    .header("cache-control", "public, no-cache");
  return reply.send();
}
