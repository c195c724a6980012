import type { Issue } from "../../core/issue.js";
import { makeIssue } from "../input/issues.js";
import { DAY_MICROS, readWhen, type When } from "../input/read-when.js";

const YEAR_MAX = 9999;

/**
 * When a token ends: `90d`, `12h`, an ISO date (to the end of that day, UTC) or an ISO instant.
 *
 * @returns microseconds since 1970 UTC, or what is wrong with the text
 */
export function readExpiry(text: string, now: number): number | Issue {
  const when = readWhen(text);
  const end = when && endOf(when, now);
  if (end === undefined || end > Date.UTC(YEAR_MAX, 11, 31) * 1000) {
    return badExpiry("expires must be a duration like 90d or 12h, or a date like 2027-01-31.", text);
  }
  if (end <= now) return badExpiry("expires must not be in the past.", text);
  return end;
}

function endOf({ kind, micros }: When, now: number): number {
  if (kind === "span") return now + micros;
  return kind === "day" ? micros + DAY_MICROS : micros;
}

function badExpiry(message: string, value: string): Issue {
  return makeIssue(["expires"], "PARAMETER_INVALID", [message], { value });
}
