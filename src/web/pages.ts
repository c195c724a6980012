import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Caches, makeCaches } from "../core/caches.js";
import { fieldTree } from "../core/catalog/field-tree.js";
import type { Catalog, Model } from "../core/catalog/types.js";
import { cacheByName } from "../core/collections.js";
import { LIMITS } from "../core/limits.js";
import type { PublicAddress } from "../http/answers/links.js";
import type { RunLarge } from "../http/answers/reply.js";
import { logFailure, problemHeaders, problemOf, sendProblem, toBinderyError } from "../http/answers/send-problem.js";
import { encodeSegment } from "../http/parameters/url-encoding.js";
import type { Services } from "../services/use-cases.js";
import { addPage, type PageOptions } from "./answers/page-route.js";
import { prefersPage, renderPage, rootOf, type Site, sendErrorPage } from "./answers/render.js";
import { type Look, readDoc, readLook, readScripts } from "./assets.js";
import { largePages, type MakeLargePage } from "./large-pages.js";
import { addSitePages, dressPages, type OperatorSite } from "./operator-site.js";
import { docsPage, type OpenApi } from "./pages/docs-page.js";
import { errorPage } from "./pages/error-page.js";
import type { LookNames } from "./parts/frame.js";
import { addComparePage } from "./routes/comparison-route.js";
import { addMoleculePage } from "./routes/molecule-routes.js";
import { addRecordPages } from "./routes/record-routes.js";
import { addSearchPages } from "./routes/search-routes.js";
import { addHelpPages, addModelPages, addStartPages } from "./routes/start-routes.js";
import { addTermPages } from "./routes/term-routes.js";
import { makeHitViews } from "./views/hit-view.js";
import { WORDS } from "./words/page-en.js";

interface WebOptions {
  readonly services: Services;
  readonly catalog: Catalog;
  /** Address at which clients reach the service. */
  readonly address: PublicAddress;
  /** Version of the package. */
  readonly version: string;
  readonly runLarge: RunLarge;
  /** Caches of this thread. Default: those of a program without settings. */
  readonly caches?: Caches;
  /** Look and pages of the operator. Absent: the look of Bindery. */
  readonly operatorSite?: OperatorSite | undefined;
  /** Makes large pages on another thread. Absent: this thread makes them. */
  readonly makeLargePage?: MakeLargePage;
}

/** Adds the pages for people. The address of a page is the address of its data in the API without `/api`. */
export async function webPages(
  app: FastifyInstance,
  { services, catalog, address, version, runLarge, caches = makeCaches(), ...options }: WebOptions,
): Promise<void> {
  const { makeLargePage = largePages(services, catalog, caches) } = options;
  const plainLook = readLook();
  const { face, sheet, logo } = dressPages(plainLook, options.operatorSite);
  const look = { ...plainLook, sheet };
  const scripts = readScripts();
  const scriptNames = new Map([...scripts].map(([name, script]) => [name, script.name]));
  const techniques = [...catalog.models.values()].map(({ shortTitle }) => shortTitle).toSorted();
  const claim = options.operatorSite?.description ?? WORDS.claim(techniques);
  const site = { address, version, claim, look: namesOf(look), face, scripts: scriptNames };
  const getFieldTree = cacheByName(({ schema }: Model) => fieldTree(schema));
  const pageOptions: PageOptions = {
    services,
    catalog,
    site,
    fieldsOf: getFieldTree,
    hitView: makeHitViews({ catalog, fieldsOf: getFieldTree }, caches),
    makeLargePage: (request, reply, job) => runLarge(request, reply, () => makeLargePage(job)),
  };
  addErrorPages(app, site);
  addStartPages(app, pageOptions);
  addHelpPages(app, pageOptions, readDoc);
  if (options.operatorSite !== undefined) addSitePages(app, pageOptions, options.operatorSite);
  addSearchPages(app, pageOptions);
  addRecordPages(app, pageOptions);
  addComparePage(app, pageOptions);
  addMoleculePage(app, pageOptions);
  addTermPages(app, pageOptions);
  addModelPages(app, pageOptions);
  addPage(app, pageOptions, {
    url: "/api/docs",
    isFixed: true,
    make: () => docsPage(app.swagger() as unknown as OpenApi),
  });

  const file = { config: { produces: "any" as const, effort: "none" as const }, schema: { hide: true } };
  for (const asset of [...Object.values(look), ...(logo === undefined ? [] : [logo]), ...scripts.values()]) {
    app.get(`/assets/${asset.name}`, file, (_request, reply) =>
      reply
        .header("content-type", asset.type)
        .header("cache-control", "public, max-age=31536000, immutable")
        // A picture that is opened by its address is a document of this site.
        .headers(asset.type === "image/svg+xml" ? { "content-security-policy": PICTURE_POLICY } : {})
        .send(asset.body),
    );
  }
  // Some programs ask for it without having read a page.
  app.get("/favicon.ico", file, (_request, reply) =>
    reply
      .header("content-type", (logo ?? look.oldIcon).type)
      .header("cache-control", "public, max-age=86400")
      .send((logo ?? look.oldIcon).body),
  );
  app.get("/robots.txt", file, (_request, reply) =>
    reply.header("content-type", "text/plain; charset=utf-8").header("cache-control", "public, no-cache").send(ROBOTS),
  );
}

