/**
 * What everybody may read, in parts that change one by one. An answer that is kept names the parts that it was made
 * of; a commit changes some of them.
 */
export type PublicPart =
  /** A published record. */
  | `record ${string}`
  /** The published records of a model, and what they are found by. */
  | `records of ${string}`
  | "records"
  /** The terms of a vocabulary. */
  | `terms of ${string}`
  | "terms"
  /** How often published records cite the terms of a vocabulary. */
  | `citations of ${string}`;

export const recordPart = (id: string): PublicPart => `record ${id}`;

/** @param model absent: of all models */
export const recordsPart = (model?: string): PublicPart => (model === undefined ? "records" : `records of ${model}`);

/** @param vocabulary absent: of all vocabularies */
export const termsPart = (vocabulary?: string): PublicPart =>
  vocabulary === undefined ? "terms" : `terms of ${vocabulary}`;

export const citationsPart = (vocabulary: string): PublicPart => `citations of ${vocabulary}`;
