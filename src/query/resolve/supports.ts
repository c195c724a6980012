/**
 * What an index can do beyond the core language: its manifest. The service rewrites a tree by it before it asks
 * (`degrade.ts`), so that a feature which is not there is read as plain words and the answer says so.
 */
export interface IndexSupports {
  readonly fuzzy: boolean;
  /** `path:(a AND b)` in the same element. */
  readonly sameElement: boolean;
  /** `organism.within:id` */
  readonly within: boolean;
}
