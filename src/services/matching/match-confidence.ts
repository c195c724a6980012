import { EVIDENCE, type Evidence, type EvidenceName } from "./affiliation-evidence.js";

/** What each evidence weighs in the logistic model, and what stands where there is none. */
export interface Weights {
  readonly none: number;
  readonly of: Readonly<Record<EvidenceName, number>>;
}

/**
 * Fitted to affiliations of papers whose organisations people had looked up: test/relevance/fit-weights.ts says how,
 * docs/matching.md how well it holds for others.
 */
export const WEIGHTS: Weights = {
  none: -13.9,
  of: {
    title: 4.64,
    alias: 3.47,
    acronym: 0.52,
    scattered: 0.51,
    length: -0.13,
    nameCovered: 6.88,
    partCovered: 0.42,
    textCovered: 2.25,
    same: 0.69,
    inside: -2.96,
    preceded: -0.73,
    continued: -1.14,
    city: 1.35,
    region: 0.14,
    country: 0.58,
    elsewhere: -2.04,
    placedAcronym: 1.38,
    namesakes: -1.51,
    known: 0.69,
    deprecated: -0.42,
  },
};

/** How likely it is that an organisation is meant, from 0 to 1. */
export function confidenceOf(evidence: Evidence, { none, of }: Weights = WEIGHTS): number {
  const sum = EVIDENCE.reduce((total, name) => total + of[name] * evidence[name], none);
  return 1 / (1 + Math.exp(-sum));
}
