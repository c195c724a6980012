/** Which values of a facet a text may mean that is none of them: short forms, parts, and spellings. */
import { nearestNames } from "../../core/nearest.js";
import { analyse } from "../../query/text/analyse.js";

/**
 * Returns the values that a text may mean, best first: those with the same words, those whose short form it is or that
 * are a short form of it (`SPR`: Surface plasmon resonance), those that have its words, those that it has all words of,
 * and those with a similar spelling.
 * @param max length of the answer at most
 */
export function nearValues(text: string, values: readonly string[], max: number): readonly string[] {
  const asked = readName(text);
  const meant = values.flatMap((value) => {
    const rank = rankOf(asked, readName(value));
    return rank === undefined ? [] : [{ value, rank }];
  });
  const ranked = meant.toSorted((a, b) => a.rank - b.rank).map(({ value }) => value);
  return [...new Set([...ranked, ...nearestNames(text, values, max)])].slice(0, max);
}

interface Name {
  readonly words: readonly string[];
  /** The words without blanks between them. */
  readonly joined: string;
  /** What stands in brackets, whole and part by part, and the first letters of the words; without blanks. */
  readonly shortForms: readonly string[];
}

const BRACKETS = /\(([^()]*)\)/gu;

/** Words that initials leave out: National Institutes of Health is NIH. */
const MINOR_WORD = /^\p{Ll}{1,3}$/u;

function readName(text: string): Name {
  const inBrackets = [...text.matchAll(BRACKETS)].flatMap(([, inner = ""]) => [inner, ...inner.split(/[/,;]/u)]);
  const written = text.replace(BRACKETS, " ").split(/[^\p{L}\p{N}]+/u);
  const initials = [written, written.filter((word) => !MINOR_WORD.test(word))].map((words) =>
    words.length < 2 ? "" : join(words.map((word) => [...word][0] ?? "").join("")),
  );
  const words = analyse(text);
  const shortForms = [...inBrackets.map(join), ...initials].filter((form) => form.length > 1);
  return { words, joined: words.join(""), shortForms: [...new Set(shortForms)] };
}

const join = (text: string): string => analyse(text).join("");

/** The place of a value among those that a text may mean; undefined if it does not mean the value. */
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
