/** Instants, dates and spans as texts; microseconds since 1970 UTC otherwise. */

/** Formats microseconds since 1970 UTC as `2026-11-21T10:00:00.123456+00:00`. */
export function formatInstant(micros: number): string {
  const whole = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = String(((micros % 1000) + 1000) % 1000).padStart(3, "0");
  return `${whole.slice(0, -1)}${rest}+00:00`;
}

/** Parses a text of `formatInstant` to microseconds since 1970 UTC. */
export function parseInstant(instant: string): number {
  return Date.parse(`${instant.slice(0, 23)}Z`) * 1000 + Number(instant.slice(23, 26));
}

/** Period of a date, in microseconds since 1970 UTC. `to` is exclusive. */
export interface DateUnit {
  readonly from: number;
  readonly to: number;
}

/** ISO 8601 date. A year has four digits; before the year 0 and after 9999 it has a sign and up to six digits. */
const DATE =
  /^(\d{4}|[+-]\d{4,6})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/u;

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** One day in microseconds. */
export const DAY_MICROS = 24 * HOUR;

/**
 * Parses a year, month, day or time in ISO 8601, in UTC if it has no offset: `2024`, `2024-05`, `2024-05-17`,
 * `2024-05-17T10:30:00.5+02:00`, `-0044-03-15`.
 *
 * @returns the whole year, month, day ..., in microseconds since 1970 UTC. Undefined if it is not a date (`2023-02-29`)
 */
export function parseDate(text: string): DateUnit | undefined {
  const match = DATE.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const date = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)] as const;
  const midnight = utcMidnight(...date);
  if (midnight === undefined) return undefined;
  if (month === undefined) return { from: midnight, to: utcMidnight(date[0] + 1, 0, 1) ?? midnight + 366 * DAY_MICROS };
  if (day === undefined) return { from: midnight, to: addMonths(midnight, 1) };
  if (hour === undefined) return { from: midnight, to: midnight + DAY_MICROS };
  const offset = parseOffset(zone ?? "Z");
  const outside = Number(hour) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 60;
  if (outside || offset === undefined) return undefined;
  const whole = Number(hour) * HOUR + Number(minute ?? 0) * MINUTE + Number(second ?? 0) * SECOND;
  const micros = Number((fraction ?? "").padEnd(6, "0").slice(0, 6));
  const from = midnight + whole + micros - offset;
  return { from, to: from + timePrecision(minute, second, fraction) };
}

function timePrecision(minute?: string, second?: string, fraction?: string): number {
  if (minute === undefined) return HOUR;
  if (second === undefined) return MINUTE;
  return fraction === undefined ? SECOND : Math.max(1, SECOND / 10 ** fraction.length);
}

const MATHS = /^([+-])(\d{1,9})([smhdwMy])/u;
const FIXED: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY_MICROS, w: 7 * DAY_MICROS };

/**
 * Parses a date as `parseDate`, or `now` with any number of steps in s, m, h, d, w, M or y: `now-30d`, `now+1y-2h`. `M`
 * and `y` are calendar months and years; the day is at most the last of the month (31 March minus 1M is the last of
 * February).
 *
 * @param now microseconds since 1970 UTC
 */
export function parseDateOrNow(text: string, now: number): DateUnit | undefined {
  const trimmed = text.trim();
  if (!isRelative(trimmed)) return parseDate(trimmed);
  let at = now;
  let rest = trimmed.slice(3);
  while (rest !== "") {
    const step = MATHS.exec(rest);
    if (step === null) return undefined;
    const count = Number(step[2]) * (step[1] === "-" ? -1 : 1);
    const unit = step[3]!;
    at = unit === "M" || unit === "y" ? addMonths(at, unit === "y" ? 12 * count : count) : at + count * FIXED[unit]!;
    if (!Number.isFinite(at)) return undefined;
    rest = rest.slice(step[0].length);
  }
  return { from: at, to: at + 1 };
}

/** Returns whether a date is relative to `now`. */
export const isRelative = (text: string): boolean => /^\s*now/iu.test(text);

/**
 * Returns midnight in microseconds, or undefined if the month does not have the day. `Date.UTC` would read the years 0
 * to 99 as 1900 to 1999.
 */
function utcMidnight(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date.getTime() * 1000 : undefined;
}

function addMonths(micros: number, months: number): number {
  const date = new Date(Math.floor(micros / 1000));
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(date);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(day, last.getUTCDate()));
  return date.getTime() * 1000 + (((micros % 1000) + 1000) % 1000);
}

