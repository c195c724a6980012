import { cardinality, type DocIdSet, makeDocIdSet, subtractSet } from "../bitmaps/doc-id-set.js";

/**
 * A step of `bestmatch`, which takes some of the rows that no earlier step took. Its `number` never changes, because
 * cursors contain it.
 */
export interface RankingStep {
  readonly number: number;
  take(among: DocIdSet): DocIdSet;
  /**
   * Returns rows that include those of the step, and a test for each, if taking all rows is expensive. A page that is
   * full after a few tests needs no others.
   */
  readonly try?: ((among: DocIdSet) => { readonly rows: DocIdSet; test(id: number): boolean } | undefined) | undefined;
}

/** A hit with the step that took it. */
export type Ranked<H> = H & { readonly step: number };

/** The requested hits: those after a key, or all, without the first `skip`. */
interface HitWindow<K> {
  readonly after: K | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** The hits of a page; `last` is its last one if more follow. */
interface RankedPage<H> {
  readonly hits: readonly Ranked<H>[];
  readonly last?: Ranked<H> | undefined;
}

/**
 * Returns one page of rows in the order of the steps. Steps beyond the page are not evaluated.
 * @param steps the last one must take all remaining rows
 * @param walk returns the rows of one step in order, from a key if it is given; read as far as needed
 */
export function rankedPage<H extends { readonly id: number }, K extends { readonly step: number }>(
  matched: DocIdSet,
  steps: readonly RankingStep[],
  { after, skip, limit }: HitWindow<K>,
  walk: (rows: DocIdSet, after: K | undefined) => Iterable<H>,
): RankedPage<H> {
  // One hit more than requested tells whether more follow.
  const hitsNeeded = skip + limit + 1;
  const rankedHits: Ranked<H>[] = [];
  let remaining = matched;
  for (const step of steps) {
    if (rankedHits.length >= hitsNeeded || cardinality(remaining) === 0) break;
    const isPast = after !== undefined && step.number < after.step;
    const inOrder = (rows: DocIdSet): Iterable<H> => walk(rows, step.number === after?.step ? after : undefined);
    const tried = isPast ? undefined : tryStep(step, remaining, inOrder, hitsNeeded - rankedHits.length);
    // After a key, only a part of the rows was tested, so that later steps would repeat the others.
    if (tried !== undefined && (tried.isFull || step.number !== after?.step)) {
      for (const hit of tried.hits) rankedHits.push({ ...hit, step: step.number });
      remaining = subtractSet(remaining, makeDocIdSet(tried.hits.map(({ id }) => id)));
      continue;
    }
    const rows = step.take(remaining);
    if (!isPast) {
      for (const hit of inOrder(rows)) {
        rankedHits.push({ ...hit, step: step.number });
        if (rankedHits.length === hitsNeeded) break;
      }
    }
    if (rankedHits.length < hitsNeeded) remaining = subtractSet(remaining, rows);
  }
  const hits = rankedHits.slice(skip, skip + limit);
  const last = hits.at(-1);
  return { hits, last: rankedHits.length < hitsNeeded ? undefined : last };
}

/** Number of tests from which taking all rows is as fast. */
const TESTS_MAX = 150;

/** The first hits of a step: as many as the page needs, or all. */
interface TriedHits<H> {
  readonly hits: readonly H[];
  readonly isFull: boolean;
}

/** Returns the first hits of a step, undefined if too many tests are needed. */
function tryStep<H extends { readonly id: number }>(
  step: RankingStep,
  among: DocIdSet,
  inOrder: (rows: DocIdSet) => Iterable<H>,
  hitsNeeded: number,
): TriedHits<H> | undefined {
  const trial = hitsNeeded > TESTS_MAX ? undefined : step.try?.(among);
  if (trial === undefined) return undefined;
  const hits: H[] = [];
  let tests = 0;
  for (const hit of inOrder(trial.rows)) {
    tests += 1;
    if (tests > TESTS_MAX) return undefined;
    if (trial.test(hit.id)) hits.push(hit);
    if (hits.length === hitsNeeded) return { hits, isFull: true };
  }
  return { hits, isFull: false };
}
