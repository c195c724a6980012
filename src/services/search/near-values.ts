/** Values of a facet that an unknown text may mean: by short forms, parts, and similar spellings. */
import { nearestNames } from "../../core/nearest.js";
import { startSlices } from "../../core/slices.js";
import { analyse } from "../../query/text/analyse.js";

/**
 * Finds the values that a text may mean, best first: values with the same words, values with this short form (`SPR`:
 * Surface plasmon resonance), values that are its short form, values that contain all its words, values whose words it
 * contains, and values with a similar spelling.
 * @param max maximum number of values
 */
export type FindNearValues = (text: string, max: number) => Promise<readonly string[]>;

/** Reads values once for several texts, in slices, because a facet may have a thousand of them. */
export async function readValues(values: readonly string[]): Promise<FindNearValues> {
  const slices = startSlices();
  const names: (readonly [value: string, name: Name])[] = [];
  for (const value of values) {
    await slices.pause();
    names.push([value, readName(value)]);
  }
  return async (text, max) => {
    const name = readName(text);
    const ranks = names.flatMap(([value, each]) => {
      const rank = rankOf(name, each);
      return rank === undefined ? [] : [{ value, rank }];
    });
    const ranked = ranks.toSorted((a, b) => a.rank - b.rank).map(({ value }) => value);
    if (ranked.length >= max) return ranked.slice(0, max);
    await slices.pause();
    return [...new Set([...ranked, ...nearestNames(text, values, max)])].slice(0, max);
  };
}

interface Name {
  readonly words: readonly string[];
  /** The words without blanks between them. */
  readonly joined: string;
  /** Texts in brackets, as a whole and in parts, and initials of the words; without blanks. */
  readonly shortForms: readonly string[];
}

const BRACKETS = /\(([^()]*)\)/gu;

/** Short words that initials may leave out: National Institutes of Health is NIH. */
const MINOR_WORD = /^\p{Ll}{1,3}$/u;

function readName(text: string): Name {
  const hasBrackets = text.includes("(");
  const inBrackets = hasBrackets
    ? [...text.matchAll(BRACKETS)].flatMap(([, inner = ""]) => [inner, ...inner.split(/[/,;]/u)])
    : [];
  const written = (hasBrackets ? text.replace(BRACKETS, " ") : text).split(/[^\p{L}\p{N}]+/u);
  const initials = [written, written.filter((word) => !MINOR_WORD.test(word))].map((words) =>
    words.length < 2 ? "" : join(words.map((word) => [...word][0] ?? "").join("")),
  );
  const words = analyse(text);
  const shortForms = [...inBrackets.map(join), ...initials].filter((form) => form.length > 1);
  return { words, joined: words.join(""), shortForms: [...new Set(shortForms)] };
}

const join = (text: string): string => analyse(text).join("");

/** Returns how well a value fits a text, 0 for the best; undefined if it does not fit. */
function rankOf(asked: Name, value: Name): number | undefined {
  if (asked.joined.length < 2 || value.joined === "") return undefined;
  if (asked.joined === value.joined) return 0;
  if (value.shortForms.includes(asked.joined)) return 1;
  if (asked.shortForms.includes(value.joined)) return 2;
  const isLast = (i: number): boolean => i === asked.words.length - 1;
  if (asked.words.every((word, i) => value.words.some((each) => each === word || (isLast(i) && each.startsWith(word)))))
    return 3;
  return value.words.every((word) => asked.words.includes(word)) ? 4 : undefined;
}
