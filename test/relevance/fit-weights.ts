import { EVIDENCE, type Evidence, type EvidenceWeights } from "../../src/services/matching/affiliation-evidence.js";

/** What spoke for an organisation that was found, and whether it was right. */
export interface Example {
  readonly evidence: Evidence;
  readonly isRight: boolean;
}

/** Holds weights near to zero that few examples speak of. */
const RIDGE = 1;
const ROUNDS = 25;

/** Fits a logistic model by Newton's method (Hastie, Tibshirani, Friedman: Elements of Statistical Learning, 4.4). */
export function fitWeights(examples: readonly Example[]): EvidenceWeights {
  const size = EVIDENCE.length + 1;
  const rows = examples.map(({ evidence }) => [1, ...EVIDENCE.map((name) => evidence[name])]);
  let weights = new Array<number>(size).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : -RIDGE * weight));
    const hessian = weights.map((_, i) => weights.map((__, j) => (i === j ? (i === 0 ? 1e-9 : RIDGE) : 0)));
    for (const [n, row] of rows.entries()) {
      const p = 1 / (1 + Math.exp(-row.reduce((sum, x, i) => sum + x * weights[i]!, 0)));
      for (let i = 0; i < size; i++) {
        if (row[i] === 0) continue;
        gradient[i]! += row[i]! * (Number(examples[n]!.isRight) - p);
        for (let j = 0; j < size; j++) hessian[i]![j]! += row[i]! * row[j]! * p * (1 - p);
      }
    }
    const step = solve(hessian, gradient);
    weights = weights.map((weight, i) => weight + step[i]!);
  }
  const [none, ...of] = weights.map((weight) => Math.round(weight * 100) / 100);
  return { none: none!, of: Object.fromEntries(EVIDENCE.map((name, i) => [name, of[i]!])) as EvidenceWeights["of"] };
}

/** Gauss's elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    const pivot = rows.slice(i).reduce((best, row) => (Math.abs(row[i]!) > Math.abs(best[i]!) ? row : best));
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(i, 0, pivot);
    for (let j = 0; j < size; j++) {
      if (j === i) continue;
      const factor = rows[j]![i]! / pivot[i]!;
      if (factor !== 0) rows[j] = rows[j]!.map((value, k) => value - factor * pivot[k]!);
    }
  }
  return rows.map((row, i) => row[size]! / row[i]!);
}
