import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../core/actor.js";
import type { Field } from "../../core/catalog/field-tree.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { PublicPart } from "../../core/feed/feed.js";
import { LARGE_LENGTH } from "../../core/limits.js";
import { API_TYPES } from "../../http/parameters/accept.js";
import type { Query } from "../../http/parameters/query-string.js";
import type { Services } from "../../services/api/services.js";
import type { PageView } from "../parts/frame.js";
import type { HitViews } from "../views/hit-view.js";
import { address } from "../views/paths.js";
import { pairsOfApi } from "../views/view-parameters.js";
import { type PageDocument, redirect, renderPage, rootOf, type Site, sendPage, takesPage } from "./render.js";

/** What pages are made with. */
export interface PageOptions extends PageSources {
  /** Makes a page of large records where it blocks no other request. */
  readonly makeLargePage: (request: FastifyRequest, reply: FastifyReply, job: LargePageJob) => Promise<LargePageAnswer>;
}

/** What the view of a page is made from. */
export interface PageSources {
  readonly services: Services;
  readonly catalog: Catalog;
  /** What a model holds, as a tree of fields. */
  readonly fieldsOf: (model: Model) => Field;
  readonly hitView: HitViews;
  readonly site: Site;
}

/** Of pages whose data are JSON and nothing else. */
export const JSON_ONLY: readonly string[] = API_TYPES;

/** What a page is asked for. */
export interface PageRequest {
  readonly actor: Actor;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Path without its slash at the beginning or the end, and without the query. */
  readonly path: string;
  /** The query as it was sent, with its question mark; "" where there is none. */
  readonly search: string;
  /** May the page be made of large records here, because it blocks no other request? */
  readonly mayBeLarge: boolean;
}

/** The pages that may have to be made of large records. */
export type LargePageName = "record" | "versions" | "comparison";

/** Thrown where a page turns out to be large: it has to be made elsewhere. */
class LargePage extends Error {
  constructor(
    readonly page: LargePageName,
    readonly request: PageRequest,
  ) {
    super("This page is made of large records.");
  }
}

/** Throws if a page is made of large records and may not be made here, before these are parsed. */
export function leaveLargePage(
  page: LargePageName,
  request: PageRequest,
  records: readonly { readonly json: string }[],
): void {
  if (request.mayBeLarge) return;
  const length = records.reduce((sum, { json }) => sum + json.length, 0);
  if (length > LARGE_LENGTH) throw new LargePage(page, request);
}

/** A large page to be made on another thread. */
export interface LargePageJob {
  readonly page: LargePageName;
  readonly request: PageRequest;
  /** The way to the root of the service. */
  readonly root: string;
  readonly site: Site;
}

/** A large page as it is sent, or the address to which it moved. */
export type LargePageAnswer = Move | (PageDocument & Pick<PageView, "parts"> & { readonly links?: string });

/** The page is elsewhere: an address below the root. */
export interface Move {
  readonly status: 301 | 302;
  readonly to: string;
}

interface PageRoute {
  readonly url: string;
  /** Does it count as a search, and wait for its turn as one? */
  readonly isSearch?: boolean;
  /** Is it the same for everybody until the program ends? Then it is rendered once. */
  readonly isFixed?: boolean;
  /** Media types in which the same is there as data, at the same address below `/api`. */
  readonly data?: readonly string[];
  /** Where the data are, below the root, if not at the same address below `/api`. */
  readonly dataAt?: (request: PageRequest) => Promise<string>;
  readonly make: (request: PageRequest) => PageView | Move | Promise<PageView | Move>;
}

/**
 * Adds a page. Who likes data better than a page is led to the address of the API.
 *
 * @param page.make throws the errors of the services, which become pages as well
 */
export function addPage(app: FastifyInstance, { site, makeLargePage }: PageOptions, page: PageRoute): void {
  const { isFixed = false, isSearch = false, data = [] } = page;
  const produces = ["text/html", ...data];
  const config = { produces, isKept: true, ...(isSearch ? { effort: "search" as const } : {}) };
  // By what differs between the addresses of a fixed page: its way to the root.
  const kept = new Map<string, PageDocument>();
  app.get(page.url, { config, schema: { hide: true } }, async (request, reply) => {
    const asked = readRequest(request);
    if (!takesPage(request, data)) {
      const to = page.dataAt === undefined ? `api/${asked.path}` : await page.dataAt(asked);
      const pairs = [...asked.query].flatMap(([name, values]) => values.map((value) => [name, value] as const));
      return redirect(request, reply, 303, address(to, pairsOfApi(pairs)));
    }
    const root = rootOf(request);
    const known = kept.get(root);
    if (known !== undefined) return sendPage(request, reply, known);
    const answer = await makeAnswer(page, asked, root, site).catch((error: unknown) => {
      if (!(error instanceof LargePage)) throw error;
      const job = { page: error.page, request: { ...error.request, mayBeLarge: true }, root, site };
      return makeLargePage(request, reply, job);
    });
    if ("to" in answer) return redirect(request, reply, answer.status, answer.to);
    if (isFixed) kept.set(root, answer);
    return sendPage(request, reply, answer);
  });
}

/** Makes a page and renders it. @throws LargePage; the errors of the services */
export async function makeAnswer(
  { make }: Pick<PageRoute, "make">,
  request: PageRequest,
  root: string,
  site: Site,
): Promise<LargePageAnswer> {
  const view = await make(request);
  if ("to" in view) return view;
  const { parts, machine } = view;
  return {
    ...renderPage(site, root, view),
    ...(parts === undefined ? {} : { parts }),
    ...(machine === undefined ? {} : { links: machine.links }),
  };
}

/** The parts of a page that these searches are shown on; none where one of them tells more than what is public. */
export function partsOf(
  parts: readonly PublicPart[],
  ...searches: readonly { readonly isUnsettled?: boolean; readonly behind?: number }[]
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