/** Content security policy of pictures: nothing runs or is loaded. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Returns the file names of a look. */
const namesOf = ({ sheet, font, icon, oldIcon }: Look): LookNames => ({
  sheet: sheet.name,
  font: font.name,
  icon: icon.name,
  oldIcon: oldIcon.name,
});

/** Allows crawlers to read records, terms, models, and searches and trees without parameters. */
const ROBOTS = `User-agent: *
Disallow: /*?
Allow: /vocabularies/*?view=tree$
Disallow: /compare
Disallow: /api/
Allow: /api/docs
`;

/** Sends errors as pages to clients that prefer pages, except at the paths of the API and of health checks. */
function addErrorPages(app: FastifyInstance, site: Site): void {
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (!prefersPage(request) || !isPagePath(request.url)) return sendProblem(error, request, reply);
    const failure = toBinderyError(error, request);
    logFailure(request, failure, error);
    request.failure = failure;
    const { status, message, errors, tombstone } = problemOf(failure, request.id);
    const { "content-type": _json, ...headers } = problemHeaders(failure);
    // The address may have the id of a record in place of a model.
    const { model, id = model } = request.params as { readonly model?: string; readonly id?: string };
    reply.code(status).headers(headers);
    const page = errorPage({
      status,
      message,
      requestId: request.id,
      tombstone,
      // The message of an error with one issue already contains it.
      issues: errors.flatMap(({ messages }) => messages).filter((text) => !message.includes(text)),
      // The page offers to search for the id.
      near: errors.flatMap(({ nearest = [] }) => nearest.flatMap((each) => nearOf(String(each), request) ?? [])),
      id: status === 404 && id !== undefined && id.length <= LIMITS.termIdLengthMax ? id : undefined,
    });
    return sendErrorPage(reply, renderPage(site, rootOf(request), page));
  };
  app.setErrorHandler(sendError);
  // Gives unknown paths this error handler. An earlier check has already refused them.
  app.setNotFoundHandler(() => undefined);
}

/** Returns the page with a similar id in place of that at the end of the path. */
function nearOf(id: string, { url, params }: FastifyRequest): { readonly id: string; readonly to: string } | undefined {
  const [path = ""] = url.split("?");
  const end = path.replace(/\/$/, "").lastIndexOf("/");
  const { id: requested } = params as { readonly id?: string };
  if (requested === undefined || decodeURIComponent(path.slice(end + 1).replace(/\/$/, "")) !== requested)
    return undefined;
  return { id, to: `${path.slice(1, end + 1)}${encodeSegment(id)}` };
}

const isPagePath = (url: string): boolean => !/^\/(api|healthz|readyz|metrics)(\/|\?|$)/.test(url);
