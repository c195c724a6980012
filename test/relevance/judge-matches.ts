import type { MatchingCase } from "./matching-sets.js";

/** Of one case: what was found, best first, and whether it is right. */
export interface JudgedCase {
  readonly text: string;
  /** Whether an organisation that it names is in the vocabulary at all. */
  readonly hasAnswer: boolean;
  readonly found: readonly { readonly id: string; readonly isRight: boolean; readonly confidence: number }[];
}

/** @param isKnown whether an organisation is in the vocabulary */
export async function judgeCases(
  cases: readonly MatchingCase[],
  isKnown: (id: string) => boolean,
  find: (text: string) => Promise<readonly { readonly id: string; readonly confidence: number }[]>,
): Promise<readonly JudgedCase[]> {
  const judged: JudgedCase[] = [];
  for (const { text, ids } of cases) {
    const found = (await find(text)).map(({ id, confidence }) => ({ id, confidence, isRight: ids.includes(id) }));
    judged.push({ text, hasAnswer: ids.some(isKnown), found });
  }
  return judged;
}

/** Of the cases that have an answer: the share of those whose answer is within the first so many. */
export function shareWithin(judged: readonly JudgedCase[], first: number): number {
  const answerable = judged.filter(({ hasAnswer }) => hasAnswer);
  const right = answerable.filter(({ found }) => found.slice(0, first).some(({ isRight }) => isRight));
  return right.length / answerable.length;
}

/** What comes of taking the first organisation where its confidence is at least the threshold. */
export function precisionAt(
  judged: readonly JudgedCase[],
  threshold: number,
): { readonly precision: number; readonly recall: number } {
  const taken = judged.flatMap(({ found: [first] }) => (first && first.confidence >= threshold ? [first] : []));
  const right = taken.filter(({ isRight }) => isRight).length;
  return { precision: right / taken.length, recall: right / judged.filter(({ hasAnswer }) => hasAnswer).length };
}

/** How well the confidence of the first organisation holds: by steps of it, how many there are, how many are right. */
export function reliability(judged: readonly JudgedCase[]): readonly {
  readonly from: number;
  readonly count: number;
  readonly confidence: number;
  readonly right: number;
}[] {
  const firsts = judged.flatMap(({ found }) => found.slice(0, 1));
  return [0, 0.2, 0.4, 0.6, 0.8].flatMap((from) => {
    const some = firsts.filter(({ confidence }) => confidence >= from && (confidence < from + 0.2 || from === 0.8));
    if (some.length === 0) return [];
    const mean = (value: (each: (typeof some)[number]) => number): number =>
      some.reduce((sum, each) => sum + value(each), 0) / some.length;
    const right = mean(({ isRight }) => Number(isRight));
    return [{ from, count: some.length, confidence: mean(({ confidence }) => confidence), right }];
  });
}
