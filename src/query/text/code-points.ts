/** Positions in a text, told in code points, as clients of any language count them, and in UTF-16 units. */
export interface Positions {
  /** Code points before so many UTF-16 units. */
  toPoints(units: number): number;
  /** UTF-16 units of so many code points; the length of the text for more than it has. */
  toUnits(points: number): number;
}

export function positionsIn(text: string): Positions {
  if (!/\p{Surrogate}|[\u{10000}-\u{10FFFF}]/u.test(text)) {
    return { toPoints: (units) => units, toUnits: (points) => Math.min(points, text.length) };
  }
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xff_ff ? 2 : 1) starts.push(at);
  return {
    toPoints: (units) => (units >= text.length ? starts.length : starts.findLastIndex((start) => start <= units)),
    toUnits: (points) => starts[points] ?? text.length,
  };
}

/** Does a text have more than `max` code points? */
export function hasMoreCodePoints(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}