function parseOffset(zone: string): number | undefined {
  if (/^z$/iu.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
}

/** Units of a span. */
const SPANS: Readonly<Record<string, number>> = { h: HOUR, d: DAY_MICROS, w: 7 * DAY_MICROS, y: 365 * DAY_MICROS };

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A time as people write it, in microseconds: a span (`90d`), the start of a day in UTC, or an instant. */
export interface When {
  readonly kind: "span" | "day" | "instant";
  readonly micros: number;
}

/** Reads `90d` (h, d, w, y), `2027-01-31` or an ISO instant with its offset. @returns undefined for anything else */
export function readWhen(text: string): When | undefined {
  const span = /^(\d{1,6})([hdwy])$/.exec(text);
  if (span !== null) return { kind: "span", micros: Number(span[1]) * SPANS[span[2]!]! };
  if (!ISO_8601.test(text)) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  if (text.includes("T")) return { kind: "instant", micros: at * 1000 };
  // Date.parse reads 31 February as 3 March.
  if (new Date(at).toISOString().slice(0, 10) !== text) return undefined;
  return { kind: "day", micros: at * 1000 };
}

/** Patterns of dates in other notations than ISO 8601, with named groups for their parts. */
const WRITTEN_DATES: readonly RegExp[] = [
  /^(?<year>\d{4})[-/. ](?<month>\d{1,2})(?:[-/. ](?<day>\d{1,2}))?$/u,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})?$/u,
  /^(?:(?<day>\d{1,2})[-/. ]+)?(?<month>\d{1,2})[-/. ]+(?<year>\d{4})$/u,
  /^(?:(?<day>\d{1,2})\.?[-/ ])?(?<name>[a-z]{3,9})\.?[-/ ](?<year>\d{4})$/iu,
  /^(?<name>[a-z]{3,9})\.? (?<day>\d{1,2}),? (?<year>\d{4})$/iu,
];

/** English names of months and their usual abbreviations. */
const MONTHS = [
  /^jan(uary)?$/i,
  /^feb(ruary)?$/i,
  /^mar(ch)?$/i,
  /^apr(il)?$/i,
  /^may$/i,
  /^june?$/i,
  /^july?$/i,
  /^aug(ust)?$/i,
  /^sept?(ember)?$/i,
  /^oct(ober)?$/i,
  /^nov(ember)?$/i,
  /^dec(ember)?$/i,
];

/** Maximum length of a text that may mean a date. */
const WRITTEN_DATE_LENGTH_MAX = 64;

/**
 * Returns the dates in ISO 8601 that a text may mean, best first: `2024-05-01` for `1 May 2024`, `2024-02-29` and
 * `2024-02` for `2024-02-31`, `[2020 TO 2024]` for `2020..2024`. Empty if there are none.
 */
export function nearestDates(text: string): readonly string[] {
  const trimmed = text.trim();
  if (trimmed.length > WRITTEN_DATE_LENGTH_MAX) return [];
  const ends = trimmed.split(/\.{2,3}/u).map((end) => end.trim());
  if (ends.length === 2) return ends.every((end) => parseDate(end) !== undefined) ? [`[${ends.join(" TO ")}]`] : [];
  const [day = ""] = trimmed.split(/(?<=\d)[Tt ](?=\d\d(?::|$))/u);
  if (parseDate(day) !== undefined && day !== trimmed) return [day];
  for (const pattern of WRITTEN_DATES) {
    const parts = pattern.exec(day)?.groups;
    if (parts !== undefined) return datesOf(parts);
  }
  return [];
}

/** Returns the dates with these parts. If no such date exists, returns the nearest day, month or year. */
function datesOf({ year = "", month, name, day }: Readonly<Record<string, string | undefined>>): readonly string[] {
  const monthNumber = name === undefined ? Number(month) : MONTHS.findIndex((month) => month.test(name)) + 1;
  if (name !== undefined && monthNumber === 0) return [];
  const write = (...numbers: readonly number[]): string =>
    [year, ...numbers.map((each) => String(each).padStart(2, "0"))].join("-");
  const lastDay = new Date(Date.UTC(Number(year), monthNumber, 0)).getUTCDate();
  const exact = day === undefined ? [write(monthNumber)] : [write(monthNumber, Number(day))];
  // Some countries write the month before the day.
  if (day !== undefined && name === undefined) exact.push(write(Number(day), monthNumber));
  const coarse = [...(day === undefined ? [] : [write(monthNumber, lastDay), write(monthNumber)]), year];
  const [exactDates, coarseDates] = [exact, coarse].map((dates) => dates.filter((each) => parseDate(each)));
  return [...new Set(exactDates!.length > 0 ? exactDates : coarseDates!.slice(0, 2))];
}
