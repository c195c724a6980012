import type { TermContent } from "../../src/core/term.js";
import { analyse } from "../../src/query/text/analyse.js";

/** What queries ask for, taken from the items themselves: so they are of every size, whatever the items are. */
export interface TermPicks {
  readonly items: number;
  /** Words by in how many titles they stand: the most frequent, those of some thousands, those of a few. */
  readonly common: readonly string[];
  readonly mid: readonly string[];
  readonly rare: readonly string[];
  /** Neighbours in titles: two common ones, a rarer one before any other. */
  readonly commonPairs: readonly string[];
  readonly midPairs: readonly string[];
  readonly ids: readonly string[];
  readonly titles: readonly string[];
  /** Items that stand above many others. */
  readonly ancestors: readonly string[];
}

/** Picks of each kind. */
const PICKS = 24;

/** One item of so many is looked at for titles, ids, pairs. */
const SAMPLE = 997;

/** Items with the most children, among which those to look below are picked. */
const PARENTS = 300;

/** Watches items go by. */
export function makePicker(): { see(item: TermContent): void; picks(): TermPicks } {
  const counts = new Map<string, number>();
  const children = new Map<string, number>();
  const sampled: TermContent[] = [];
  let items = 0;
  return {
    see(item) {
      if (items % SAMPLE === 0) sampled.push(item);
      items += 1;
      if (item.parent !== undefined) children.set(item.parent, (children.get(item.parent) ?? 0) + 1);
      for (const word of new Set(wordsOf(item))) counts.set(word, (counts.get(word) ?? 0) + 1);
    },
    picks() {
      const byCount = [...counts].filter(([word]) => /^[a-z]{3,}$/.test(word)).sort(([, a], [, b]) => b - a);
      const words = (from: number, to: number): string[] =>
        spread(byCount.filter(([, count]) => count >= from && count <= to).map(([word]) => word));
      const common = byCount.slice(0, PICKS).map(([word]) => word);
      const [midFrom, midTo] = [items / 1_000, items / 200];
      const pairs = sampled.flatMap((item) => pairsOf(wordsOf(item)));
      const isMid = (word: string): boolean => (counts.get(word) ?? 0) >= midFrom / 5;
      return {
        items,
        common,
        mid: words(midFrom, midTo),
        rare: words(2, 20),
        commonPairs: spread([
          ...new Set(pairs.filter((pair) => pair.every((word) => common.includes(word))).map(joined)),
        ]),
        midPairs: spread([...new Set(pairs.filter((pair) => pair.every(isMid)).map(joined))]),
        ids: spread(sampled.map(({ id }) => id)),
        titles: spread(sampled.map(({ title }) => Object.values(title)[0]!)),
        ancestors: spread(
          [...children]
            .sort(([, a], [, b]) => b - a)
            .slice(0, PARENTS)
            .map(([id]) => id),
        ),
      };
    },
  };
}

const wordsOf = ({ title }: TermContent): readonly string[] => analyse(Object.values(title)[0] ?? "");

const pairsOf = (words: readonly string[]): (readonly string[])[] => words.slice(1).map((word, i) => [words[i]!, word]);

const joined = (pair: readonly string[]): string => pair.join(" ");

/** Some of all, at equal distances. */
function spread<T>(all: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(all.length / PICKS));
  return all.filter((_, n) => n % step === 0).slice(0, PICKS);
}
