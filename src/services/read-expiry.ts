import type { Issue } from "../core/issue.js";
import { makeIssue } from "./issues.js";

const HOUR_MICROS = 3_600_000_000;
const UNITS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 };
const YEAR_MAX = 9999;

/**
 * When a token ends: `90d`, `12h`, an ISO date (to the end of that day, UTC) or an ISO instant.
 *
 * @returns microseconds since 1970 UTC, or what is wrong with the text
 */
export function readExpiry(text: string, now: number): number | Issue {
  const span = /^(\d{1,6})([hdwy])$/.exec(text);
  const end = span === null ? endOf(text) : now + Number(span[1]) * UNITS[span[2]!]! * HOUR_MICROS;
  if (Number.isNaN(end) || end > Date.UTC(YEAR_MAX, 11, 31) * 1000) {
    return badExpiry("expires is a span like 90d or 12h, or a date like 2027-01-31.", text);
  }
  if (end <= now) return badExpiry("expires lies in the past.", text);
  return end;
}

function badExpiry(message: string, value: string): Issue {
  return makeIssue(["expires"], "PARAMETER_INVALID", [message], { value });
}

function endOf(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return Number.NaN;
  const isDay = !text.includes("T");
  const at = Date.parse(text);
  // Date.parse takes 31 February for 3 March.
  if (isDay && !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) !== text) return Number.NaN;
  return at * 1000 + (isDay ? 24 * HOUR_MICROS : 0);
}
