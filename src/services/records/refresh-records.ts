import { OPERATOR } from "../../core/actor.js";
import { BinderyError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import {
  type AsCited,
  parseHead,
  type RawJson,
  type RecordBody,
  type RecordHead,
  type StoredRecord,
  storedBody,
} from "../../core/record.js";
import type { RecordScope } from "../../ports/search-index.js";
import { isStale } from "../../query/index-model/indexed-paths.js";
import type { SortKey } from "../../query/ranking/sort-keys.js";
import type { RefreshRequest, RefreshSummary } from "../api/admin.js";
import type { Deps } from "../context/deps.js";
import { findModel, findVocabulary } from "../context/find-model.js";
import { operatorUseCase } from "../context/use-case.js";
import { citedTermsOf } from "../metadata/dereference.js";
import { prepareStored, type WritableRecord } from "../metadata/prepare-record.js";
import { auditTarget, withMetadata } from "./record-body.js";

/** Stale records per search. */
const PAGE = 1_000;
/** Records that are prepared concurrently, so that their transactions can share a commit. */
const BATCH = 16;

type Outcome = "refreshed" | "unchanged" | { readonly reason: string };

/**
 * Updates the copies of cited terms in stale records: those that cite an older version of a term. Each record is a
 * transaction, so another run continues an interrupted one. @throws VOCABULARY_NOT_FOUND
 */
export const refreshRecords = operatorUseCase((deps) => {
  const { store, index, catalog } = deps;
  return async ({
    vocabulary,
    published = false,
    dryRun = false,
    onProgress = () => undefined,
  }: RefreshRequest): Promise<RefreshSummary> => {
    const names = vocabulary === undefined ? catalog.vocabularies.keys() : [findVocabulary(catalog, vocabulary).name];
    const models = [...catalog.models.keys()];
    const scope: RecordScope = published ? { kind: "readable", models, allVersions: true } : { kind: "drafts", models };
    const search = { clause: isStale(names), scope, facets: [], sort: "oldest" } as const;
    const refresh = dryRun ? makeTrial(deps) : makeRefresh(deps);
    const outcomes = new Outcomes();
    // The index knows which records are stale, so it must have seen all changes of terms.
    await store.followTerms();
    let staleCount: number | undefined;
    for (let after: SortKey | null | undefined = null; after !== undefined; ) {
      const { hits, total, next } = await index.searchRecords({ ...search, page: { after, limit: PAGE } });
      staleCount ??= total;
      for (let i = 0; i < hits.length; i += BATCH) {
        const batch = hits.slice(i, i + BATCH);
        const results = await Promise.all(batch.map(refresh));
        for (const [n, outcome] of results.entries()) outcomes.add(batch[n]!, outcome);
        onProgress(outcomes.done, staleCount);
      }
      after = next;
    }
    return outcomes.summary();
  };
});

type Refresh = (hit: StoredRecord) => Promise<Outcome>;

function makeRefresh(deps: Deps): Refresh {
  return catchRefusal(async (hit) => {
    const prepareDraft = await prepareStored(deps, "draft", hit);
    return deps.runWrite({ actor: OPERATOR, length: hit.json.length }, async (tx, note) => {
      const stored = await tx.records.get(hit.id, hit.state);
      if (stored === undefined) return "unchanged";
      const ready = await prepareDraft(tx.terms, stored);
      if (hasMetadata(stored, ready)) return "unchanged";
      const head = parseHead(stored);
      const revision_id = (await tx.records.lastRevision(head.id)) + 1;
      const body = refreshedBody(deps, stored, { ...head, updated: tx.now, revision_id }, ready);
      await tx.records.put(body, ready.index);
      await note({ action: "record.refresh", ...auditTarget(body) });
      return "refreshed";
    });
  });
}

/** Returns a function that finds the outcome of a refresh without writing. */
function makeTrial(deps: Deps): Refresh {
  return catchRefusal(async (hit) => {
    const prepareDraft = await prepareStored(deps, "draft", hit);
    return hasMetadata(hit, await prepareDraft(deps.store.terms, hit)) ? "unchanged" : "refreshed";
  });
}

/** Turns a refusal into an outcome, so that a problem with one record does not stop the others. */
const catchRefusal =
  (refresh: Refresh): Refresh =>
  async (hit) => {
    try {
      return await refresh(hit);
    } catch (error) {
      if (!(error instanceof BinderyError) || error.status >= 500) throw error;
      return { reason: error.message };
    }
  };

const metadataOf = (stored: StoredRecord): JsonObject => storedBody(stored).metadata;

const hasMetadata = (stored: StoredRecord, { raw }: Pick<WritableRecord, "raw">): boolean =>
  JSON.stringify(metadataOf(stored)) === raw.text;

/** Builds the new body. A draft gets its new problems. A published record keeps in `as_cited` what it cited first. */
function refreshedBody(
  { catalog, sitesOf }: Deps,
  stored: StoredRecord,
  head: RecordHead,
  { raw, issues }: WritableRecord,
): RecordBody<RawJson> {
  if (stored.state === "draft") return withMetadata(head, raw, issues);
  const { as_cited: earlier = [], metadata } = storedBody(stored);
  const { terms: tree } = sitesOf(findModel(catalog, stored.model));
  const now = citedTermsOf(JSON.parse(raw.text) as JsonObject, tree);
  const as_cited = keepOriginalTerms(earlier, citedTermsOf(metadata, tree), now);
  return { ...head, metadata: raw, as_cited: as_cited.length > 0 ? as_cited : undefined };
}

/** Counts the outcomes of refreshed records. */
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

/**
 * Returns the terms of a published record as they were at its publication, after its terms were replaced once more: at
 * each place, the first term.
 * @param kept the result of earlier refreshes
 * @param previous terms in the replaced metadata
 * @param current terms in the new metadata
 */
export function keepOriginalTerms(
  kept: readonly AsCited[],
  previous: readonly AsCited[],
  current: readonly AsCited[],
): readonly AsCited[] {
  const keptFields = new Set(kept.map(({ field }) => field));
  const versions = new Map(current.map(({ field, term }) => [field, term["@v"]]));
  const replaced = previous.filter(({ field, term }) => !keptFields.has(field) && versions.get(field) !== term["@v"]);
  return [...kept, ...replaced];
}
