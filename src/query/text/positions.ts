/** Range of a text in UTF-16 units. `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Conversion of positions in a text between UTF-16 units and code points, which clients use. */
export interface Positions {
  /** Converts UTF-16 units to code points. */
  toPoints(units: number): number;
  /** Converts code points to UTF-16 units, at most the length of the text. */
  toUnits(points: number): number;
}

/** Makes the conversion of the positions in a text. */
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

/** Returns whether a text has more than `max` code points. */
export function hasMoreCodePoints(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}

/**
 * Invisible characters: soft hyphens, zero-width spaces and joiners, marks of direction, variation selectors. Texts
 * copied from PDFs and web pages contain them. They are not part of words.
 * @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const ALL_INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;

/** Removes invisible characters. */
export const dropInvisible = (text: string): string => (INVISIBLE.test(text) ? text.replace(ALL_INVISIBLE, "") : text);

/**
 * Returns a function that maps a range in the result of `dropInvisible` to the range in `text`; undefined if the text
 * has no invisible characters, because the ranges are then equal.
 */
export function makeSpanMapper(text: string): (<S extends Span>(span: S) => S) | undefined {
  if (!INVISIBLE.test(text)) return undefined;
  const positions: number[] = [];
  let at = 0;
  for (const character of text) {
    if (!INVISIBLE.test(character)) for (let i = 0; i < character.length; i++) positions.push(at + i);
    at += character.length;
  }
  return (span) => {
    const from = positions[span.from] ?? text.length;
    return { ...span, from, to: span.to <= span.from ? from : positions[span.to - 1]! + 1 };
  };
}
