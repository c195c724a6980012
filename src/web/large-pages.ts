import type { Caches } from "../core/caches.js";
import { fieldTree } from "../core/catalog/field-tree.js";
import type { Catalog, Model } from "../core/catalog/types.js";
import { cacheByName } from "../core/collections.js";
import type { LargeAnswer } from "../services/api/records.js";
import type { Services } from "../services/use-cases.js";
import {
  type LargePageAnswer,
  type LargePageJob,
  type LargePageName,
  makeAnswer,
  type PageRedirect,
  type PageRequest,
  type PageSources,
} from "./answers/page-route.js";
import type { PageView } from "./parts/frame.js";
import { makeComparisonPage } from "./routes/comparison-route.js";
import { recordPageOf, versionsPageOf } from "./routes/record-routes.js";
import { makeHitViews } from "./views/hit-view.js";

type Make = (sources: PageSources, request: PageRequest) => Promise<PageView | PageRedirect>;

const PAGES: Readonly<Record<LargePageName, Make>> = {
  record: recordPageOf,
  versions: versionsPageOf,
  comparison: makeComparisonPage,
};

/** Makes pages that are too large for the HTTP thread. */
export type MakeLargePage = (job: LargePageJob) => Promise<LargePageAnswer & LargeAnswer>;

/** Returns the function that makes large pages. */
export function largePages(services: Services, catalog: Catalog, caches: Caches): MakeLargePage {
  const getFieldTree = cacheByName(({ schema }: Model) => fieldTree(schema));
  const hitView = makeHitViews({ catalog, fieldsOf: getFieldTree }, caches);
  return async ({ page, request, root, site }) => {
    const make = (each: PageRequest) => PAGES[page]({ services, catalog, fieldsOf: getFieldTree, hitView, site }, each);
    const answer = await makeAnswer({ make }, request, root, site);
    // A `Buffer` may share its memory with other buffers. The copy can be transferred to another thread.
    return "to" in answer ? answer : { ...answer, body: new Uint8Array(answer.body) };
  };
}
