/** Ranges as written in parameters: `3e-10..2e-8`, `..2e-8`, `2020-05..`. */
import { formatInstant, parseDate } from "../../time.js";
import type { KeyLabel, KeySelection, RangeEnds } from "./facet-kind.js";

/** Returns the texts of both ends of a range, "" for an open one. Undefined if the text is not a range. */
export function splitRange(text: string): { readonly from: string; readonly to: string } | undefined {
  const [, from, to] = /^(.*?)\.\.(.*)$/u.exec(text) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Returns a range, or undefined if it is empty or both ends are open. */
export function orderedEnds(from: number | undefined, to: number | undefined): RangeEnds | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from !== undefined && to !== undefined && from >= to) return undefined;
  return makeEnds(from, to);
}

/** Makes a RangeEnds without undefined members, because answers contain it. */
export function makeEnds(from: number | undefined, to: number | undefined): RangeEnds {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/**
 * Parses a range whose ends are texts that `read` understands. Undefined for any other text.
 * @param read returns undefined for a text that is not an end
 */
export function readRange(key: string, read: (text: string) => number | undefined): RangeEnds | undefined {
  const texts = splitRange(key);
  if (texts === undefined) return undefined;
  const [from, to] = [texts.from, texts.to].map((text) => (text === "" ? undefined : read(text)));
  const isRead = (text: string, end: number | undefined): boolean => text === "" || end !== undefined;
  return isRead(texts.from, from) && isRead(texts.to, to) ? orderedEnds(from, to) : undefined;
}

/**
 * Prints a range as the shortest text that parses to the same numbers: `7..8`. JavaScript prints 1e-6 as 0.000001 and
 * 1e-7 as 1e-7; if one of the numbers needs an exponent, all of them get one: `1e-7..1e-6`, `1e-2..`.
 *
 * @param relatedNumbers further numbers that are printed in the same style
 */
export function rangeKey({ from, to }: RangeEnds, relatedNumbers: readonly number[] = []): string {
  const hasExponents = [from, to, ...relatedNumbers].some((end) => end !== undefined && String(end).includes("e"));
  const print = (end: number | undefined): string => {
    if (end === undefined) return "";
    return hasExponents && end !== 0 ? end.toExponential().replace("e+", "e") : String(end);
  };
  return `${print(from)}..${print(to)}`;
}

/** Returns the selection of values in a range. Undefined ends select nothing. */
export function selectRange(type: "number" | "date", ends: RangeEnds | undefined): KeySelection {
  return ends === undefined ? { kind: "nothing" } : { kind: "range", type, ...ends };
}

/**
 * Parses a range of years, months, days or times, in microseconds since 1970 UTC. It begins and ends at the first
 * instants of the two dates. Undefined for any other text.
 */
export function readDateRange(key: string): RangeEnds | undefined {
  return readRange(key, (text) => (text === text.trim() ? parseDate(text)?.from : undefined));
}

/** Labels a range of dates. Any other text is its own label. */
export function describeDateRange(key: string): KeyLabel {
  const texts = splitRange(key);
  if (texts === undefined) return { label: key };
  const { from, to } = readDateRange(key) ?? {};
  return {
    label: describeDates(texts),
    from: from === undefined ? undefined : formatDay(from),
    to: to === undefined ? undefined : formatDay(to),
  };
}

function describeDates({ from, to }: { readonly from: string; readonly to: string }): string {
  if (from === "") return `< ${to}`;
  return to === "" ? `≥ ${from}` : `${from} – ${to}`;
}

/** Formats an instant, as a day if it is the start of one. @param micros since 1970 UTC */
function formatDay(micros: number): string {
  const instant = formatInstant(micros);
  return instant.endsWith("T00:00:00.000000+00:00") ? instant.slice(0, instant.indexOf("T")) : instant;
}
