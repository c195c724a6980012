import { plainDashes } from "../../units/units.js";
import type { RangeEnds, RangeKind } from "./facet-kind.js";
import { describeDateRange, readDateRange, selectRange } from "./range-keys.js";

/** Facet that counts dates by their year in UTC. */
interface YearValues {
  readonly kind: "year";
}

/** Buckets of dates by their year in UTC: `2024`. */
interface YearBuckets {
  readonly kind: "year";
}

/** Kind of facet that counts the years of dates. */
export const YEAR: RangeKind<YearValues, YearBuckets, YearBuckets> = {
  leafType: "date",
  noun: "a facet by year",
  counted: "dates",
  description: "of dates, in UTC",
  options: [],
  hasSteps: false,
  isNested: false,
  isQueryValue: true,
  ranges: {
    keyOf: (_, micros) => yearKey(new Date(Math.floor(micros / 1000)).getUTCFullYear()),
    endsOf,
    isBucket: (_, key) => yearEnds(key) !== undefined,
  },
  isDefault: () => true,
  compile: () => ({ kind: "year" }),
  describe: () => "of years",
  makeBuckets: () => ({ kind: "year" }),
  select: (_, key) => selectRange("date", endsOf(key)),
  readKey(_, text) {
    const key = plainDashes(text);
    if (endsOf(key) !== undefined) return { key };
    return {
      takes: 'a year such as "2024", or a range of years or days such as "2020..2024", "2024-05-17.." or "..2020"',
    };
  },
  labelOf(_, key) {
    const year = yearEnds(key) === undefined ? undefined : Number(key);
    return year === undefined
      ? describeDateRange(key)
      : { label: key, from: `${key}-01-01`, to: `${yearKey(year + 1)}-01-01` };
  },
  describeCounts: () => ({}),
};

function endsOf(key: string): RangeEnds | undefined {
  return yearEnds(key) ?? readDateRange(key);
}

/** Returns the key of a year, with at least four digits. A year before 0000, which an offset may cause, has a sign. */
function yearKey(year: number): string {
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
}

function yearEnds(key: string): RangeEnds | undefined {
  if (!/^-?\d{4,6}$/u.test(key)) return undefined;
  const year = Number(key);
  const [from, to] = [yearStart(year), yearStart(year + 1)];
  return yearKey(year) === key && Number.isFinite(from) && Number.isFinite(to) ? { from, to } : undefined;
}

/** Returns the start of a year in microseconds. `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function yearStart(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1) * 1000;
}
