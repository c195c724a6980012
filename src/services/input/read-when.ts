const HOUR_MICROS = 3_600_000_000;
export const DAY_MICROS = 24 * HOUR_MICROS;
const UNITS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 };

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A time as people write it, in microseconds: a span (`90d`), the start of a day in UTC, or an instant. */
export interface When {
  readonly kind: "span" | "day" | "instant";
  readonly micros: number;
}

/** Reads `90d` (h, d, w, y), `2027-01-31` or an ISO instant with its offset. @returns undefined for anything else */
export function readWhen(text: string): When | undefined {
  const span = /^(\d{1,6})([hdwy])$/.exec(text);
  if (span !== null) return { kind: "span", micros: Number(span[1]) * UNITS[span[2]!]! * HOUR_MICROS };
  if (!ISO_8601.test(text)) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  if (text.includes("T")) return { kind: "instant", micros: at * 1000 };
  // Date.parse reads 31 February as 3 March.
  if (new Date(at).toISOString().slice(0, 10) !== text) return undefined;
  return { kind: "day", micros: at * 1000 };
}
