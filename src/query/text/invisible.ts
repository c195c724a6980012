/** A part of a text in UTF-16 units: `to` is the first that does not belong to it. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * Characters that no reader sees: soft hyphens, zero-width spaces and joiners, marks of direction, variation selectors.
 * They come with texts that are copied from PDFs and web pages, and are part of no word.
 * @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const ALL_INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;

export const dropInvisible = (text: string): string => (INVISIBLE.test(text) ? text.replace(ALL_INVISIBLE, "") : text);

/**
 * Returns a function that gives the place in `text` of a place in what `dropInvisible` leaves of it; undefined if the
 * places are the same, because the text has no invisible characters.
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
