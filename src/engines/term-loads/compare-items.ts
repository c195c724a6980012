import type { FieldChange } from "../../core/answers/term-answers.js";
import { LIMITS } from "../../core/limits.js";
import type { Synonym } from "../../core/term.js";
import { LOAD_KINDS, type LoadKind, loadKind } from "../../core/terms/edited-fields.js";
import type { LoadedChange, LoadSummary } from "../../ports/store.js";

type ComparisonResult = Pick<LoadSummary, "changed" | "merged" | "withdrawn" | "renamed" | "lost" | "examples">;

/** Collects the changes of terms: their kinds, what they lose, and the first ones field by field. */
export function makeLoadComparison(): {
  add(item: LoadedChange): LoadKind;
  result(): ComparisonResult;
} {
  let [changed, parent, synonyms] = [0, 0, 0];
  const kinds = new Map<LoadKind, number>(LOAD_KINDS.map((kind) => [kind, 0]));
  const removedTitles = new Map<string, number>();
  const removedProps = new Map<string, number>();
  const examples: LoadedChange[] = [];
  return {
    add(item) {
      const { fields } = item;
      const kind = loadKind(fields);
      changed += 1;
      kinds.set(kind, kinds.get(kind)! + 1);
      const removedFields = new Set(fields.flatMap(({ field, to }) => (to === undefined ? [field] : [])));
      if (removedFields.has("parent")) parent += 1;
      if (fields.some(losesSynonym)) synonyms += 1;
      countRemoved("title.", removedFields, removedTitles);
      countRemoved("props.", removedFields, removedProps);
      if (examples.length < LIMITS.importExamplesMax) examples.push(item);
      return kind;
    },
    result: () => ({
      changed,
      merged: kinds.get("merged")!,
      withdrawn: kinds.get("withdrawn")!,
      renamed: kinds.get("renamed")!,
      lost: { parent, synonyms, title: Object.fromEntries(removedTitles), props: Object.fromEntries(removedProps) },
      examples,
    }),
  };
}

function losesSynonym({ field, from = [], to = [] }: FieldChange): boolean {
  if (field !== "synonyms") return false;
  const names = new Set((to as unknown as readonly Synonym[]).map(({ name }) => name));
  return (from as unknown as readonly Synonym[]).some(({ name }) => !names.has(name));
}

function countRemoved(
  group: "title." | "props.",
  removedFields: ReadonlySet<string>,
  counts: Map<string, number>,
): void {
  for (const field of removedFields) {
    if (!field.startsWith(group)) continue;
    const name = field.slice(group.length);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}
