import { WARNING_REPORTER } from "../core/background.js";
import { makeCaches } from "../core/caches.js";
import { fieldTree } from "../core/catalog/field-tree.js";
import type { Model } from "../core/catalog/types.js";
import { cacheByName } from "../core/collections.js";
import { QUOTAS_DEFAULT, TEXT_LIMITS_DEFAULT } from "../core/limits.js";
import { drawSmiles } from "../formats/structure-svg.js";
import type { Authority, LiveAuthority } from "../ports/authorities.js";
import type { PrepareServices } from "./api/preparation.js";
import { makeRelayServices } from "./changes/webhooks.js";
import type { Deps, Validate } from "./context/deps.js";
import { makeRunWrite } from "./context/run-write.js";
import { makeReadImport } from "./imports/read-import.js";
import { modelSites } from "./input/walk-sites.js";
import { makePrepareWithLookup } from "./lookup/look-up-terms.js";
import { makePrepareRecord } from "./metadata/prepare-record.js";
import { makeValidator } from "./rules/validator.js";
import { makeFindNearTerms } from "./search/near-terms.js";
import { makeOpenResults } from "./streams/open-result.js";
import { type AllServices, type OperatorServices, type Services, USE_CASES } from "./use-cases.js";

/** Functions that derive data from the models of a catalog. */
export type OnDemand = Pick<Deps, "validatorOf" | "getFieldTree" | "sitesOf">;

/**
 * Creates functions that derive data from a model on first use, and cache it. All services over a catalog share them.
 */
export function makeOnDemand(): OnDemand {
  const getFieldTree = cacheByName((model: Model) => fieldTree(model.schema));
  const validatorOf = cacheByName((model: Model): Validate => makeValidator(model, () => getFieldTree(model)));
  return { getFieldTree, validatorOf, sitesOf: cacheByName(modelSites) };
}

/**
 * Length up to which bodies are prepared in the writer thread, in UTF-16 units. Longer ones would block it too long.
 */
const PREPARED_HERE_MAX = 64 * 1024;

/** Default of `searchTimeoutMs`, for services that are made without settings. */
const SEARCH_TIMEOUT_MS = 2_000;

/** Dependencies with a default. */
type Optional = Pick<
  Deps,
  "draw" | "background" | "caches" | "authorities" | "live" | "textLimits" | "quotas" | "searchTimeoutMs"
>;

/** The dependencies that the caller provides. */
type Parts = Omit<Deps, keyof OnDemand | "runWrite" | "prepare" | "findNearTerms" | keyof Optional> &
  Partial<OnDemand & Optional> & {
    /** Prepares long bodies on another thread; absent: they are prepared on this thread. */
    readonly prepareElsewhere?: PrepareServices["prepareRecord"] | undefined;
  };

function makeDeps(parts: Parts): Deps {
  const base = {
    background: WARNING_REPORTER,
    caches: makeCaches(),
    draw: drawSmiles,
    textLimits: TEXT_LIMITS_DEFAULT,
    quotas: QUOTAS_DEFAULT,
    searchTimeoutMs: SEARCH_TIMEOUT_MS,
    authorities: new Map<string, Authority>(),
    live: new Map<string, LiveAuthority>(),
    findNearTerms: makeFindNearTerms(parts),
    ...makeOnDemand(),
    ...parts,
  };
  const here = makePrepareRecord(base);
  const elsewhere = parts.prepareElsewhere ?? here;
  const prepare: Deps["prepare"] = (job) => (job.text.length > PREPARED_HERE_MAX ? elsewhere(job) : here(job));
  const deps = { ...base, prepare, runWrite: makeRunWrite(parts.store) };
  return deps.live.size === 0 ? deps : { ...deps, prepare: makePrepareWithLookup(deps) };
}

/** Creates all use cases over one store and index. Nothing is compiled or read before it is needed. */
export function makeServices(parts: Parts): AllServices {
  const deps = makeDeps(parts);
  const runs = Object.fromEntries(Object.entries(USE_CASES).map(([name, { make }]) => [name, make(deps)]));
  return {
    ...(runs as unknown as Services & OperatorServices),
    ...makeOpenResults(deps),
    ...makeRelayServices(deps.store),
    ...makeReadImport(deps),
    prepareRecord: makePrepareRecord(deps),
  };
}
