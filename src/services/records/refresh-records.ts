import { OPERATOR } from "../../core/actor.js";
import { BinderyError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import {
  headOf,
  type RawJson,
  type RecordBody,
  type RecordHead,
  type StoredRecord,
  storedBody,
} from "../../core/record.js";
import { asCited } from "../../core/records/as-cited.js";
import type { RecordScope } from "../../ports/search-index.js";
import { isStale } from "../../query/index-model/stale-citations.js";
import type { SortKey } from "../../query/ranking/sort-keys.js";
import type { RefreshOperatorServices, RefreshSummary } from "../api/refresh-services.js";
import type { Deps } from "../context/deps.js";
import { findModel, findVocabulary } from "../context/find-model.js";
import type { Current } from "../metadata/prepare-record.js";
import { prepareStored } from "../metadata/prepare-stored.js";
import { citedTermsOf } from "../metadata/term-references.js";
import { targetOf, withMetadata } from "./record-body.js";

/** Records that are read together; each is gone from the stale ones once it is refreshed. */
const PAGE = 1_000;
/** Records that are prepared together, so that their transactions may share a commit. */
const TOGETHER = 16;

type Outcome = "refreshed" | "unchanged" | { readonly reason: string };

/** Fills in anew what stale records have of the terms that they cite. */
export function makeRefreshRecords(deps: Deps): RefreshOperatorServices["refreshRecords"] {
  const { store, index, catalog } = deps;
  return async ({ vocabulary, published = false, dryRun = false, onProgress = () => undefined }) => {
    const names = vocabulary === undefined ? catalog.vocabularies.keys() : [findVocabulary(catalog, vocabulary).name];
    const models = [...catalog.models.keys()];
    const scope: RecordScope = published ? { kind: "readable", models, allVersions: true } : { kind: "drafts", models };
    const asked = { clause: isStale(names), scope, facets: [], sort: "oldest" } as const;
    const refresh = dryRun ? makeTrial(deps) : makeRefresh(deps);
    const outcomes = new Outcomes();
    // Which records are stale stands in the index.
    await store.followTerms();
    let of: number | undefined;
    for (let after: SortKey | null | undefined = null; after !== undefined; ) {
      const { hits, total, next } = await index.searchRecords({ ...asked, page: { after, limit: PAGE } });
      of ??= total;
      for (let i = 0; i < hits.length; i += TOGETHER) {
        const some = hits.slice(i, i + TOGETHER);
        const made = await Promise.all(some.map(refresh));
        for (const [n, outcome] of made.entries()) outcomes.add(some[n]!, outcome);
        onProgress(outcomes.done, of);
      }
      after = next;
    }
    return outcomes.summary();
  };
}

type Refresh = (seen: StoredRecord) => Promise<Outcome>;

function makeRefresh(deps: Deps): Refresh {
  return orRefused(async (seen) => {
    const readyFor = await prepareStored(deps, "draft", seen);
    return deps.runWrite({ actor: OPERATOR, length: seen.json.length }, async (tx, note) => {
      const stored = await tx.records.get(seen.id, seen.state);
      if (stored === undefined) return "unchanged";
      const ready = await readyFor(tx.terms, stored);
      if (saysTheSame(stored, ready)) return "unchanged";
      const head = headOf(stored);
      const revision_id = (await tx.records.lastRevision(head.id)) + 1;
      const body = refreshedOf(deps, stored, { ...head, updated: tx.now, revision_id }, ready);
      await tx.records.put(body, ready.index);
      await note({ action: "record.refresh", ...targetOf(body) });
      return "refreshed";
    });
  });
}

/** What a refresh would come to. */
function makeTrial(deps: Deps): Refresh {
  return orRefused(async (seen) => {
    const readyFor = await prepareStored(deps, "draft", seen);
    return saysTheSame(seen, await readyFor(deps.store.terms, seen)) ? "unchanged" : "refreshed";
  });
}

/** What is wrong with one record keeps no other one from being refreshed. */
const orRefused =
  (refresh: Refresh): Refresh =>
  async (seen) => {
    try {
      return await refresh(seen);
    } catch (error) {
      if (!(error instanceof BinderyError) || error.status >= 500) throw error;
      return { reason: error.message };
    }
  };

const metadataOf = (stored: StoredRecord): JsonObject => storedBody(stored).metadata;

const saysTheSame = (stored: StoredRecord, { raw }: Pick<Current, "raw">): boolean =>
  JSON.stringify(metadataOf(stored)) === raw.text;

/** A draft names its problems anew. A published record has none, and keeps what it cited when it was published. */
function refreshedOf(
  { catalog, sitesOf }: Deps,
  stored: StoredRecord,
  head: RecordHead,
  { raw, issues }: Current,
): RecordBody<RawJson> {
  if (stored.state === "draft") return withMetadata(head, raw, issues);
  const { as_cited: kept = [], metadata } = storedBody(stored);
  const { terms: tree } = sitesOf(findModel(catalog, stored.model));
  const now = citedTermsOf(JSON.parse(raw.text) as JsonObject, tree);
  const as_cited = asCited(kept, citedTermsOf(metadata, tree), now);
  return { ...head, metadata: raw, ...(as_cited.length > 0 ? { as_cited } : {}) };
}

/** Counts what became of the records. */
class Outcomes {
  readonly #counts = { draft: 0, published: 0, unchanged: 0 };
  readonly #refused: RefreshSummary["refused"][number][] = [];

  get done(): number {
    const { draft, published, unchanged } = this.#counts;
    return draft + published + unchanged + this.#refused.length;
  }

  add({ id, model, state }: StoredRecord, outcome: Outcome): void {
    if (outcome === "refreshed") this.#counts[state] += 1;
    else if (outcome === "unchanged") this.#counts.unchanged += 1;
    else this.#refused.push({ id, model, state, reason: outcome.reason });
  }

  summary(): RefreshSummary {
    const { draft: drafts, ...counts } = this.#counts;
    return { drafts, ...counts, refused: this.#refused };
  }
}
