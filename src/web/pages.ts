import type { FastifyInstance } from "fastify";
import { fieldTree } from "../core/catalog/field-tree.js";
import type { Catalog, Model } from "../core/catalog/types.js";
import { cacheByName } from "../core/collections.js";
import type { PublicAddress } from "../http/answers/links.js";
import type { RunLarge } from "../http/answers/reply.js";
import type { Services } from "../services/api/services.js";
import { addErrorPages } from "./answers/error-pages.js";
import { addPage, type PageOptions } from "./answers/page-route.js";
import { readScripts, readStyleSheet } from "./assets.js";
import { largePages, type MakeLargePage } from "./large-pages.js";
import { docsPage } from "./pages/docs-page.js";
import { addComparePage } from "./routes/comparison-route.js";
import { addModelPages } from "./routes/model-routes.js";
import { addRecordPages } from "./routes/record-routes.js";
import { addSearchPages } from "./routes/search-routes.js";
import { addStartPages } from "./routes/start-route.js";
import { addTermPages } from "./routes/term-routes.js";
import type { OpenApi } from "./views/api-document.js";
import { makeHitViews } from "./views/hit-view.js";

interface WebOptions {
  readonly services: Services;
  readonly catalog: Catalog;
  /** Where clients reach the service. */
  readonly address: PublicAddress;
  /** Of the package. */
  readonly version: string;
  readonly runLarge: RunLarge;
  /** Absent: large pages are made here. */
  readonly makeLargePage?: MakeLargePage;
}

/** Pages for people, rendered on the server: a page's address is that of the API without `/api`. */
export async function webPages(
  app: FastifyInstance,
  { services, catalog, address, version, runLarge, makeLargePage = largePages(services, catalog) }: WebOptions,
): Promise<void> {
  const [sheet, scripts] = [readStyleSheet(), readScripts()];
  const scriptNames = new Map([...scripts].map(([name, script]) => [name, script.name]));
  const site = { address, version, styleSheet: sheet.name, scripts: scriptNames };
  const fieldsOf = cacheByName(({ schema }: Model) => fieldTree(schema));
  const options: PageOptions = {
    ...{ services, catalog, site, fieldsOf },
    hitView: makeHitViews({ catalog, fieldsOf }),
    makeLargePage: (request, reply, job) => runLarge(request, reply, () => makeLargePage(job)),
  };
  addErrorPages(app, site);
  addStartPages(app, options);
  addSearchPages(app, options);
  addRecordPages(app, options);
  addComparePage(app, options);
  addTermPages(app, options);
  addModelPages(app, options);
  addPage(app, options, {
    url: "/api/docs",
    isFixed: true,
    make: () => docsPage(app.swagger() as unknown as OpenApi),
  });

  const file = { config: { produces: "any" as const, effort: "none" as const }, schema: { hide: true } };
  for (const asset of [sheet, ...scripts.values()]) {
    app.get(`/assets/${asset.name}`, file, (_request, reply) =>
      reply
        .header("content-type", asset.type)
        .header("cache-control", "public, max-age=31536000, immutable")
        .send(asset.text),
    );
  }
  app.get("/robots.txt", file, (_request, reply) =>
    reply.header("content-type", "text/plain; charset=utf-8").header("cache-control", "public, no-cache").send(ROBOTS),
  );
}

/** Records, terms, models, searches and trees as they begin; not the many ways to ask and to compare, nor the API. */
const ROBOTS = `User-agent: *
Disallow: /*?
Allow: /vocabularies/*?view=tree$
Disallow: /compare
Disallow: /api/
Allow: /api/docs
`;
