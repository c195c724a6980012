import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Actor } from "../../core/actor.js";
import type { Field } from "../../core/catalog/field-tree.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { PublicPart } from "../../core/feed/public-parts.js";
import { API_TYPES } from "../../http/parameters/accept.js";
import type { Query } from "../../http/parameters/query-string.js";
import type { Services } from "../../services/api/services.js";
import type { PageView } from "../parts/frame.js";
import type { HitViews } from "../views/hit-view.js";
import { address } from "../views/paths.js";
import { pairsOfApi } from "../views/view-parameters.js";
import { type PageDocument, redirect, renderPage, rootOf, type Site, sendPage, takesPage } from "./render.js";

/** What pages are made with. */
export interface PageOptions {
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
}

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
export function addPage(app: FastifyInstance, { site }: PageOptions, page: PageRoute): void {
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
    const made = await page.make(asked);
    if ("to" in made) return redirect(request, reply, made.status, made.to);
    const document = renderPage(site, root, made);
    if (isFixed) kept.set(root, document);
    return sendPage(request, reply, document, made);
  });
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
  };
}
