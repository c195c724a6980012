/**
 * Regular expressions of what is within so many edits of a word: an edit inserts, deletes or replaces a character, or
 * swaps two neighbours. Halves of the word share the edits, so that the expression grows little faster than the word.
 * Words hold letters and digits only, which mean themselves.
 */
export const nearWords = (word: string, edits: 1 | 2): string => within([...word], edits);

/** Of what begins with something that is near. */
export const nearBeginnings = (word: string, edits: 1 | 2): string => `(${nearWords(word, edits)}).*`;

type Edits = 0 | 1 | 2;

function within(letters: readonly string[], edits: Edits): string {
  if (edits === 0) return letters.join("");
  if (letters.length === 0) return edits === 1 ? ".?" : ".?.?";
  if (letters.length === 1) return withinOne(letters[0]!, edits);
  const middle = letters.length >>> 1;
  const [left, right] = [letters.slice(0, middle), letters.slice(middle)];
  const options: string[] = [];
  for (let used = 0; used <= edits; used++) {
    options.push(group(within(left, used as Edits)) + group(within(right, (edits - used) as Edits)));
  }
  const swapped = right[0]! + left.at(-1)!;
  const [before, after] = [left.slice(0, -1), right.slice(1)];
  for (let used = 0; used < edits; used++) {
    const rest = (edits - 1 - used) as Edits;
    options.push(group(within(before, used as Edits)) + swapped + group(within(after, rest)));
  }
  return options.join("|");
}

/** Anything short enough, or longer with the letter in it. */
function withinOne(letter: string, edits: 1 | 2): string {
  return edits === 1 ? `.?|${letter}.|.${letter}` : `.?.?|${letter}..|.${letter}.|..${letter}`;
}

const group = (expression: string): string => (expression.includes("|") ? `(${expression})` : expression);
