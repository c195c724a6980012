import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../core/actor.js";
import type { Field } from "../../core/catalog/field-tree.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { DataPart } from "../../core/feed/feed.js";
import { LARGE_RECORD_LENGTH } from "../../core/limits.js";
import { warnUnknownParameters } from "../../http/parameters/parameter-reader.js";
import { API_TYPES } from "../../http/parameters/request-headers.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import type { Services } from "../../services/use-cases.js";
import type { PageView } from "../parts/frame.js";
import type { MakeHitView } from "../views/hit-view.js";
import { address, pairsOfApi } from "../views/page-addresses.js";
import { type PageDocument, redirect, renderPage, rootOf, type Site, sendPage, takesPage } from "./render.js";

/** Dependencies of page routes. */
export interface PageOptions extends PageSources {
  /** Makes a page of large records on another thread. */
  readonly makeLargePage: (request: FastifyRequest, reply: FastifyReply, job: LargePageJob) => Promise<LargePageAnswer>;
}

/** Sources of the content of pages. */
export interface PageSources {
  readonly services: Services;
  readonly catalog: Catalog;
  /** Returns the field tree of a model. */
  readonly fieldsOf: (model: Model) => Field;
  readonly hitView: MakeHitView;
  readonly site: Site;
}

/** Data formats of pages whose data are only available as JSON. */
export const JSON_ONLY: readonly string[] = API_TYPES;

/** Request for a page. */
export interface PageRequest {
  readonly actor: Actor;
  /** Parameters in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Path without slashes at its beginning and end, and without the query. */
  readonly path: string;
  /** The raw query with its question mark, or "". */
  readonly search: string;
  /** Whether this thread may make a page of large records, because it blocks no other request. */
  readonly mayBeLarge: boolean;
}

/** Pages that may contain large records. */
export type LargePageName = "record" | "versions" | "comparison";

/** Error that moves the making of a page of large records to another thread. */
class LargePageError extends Error {
  constructor(
    readonly page: LargePageName,
    readonly request: PageRequest,
  ) {
    super("This page is made of large records.");
  }
}

/** Checks before parsing whether this thread may make a page of these records. @throws LargePageError if not */
export function leaveLargePage(
  page: LargePageName,
  request: PageRequest,
  records: readonly { readonly json: string }[],
): void {
  if (request.mayBeLarge) return;
  const length = records.reduce((sum, { json }) => sum + json.length, 0);
  if (length > LARGE_RECORD_LENGTH) throw new LargePageError(page, request);
}

/** Job to make a large page on another thread. */
export interface LargePageJob {
  readonly page: LargePageName;
  readonly request: PageRequest;
  /** Relative address of the service's root. */
  readonly root: string;
  readonly site: Site;
}

/** A rendered large page, or a redirection. */
export type LargePageAnswer =
  | PageRedirect
  | (PageDocument & Pick<PageView, "parts"> & { readonly links?: string | undefined });

/** Redirection to another page. */
export interface PageRedirect {
  readonly status: 301 | 302;
  /** Address relative to the root. */
  readonly to: string;
}

interface PageRoute {
  readonly url: string;
  /** Whether the page counts as a search and waits in the queue of searches. */
  readonly isSearch?: boolean;
  /** Whether the page is always the same without parameters. It is then rendered once. */
  readonly isFixed?: boolean;
  /** Media types in which the API has the same data, at the same address below `/api`. */
  readonly data?: readonly string[];
  /** Returns the path of the data relative to the root, if it is not the same address below `/api`. */
  readonly dataAt?: (request: PageRequest) => Promise<string>;
  readonly make: (request: PageRequest) => PageView | PageRedirect | Promise<PageView | PageRedirect>;
}

/**
 * Adds a page. Clients that prefer data to a page are redirected to the API.
 *
 * @param page.make throws the errors of the services, which are shown as pages
 */
export function addPage(app: FastifyInstance, { site, makeLargePage }: PageOptions, page: PageRoute): void {
  const { isFixed = false, isSearch = false, data = [] } = page;
  const produces = ["text/html", ...data];
  const config = { produces, isKept: true, effort: isSearch ? ("search" as const) : undefined };
  // A fixed page differs between its addresses only by the relative address of the root.
  const fixedPages = new Map<string, PageDocument>();
  app.get(page.url, { config, schema: { hide: true } }, async (request, reply) => {
    const pageRequest = readRequest(request);
    if (!takesPage(request, data)) {
      const to = page.dataAt === undefined ? `api/${pageRequest.path}` : await page.dataAt(pageRequest);
      const pairs = [...pageRequest.query].flatMap(([name, values]) => values.map((value) => [name, value] as const));
      return redirect(request, reply, 303, address(to, pairsOfApi(pairs)));
    }
    const root = rootOf(request);
    const fixedPage = pageRequest.query.size === 0 ? fixedPages.get(root) : undefined;
    if (fixedPage !== undefined) return sendPage(request, reply, fixedPage);
    const answer = await makeAnswer(page, pageRequest, root, site).catch((error: unknown) => {
      if (!(error instanceof LargePageError)) throw error;
      const job = { page: error.page, request: { ...error.request, mayBeLarge: true }, root, site };
      return makeLargePage(request, reply, job);
    });
    if ("to" in answer) return redirect(request, reply, answer.status, answer.to);
    if (isFixed && pageRequest.query.size === 0) fixedPages.set(root, answer);
    return sendPage(request, reply, answer);
  });
}

/** Parameters that newsletters and social networks add to the addresses of pages. */
const CAMPAIGN = /^(?:utm_[a-z_]+|fbclid|gclid|mc_[a-z]+)$/;

/** Makes a page and renders it. @throws LargePageError, and the errors of the services */
export async function makeAnswer(
  { make }: Pick<PageRoute, "make">,
  request: PageRequest,
  root: string,
  site: Site,
): Promise<LargePageAnswer> {
  const view = await make(request);
  if ("to" in view) return view;
  const { parts, machine, parameters = [], warnings = [] } = view;
  const query = new Map([...request.query].filter(([name]) => !CAMPAIGN.test(name)));
  const unknown = parameters === "any" ? [] : warnUnknownParameters(query, parameters);
  return {
    ...renderPage(site, root, { ...view, warnings: [...unknown, ...warnings] }),
    parts,
    links: machine?.links,
  };
}

/** Returns the public data that a page of these searches depends on. Empty if the page may change without them. */
export function publicParts(
  parts: readonly DataPart[],
  ...searches: readonly { readonly isUnsettled?: boolean; readonly behind?: number | undefined }[]
): Pick<PageView, "parts" | "isBehind"> {
  if (searches.some(({ behind }) => behind !== undefined)) return { isBehind: true };
  return searches.some(({ isUnsettled }) => isUnsettled === true) ? {} : { parts };
}

function readRequest(request: FastifyRequest): PageRequest {
  const [path = "", ...search] = request.url.split(/(?=\?)/);
  return {
    actor: request.actor,
    params: request.params as Record<string, string>,
    query: request.query as Query,
    path: path.replace(/^\/|\/$/g, ""),
    search: search.join(""),
    mayBeLarge: false,
  };
}
