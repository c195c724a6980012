import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ANONYMOUS } from "../core/actor.js";
import type { Catalog } from "../core/catalog/types.js";
import type { Services } from "../services/api/services.js";
import type { VocabularyHit } from "../services/api/vocabulary-services.js";
import { docsPage, type OpenApi } from "./docs.js";
import { type ExampleTerm, homePage } from "./home.js";
import { PAGE_POLICY, rootFrom } from "./layout.js";

export interface PageOptions {
  readonly services: Services;
  readonly catalog: Catalog;
  /** Of the package. */
  readonly version: string;
}

/** Pages for people, rendered on the server, without scripts: `/` and `/api/docs`. */
export async function webPages(app: FastifyInstance, { services, catalog, version }: PageOptions): Promise<void> {
  const route = { config: { produces: ["text/html"] }, schema: { hide: true } };

  app.get("/", route, async (request, reply) => {
    const vocabularies = await services.listVocabularies();
    const [counts, example] = await Promise.all([countRecords(services, catalog), findExample(services, vocabularies)]);
    return sendPage(
      reply,
      homePage({ place: { root: rootOf(request), version }, catalog, counts, vocabularies, example }),
    );
  });

  // Made at the start: it takes a while, and never changes. With a slash at the end the root is one step farther up.
  const docs = new Map<string, string>();
  app.addHook("onReady", async () => {
    const document = app.swagger() as unknown as OpenApi;
    for (const root of ["/api/docs", "/api/docs/"].map(rootFrom)) docs.set(root, docsPage(document, root));
  });
  app.get("/api/docs", route, async (request, reply) => sendPage(reply, docs.get(rootOf(request))!));
}

const rootOf = ({ url }: FastifyRequest): string => rootFrom(url.split("?", 1)[0]!);

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header("content-type", "text/html; charset=utf-8")
    .header("content-security-policy", PAGE_POLICY)
    .header("cache-control", "public, no-cache")
    .send(page);
}

const FIRST = { window: { page: 1, size: 1 }, filters: {}, facetSize: 0, lang: "en" };

async function countRecords(services: Services, catalog: Catalog): Promise<ReadonlyMap<string, number>> {
  const counts = [...catalog.models.keys()].map(async (model) => {
    const { total } = await services.searchRecords(ANONYMOUS, { ...FIRST, model, own: false });
    return [model, total] as const;
  });
  return new Map(await Promise.all(counts));
}

/** The first item of the largest vocabulary. */
async function findExample(
  services: Services,
  vocabularies: readonly VocabularyHit[],
): Promise<ExampleTerm | undefined> {
  const largest = vocabularies.toSorted((a, b) => b.count - a.count)[0];
  if (largest === undefined || largest.count === 0) return undefined;
  const { hits } = await services.searchTerms(ANONYMOUS, { ...FIRST, vocabulary: largest.id });
  const [term] = hits;
  if (term === undefined) return undefined;
  const { title } = JSON.parse(term.json) as { title: Record<string, string> };
  return { vocabulary: largest.id, id: term.id, title: title.en ?? Object.values(title)[0] ?? term.id };
}
