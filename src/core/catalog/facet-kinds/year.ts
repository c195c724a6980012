import type { DeclaredKind } from "./declared-kind.js";

/** Facet that counts dates by their year in UTC. */
export interface YearValues {
  readonly kind: "year";
}

export const YEAR: DeclaredKind<YearValues> = {
  leafType: "date",
  noun: "a facet by year",
  counted: "dates",
  description: "of dates, in UTC",
  options: [],
  hasSteps: false,
  isNested: false,
  isDefault: () => true,
  compile: () => ({ kind: "year" }),
  describe: () => "of years",
};
