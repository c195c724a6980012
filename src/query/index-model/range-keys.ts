/** Ranges as texts, which are values of parameters: `3e-10..2e-8`, `..2e-8`, `2020-05..`. */
import { parseDate } from "../text/dates.js";

/** The ends of a range: `from` lies in it, `to` no more; an absent end is open. */
export interface RangeEnds {
  readonly from?: number;
  readonly to?: number;
}

/** A number as JSON and `rangeKey` write it. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** The texts of both ends, "" where one is open; undefined for a text that is no range. */
export function splitRange(text: string): { readonly from: string; readonly to: string } | undefined {
  const [, from, to] = /^(.*?)\.\.(.*)$/u.exec(text) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Undefined where nothing lies between the ends, or where both are open. */
export function orderedEnds(from: number | undefined, to: number | undefined): RangeEnds | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from !== undefined && to !== undefined && from >= to) return undefined;
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** What a range of plain numbers means; undefined for any other text. */
export function numberRange(key: string): RangeEnds | undefined {
  return readEnds(key, (text) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined));
}

/**
 * What a range of years, months, days or times means, in microseconds since 1970 UTC: it begins and ends where the
 * dates begin that are named. Undefined for any other text.
 */
export function dateRange(key: string): RangeEnds | undefined {
  return readEnds(key, (text) => (text === text.trim() ? parseDate(text)?.from : undefined));
}

function readEnds(key: string, read: (text: string) => number | undefined): RangeEnds | undefined {
  const texts = splitRange(key);
  if (texts === undefined) return undefined;
  const [from, to] = [texts.from, texts.to].map((text) => (text === "" ? undefined : read(text)));
  const isRead = (text: string, end: number | undefined): boolean => text === "" || end !== undefined;
  return isRead(texts.from, from) && isRead(texts.to, to) ? orderedEnds(from, to) : undefined;
}

/**
 * A range in the shortest text that reads as the same numbers: `7..8`. JavaScript prints 1e-6 as 0.000001 and 1e-7 as
 * 1e-7; where it needs an exponent for one of the numbers, all of them have one: `1e-7..1e-6`, `1e-2..`.
 *
 * @param beside further numbers that are written in the same way
 */
export function rangeKey({ from, to }: RangeEnds, beside: readonly number[] = []): string {
  const hasExponents = [from, to, ...beside].some((end) => end !== undefined && String(end).includes("e"));
  const print = (end: number | undefined): string => {
    if (end === undefined) return "";
    return hasExponents && end !== 0 ? end.toExponential().replace("e+", "e") : String(end);
  };
  return `${print(from)}..${print(to)}`;
}
