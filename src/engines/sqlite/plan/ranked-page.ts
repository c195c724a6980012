import { andNot, cardinality, type DocIdSet } from "../bitmaps/doc-id-set.js";

/** A step of `bestmatch`: which of the rows that no earlier step took it takes. `number` is its place for ever. */
export interface Step {
  readonly number: number;
  take(among: DocIdSet): DocIdSet;
  /**
   * Where taking all is dear: rows among which those of the step are, and a test of each. A page that is full after a
   * few tests need not know the others.
   */
  readonly try?: (among: DocIdSet) => { readonly rows: DocIdSet; test(id: number): boolean } | undefined;
}

/** A hit, and the step that has it. */
export type Ranked<H> = H & { readonly step: number };

/** Which hits are wanted: those behind the one after which the page begins, or all, without the first ones. */
interface WantedHits<K> {
  readonly after: K | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** The hits of a page; `last` is its last one where others follow. */
interface RankedPage<H> {
  readonly hits: readonly Ranked<H>[];
  readonly last?: Ranked<H>;
}

/**
 * One page of rows in the order of the steps. No step is taken that the page does not reach.
 * @param steps the last one has to take all that is left
 * @param walk the rows of one step in their order, those behind a key where one is given; read as far as needed
 */
export function rankedPage<H extends { readonly id: number }, K extends { readonly step: number }>(
  matched: DocIdSet,
  steps: readonly Step[],
  { after, skip, limit }: WantedHits<K>,
  walk: (rows: DocIdSet, after: K | undefined) => Iterable<H>,
): RankedPage<H> {
  // One more than wanted tells whether anything follows.
  const wanted = skip + limit + 1;
  const found: Ranked<H>[] = [];
  let rest = matched;
  for (const step of steps) {
    if (found.length >= wanted || cardinality(rest) === 0) break;
    const isPast = after !== undefined && step.number < after.step;
    const inOrder = (rows: DocIdSet): Iterable<H> => walk(rows, step.number === after?.step ? after : undefined);
    const some = isPast ? undefined : tryStep(step, rest, inOrder, wanted - found.length);
    if (some !== undefined) {
      for (const hit of some) found.push({ ...hit, step: step.number });
      break;
    }
    const rows = step.take(rest);
    if (!isPast) {
      for (const hit of inOrder(rows)) {
        found.push({ ...hit, step: step.number });
        if (found.length === wanted) break;
      }
    }
    if (found.length < wanted) rest = andNot(rest, rows);
  }
  const hits = found.slice(skip, skip + limit);
  const last = hits.at(-1);
  return { hits, ...(found.length < wanted || last === undefined ? {} : { last }) };
}

/** More tests than this and taking all is no dearer. */
const TESTS_MAX = 150;

/** The first hits of a step, as many as wanted; undefined where too many tests would have to be made. */
function tryStep<H extends { readonly id: number }>(
  step: Step,
  among: DocIdSet,
  inOrder: (rows: DocIdSet) => Iterable<H>,
  wanted: number,
): readonly H[] | undefined {
  const trial = wanted > TESTS_MAX ? undefined : step.try?.(among);
  if (trial === undefined) return undefined;
  const hits: H[] = [];
  let tests = 0;
  for (const hit of inOrder(trial.rows)) {
    tests += 1;
    if (tests > TESTS_MAX) return undefined;
    if (trial.test(hit.id)) hits.push(hit);
    if (hits.length === wanted) return hits;
  }
  return undefined;
}
