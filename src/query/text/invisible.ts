/** Range in a text, in UTF-16 units. `to` is the index after its end. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * Invisible characters: soft hyphens, zero-width spaces and joiners, marks of direction, variation selectors. Texts
 * copied from PDFs and web pages contain them. They are not part of words.
 * @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const ALL_INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;

export const dropInvisible = (text: string): string => (INVISIBLE.test(text) ? text.replace(ALL_INVISIBLE, "") : text);

/**
 * Returns a function that maps a range in the result of `dropInvisible` to the range in `text`; undefined if the text
 * has no invisible characters, because the ranges are then equal.
 */
export function placesWithInvisible(text: string): (<P extends Place>(place: P) => P) | undefined {
  if (!INVISIBLE.test(text)) return undefined;
  const kept: number[] = [];
  let at = 0;
  for (const character of text) {
    if (!INVISIBLE.test(character)) for (let i = 0; i < character.length; i++) kept.push(at + i);
    at += character.length;
  }
  return (place) => {
    const from = kept[place.from] ?? text.length;
    return { ...place, from, to: place.to <= place.from ? from : kept[place.to - 1]! + 1 };
  };
}
