import { changedFields } from "../../../../core/catalog/merge-term.js";
import { LIMITS } from "../../../../core/limits.js";
import type { TermContent } from "../../../../core/term.js";
import type { ChangedItem, LoadSummary } from "../../../../ports/store.js";

/** Collects how items change: what they lose, and the first of them field by field. */
export function makeComparison(): {
  add(old: TermContent, now: TermContent): void;
  result(): Pick<LoadSummary, "lost" | "examples">;
} {
  let [parent, synonyms] = [0, 0];
  const title = new Map<string, number>();
  const props = new Map<string, number>();
  const examples: ChangedItem[] = [];
  return {
    add(old, now) {
      if (old.parent !== undefined && now.parent === undefined) parent += 1;
      const names = new Set(now.synonyms?.map(({ name }) => name));
      if (old.synonyms?.some(({ name }) => !names.has(name))) synonyms += 1;
      countGone(old.title, now.title, title);
      countGone(old.props, now.props, props);
      if (examples.length < LIMITS.importExamplesMax) examples.push({ id: now.id, fields: changedFields(old, now) });
    },
    result: () => ({
      lost: { parent, synonyms, title: Object.fromEntries(title), props: Object.fromEntries(props) },
      examples,
    }),
  };
}

function countGone(old: object, now: object, counts: Map<string, number>): void {
  for (const key of Object.keys(old)) if (!Object.hasOwn(now, key)) counts.set(key, (counts.get(key) ?? 0) + 1);
}
